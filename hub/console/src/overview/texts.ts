// The texts of the start page.
import { counted } from '../ui/counted.ts';

export const overviewTexts = {
  title: 'Home',
  lead: 'What needs a decision today, and how all is.',
  review: 'To decide',
  nothing: 'Nothing waits for a decision.',
  drifted: 'Changed since they were approved',
  requests: 'People who wait for an exception',
  stoppedRollouts: 'Rollouts that stopped by themselves',
  unknownProcesses: 'Processes without a name',
  fresh: 'New this week',
  nothingNew: 'No new AI tool, MCP server or application this week.',
  alerts: 'Open alerts',
  noAlerts: 'No alert is open.',
  devices: 'Devices',
  noDevices: 'No device has enrolled yet',
  noDevicesText:
    'Make an agent token with “npm run hub -- token agent”, put the agent on a machine, and it appears here.',
  all: 'All devices',
  seenToday: 'Seen in the last 24 hours',
  stale: 'Not seen for long',
  duplicates: 'Two machines with one id',
  diverged: 'Decisions not carried out',
  unknown: 'Not reported yet',
  applying: 'Decisions on their way',
  applied: 'Hold what was decided',
  gaps: 'Something could not be looked at',
  /** `most`: the hub counts to there. */
  count: (count: number, most = Number.POSITIVE_INFINITY) =>
    `${count.toLocaleString('en-GB')}${count >= most ? '+' : ''}`,
  row: (name: string, count: string) => `${name}: ${count}`,
  total: (count: number) => counted(count, 'device', 'devices'),
} as const;
