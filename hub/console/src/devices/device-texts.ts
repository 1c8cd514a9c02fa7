// Texts of devices and of actions on them.

import type { DeviceState } from '@gatewarden/shared/wire/console/devices.ts';
import { counted } from '../ui/counted.ts';
import { visible } from '../ui/visible.ts';

export const deviceTexts = {
  seen: 'Last seen',
  seenNames: { today: 'In the last 24 hours' },
  coverageNames: { gaps: 'Scan errors' },
  processes: 'Running programs',
  processesEmpty: 'No running programs reported for this device.',
  notReported: 'This device doesn’t report running programs.',
  reportedAt: 'As of',
  program: 'Program',
  times: 'Instances',
  since: 'Since',
  rail: 'Protected',
  decisions: 'Active policies',
  decisionsEmpty: 'No policies on this device. Everything may run.',
  applied: 'Applied',
  appliedStates: { yes: 'Yes', no: 'Not yet', unknown: 'Unknown' },
  alerts: 'Alerts',
  alertsEmpty: 'No alerts from this device.',
  allAlerts: 'All alerts of this device',
  allActivity: 'All events of this device',
  state: 'State',
  present: 'All except retired',
  states: {
    active: 'Active',
    stale: 'Offline',
    duplicate: 'Duplicate ID',
    retired: 'Retired',
  } satisfies Record<DeviceState, string>,
  twoMachines: 'Duplicate ID',
  duplicates: (count: number) =>
    `${counted(count, 'device ID is', 'device IDs are')} used by more than one device.`,
  staleCount: (count: number, all: number) =>
    `${count.toLocaleString('en-GB')} of ${counted(all, 'device', 'devices')} offline.`,
  show: { duplicate: 'Show duplicate IDs', stale: 'Show offline devices' },
  solved: 'Mark as resolved',
  solvedDone: 'Marked as resolved. If two devices keep using this ID, the warning returns.',
  actions: 'Manage device',
  scan: 'Scan now',
  scanAsked: 'Scan requested. It starts at the device’s next check-in.',
  move: 'Change owner',
  moveText:
    'The device, its token and its history move to the new user. Configure its agent for that user.',
  person: 'User',
  moved: 'Owner changed.',
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
    'Its inventory and tokens are deleted, and the hub rejects it until it is re-enrolled. Its events and alerts are kept.',
  retired: 'Device retired.',
  retiredSince: 'Retired',
  admit: 'Allow re-enrollment',
  admitted: 'The device can enroll again.',
  failed: 'Something went wrong',
  stale: 'Offline',
  claimed:
    'A device with this ID but without its token was rejected. If it is a clone, delete the agent’s data folder on it so that it gets its own ID. If it is this device and it lost its token, retire it and allow re-enrollment.',
  claims: 'Reported by that device:',
  duplicate:
    'Two devices seem to use this ID: their host names or scan numbers alternate. Delete the agent’s data folder on the cloned device so that it gets its own ID.',
} as const;
