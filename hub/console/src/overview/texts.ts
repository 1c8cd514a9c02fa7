// Texts of the start page.
import type { SetupStep } from '@gatewarden/shared/wire/console/setup-steps.ts';
import { counted } from '../ui/counted.ts';

export const overviewTexts = {
  title: 'Home',
  lead: 'What needs your attention, and the state of your fleet.',
  review: 'Needs review',
  nothing: 'You’re all caught up. Nothing to review.',
  drifted: 'Changed since approval',
  requests: 'Pending access requests',
  stoppedRollouts: 'Rollouts paused automatically',
  unknownProcesses: 'Unidentified processes',
  fresh: 'New this week',
  nothingNew: 'No new AI tools, MCP servers or apps this week.',
  alerts: 'Open alerts',
  noAlerts: 'No open alerts',
  devices: 'Devices',
  noDevices: 'No devices yet',
  noDevicesText: 'Install the agent on a device to start discovering apps.',
  all: 'All devices',
  deviceBar: (total: number) => `${counted(total, 'device', 'devices')} by policy state`,
  states: {
    applied: 'Policies up to date',
    applying: 'Policies pending',
    diverged: 'Policy drift',
    unknown: 'Not reported yet',
  },
  seenToday: 'Seen in the last 24 hours',
  stale: 'Offline',
  duplicates: 'Duplicate device IDs',
  gaps: 'Scan errors',
  /** `most`: the limit of the hub's count. */
  count: (count: number, most = Number.POSITIVE_INFINITY) =>
    `${count.toLocaleString('en-GB')}${count >= most ? '+' : ''}`,
  row: (name: string, count: string) => `${name}: ${count}`,
  total: (count: number) => counted(count, 'device', 'devices'),
} as const;

/** Texts of the bar of all apps by policy. */
export const stepTexts = {
  title: 'Apps by policy',
  bar: (total: number) => `${counted(total, 'app', 'apps')} by policy`,
  custom: (count: number) =>
    `${counted(count, 'app has', 'apps have')} a custom policy and ${count === 1 ? 'counts' : 'count'} in the nearest step.`,
  table: 'Show numbers',
  category: 'Type',
  total: 'All',
  count: (count: number) => count.toLocaleString('en-US'),
} as const;

/** Texts of the lists of products. */
export const productListTexts = {
  newest: 'New products',
  category: 'Type',
  all: 'See all',
  top: { ai_tool: 'Top AI tools', mcp_server: 'Top MCP servers' },
  allOf: { ai_tool: 'See all AI tools', mcp_server: 'See all MCP servers' },
  none: { ai_tool: 'No AI tools discovered yet', mcp_server: 'No MCP servers discovered yet' },
  approve: (name: string) => `Approve ${name}`,
  block: (name: string) => `Block ${name}`,
} as const;

/** Texts of the setup checklist. */
export const setupTexts = {
  title: 'Set up Gatewarden',
  progress: (done: number, all: number) => `${done} of ${all} steps done`,
  hide: 'Hide in this browser',
  done: 'Done:',
  steps: {
    device: 'Add your first device',
    policy: 'Set your first policy',
    notification_channel: 'Add a notification channel',
    provider: 'Connect an LLM provider',
    app_key: 'Create an app and its key',
    request: 'Send the first LLM request',
    mcp_server: 'Publish an MCP server',
    colleague: 'Invite a colleague',
  } satisfies Record<SetupStep, string>,
} as const;

/** Texts of sample data on Home. */
export const sampleTexts = {
  offer: 'Look around with sample data',
  offerText:
    'Fill this organization with 60 devices, policies, alerts and 15 days of gateway logs. You can remove them at any time.',
  load: 'Load sample data',
  loaded: 'Sample data loaded.',
  conflict: 'This organization has data already. Reload the page.',
  present: 'Sample data',
  presentText: 'This organization has sample data. No agent runs on its devices.',
  remove: 'Remove sample data',
  removeTitle: 'Remove sample data?',
  removeText: (others: number) =>
    `All devices, policies, alerts, logs and gateway configuration of this organization are deleted${others > 0 ? `, also ${counted(others, 'device', 'devices')} outside the sample data` : ''}. Users, settings and the audit log stay.`,
  removed: 'Sample data removed.',
} as const;

/** Texts of the tiles with trends. */
export const trendTexts = {
  title: 'Trends',
  names: {
    ai_tools: 'AI tools',
    mcp_servers: 'MCP servers',
    devices_online: 'Devices online',
    open_alerts: 'Open alerts',
    spend: 'LLM spend, 15 days',
  },
  soon: 'The trend starts tomorrow.',
  table: 'Show numbers',
  tableLabel: (name: string) => `Show numbers: ${name} by day`,
  tableTitle: (name: string) => `${name} by day`,
  day: 'Day',
} as const;
