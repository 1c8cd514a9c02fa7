// The words of what is done with a device as such.

import type { DeviceState } from '@gatewarden/shared/wire/console/devices.ts';
import { counted } from '../ui/counted.ts';
import { visible } from '../ui/visible.ts';

export const deviceTexts = {
  seen: 'Seen',
  seenNames: { today: 'In the last 24 hours' },
  coverageNames: { gaps: 'Something could not be looked at' },
  processes: 'What runs',
  processesEmpty: 'Nothing is known of what runs on this device.',
  notTold: 'This device does not tell what runs.',
  toldAt: 'As it told',
  program: 'Program',
  times: 'Times',
  since: 'Since',
  rail: 'Protected',
  decisions: 'Decided and in force here',
  decisionsEmpty: 'Nothing is decided for this device: everything may run.',
  applied: 'Held by the device',
  appliedStates: { yes: 'Yes', no: 'Not yet', unknown: 'Not known' },
  alerts: 'Alerts',
  alertsEmpty: 'No alert came from this device.',
  allAlerts: 'All alerts of this device',
  allActivity: 'All activity of this device',
  state: 'State',
  present: 'All but retired',
  states: {
    active: 'Active',
    stale: 'Stale',
    duplicate: 'Two machines with one id',
    retired: 'Retired',
  } satisfies Record<DeviceState, string>,
  twoMachines: 'Two machines',
  duplicates: (count: number) =>
    `${counted(count, 'device id is', 'device ids are')} used by two machines each.`,
  staleOf: (count: number, all: number) =>
    `${count.toLocaleString('en-GB')} of ${counted(all, 'device was', 'devices were')} not seen for a long time.`,
  show: { duplicate: 'Show doubled ids', stale: 'Show stale devices' },
  solved: 'Solved: one machine now',
  solvedDone: 'The mark is gone. If two machines go on to use the id, it comes back.',
  actions: 'Manage this device',
  scan: 'Scan now',
  scanAsked: 'The device scans with its next poll.',
  move: 'Move to another person',
  moveText:
    'The device, its token and its history belong to the new person from now on. Its agent must be configured for them.',
  person: 'Person',
  moved: 'The device was moved.',
  selected: (count: number) => `${counted(count, 'device', 'devices')} selected`,
  select: (hostname: string) => `Select ${visible(hostname)}`,
  clearSelection: 'Clear selection',
  retireSelected: 'Retire selected',
  retireSelectedTitle: (count: number) =>
    count === 1 ? 'Retire this device?' : `Retire ${count} devices?`,
  retiredSelected: 'The selected devices are retired.',
  retire: 'Retire',
  retireTitle: 'Retire this device?',
  retireText:
    'Its inventory and its tokens are taken away. It may do nothing any more, whatever token it sends, until it is admitted again. Its activity and alerts stay.',
  retired: 'The device was retired.',
  retiredSince: 'Retired',
  admit: 'Admit again',
  admitted: 'The device may enrol again.',
  failed: 'That did not work',
  stale: 'Stale',
  claimed:
    'A machine that has this id, but not its token, was refused. A cloned machine needs an id of its own: empty the data folder of its agent. Is it this machine, which lost its token, retire it and admit it again.',
  claims: 'It says of itself:',
  duplicate:
    'Two machines seem to use this id: it calls itself in turns by different names, or its scans are counted in two series. Give a cloned machine an id of its own by emptying the data folder of its agent.',
} as const;
