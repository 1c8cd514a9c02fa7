// Texts of device groups, default policies, previews and staged rollouts.

import type { OverrideState } from '@gatewarden/shared/wire/console/overrides.ts';
import type { Rollout } from '@gatewarden/shared/wire/console/rollouts.ts';
import { counted } from './ui/counted.ts';
import { said } from './ui/visible.ts';

export const groupTexts = {
  title: 'Device groups',
  lead: 'Named sets of devices, by hand or by rule, that policies apply to.',
  search: 'Search device groups',
  searchPlaceholder: 'Name',
  empty: 'There is no device group yet',
  emptyText: 'Make one, put devices in, and decide for it like for a device.',
  create: 'New group',
  createTitle: 'New device group',
  edit: 'Change',
  editTitle: 'Change the device group',
  remove: 'Delete',
  removeTitle: 'Delete this device group?',
  removeText: 'Its devices leave it. A group that decisions hold for cannot be deleted.',
  removed: 'The device group is deleted.',
  stored: 'The device group is stored.',
  conflict:
    'Somebody else changed this group while you looked at it. Close, look again, and repeat.',
  name: 'Name',
  nameNeeded: 'This is needed',
  description: 'Description',
  devices: 'Devices',
  changed: 'Changed',
  facts: 'Facts',
  created: 'Made',
  devicesEmpty: 'No device is in this group yet.',
  added: 'Since',
  by: 'By',
  addDevice: 'Add a device',
  addDevicePlaceholder: 'Type to find a device',
  add: 'Add',
  takeOut: 'Take out',
  takeOutNamed: (what: string) => said`Take out ${what}`,
  deviceAdded: 'The device is in the group. It gets the group’s decisions with its next poll.',
  deviceTakenOut: 'The device left the group. It drops the group’s decisions with its next poll.',
  ofDevice: 'Groups',
  ofDeviceEmpty: 'This device is in no group.',
  addToGroup: 'Add to a group',
  addToGroupPlaceholder: 'Choose a group',
  membership: 'Who is in it',
  byHand: 'Devices that people put in',
  byRule: 'Every device that fits a rule',
  byRuleHint: 'Devices join and leave by themselves, within a minute of a change.',
  rule: 'Rule',
  ruleLead: 'In the group is each device for which all of these hold.',
  ruleBadge: 'By rule',
  condition: (n: number) => `Condition ${n}`,
  field: 'What',
  test: 'Is',
  values: { one_of: 'One of these', none_of: 'None of these' },
  valuesHint: '* stands for any letters, ? for one. Enter after each.',
  quoted: (value: string) => `“${value}”`,
  version: 'Version',
  addCondition: 'Add a condition',
  dropCondition: (n: number) => `Leave out condition ${n}`,
  drop: 'Leave out',
  valuesNeeded: 'Each condition needs a value',
  fields: {
    hostname: 'Host name',
    subscriber_id: 'Person',
    people_group: 'Group of the person',
    platform: 'Platform',
    os_version: 'Version of the system',
    arch: 'Architecture',
    agent_version: 'Version of the agent',
  },
  tests: {
    one_of: 'one of',
    none_of: 'none of',
    at_least: 'at least',
    below: 'below',
  },
  previewCount: (count: number) => `${counted(count, 'device fits', 'devices fit')} now`,
  previewMore: (count: number) => `and ${count.toLocaleString('en-GB')} more`,
  previewFailed: 'Whom this takes in could not be told',
  none: 'No group found',
  needed: 'Choose a group',
  findPlaceholder: 'Type to find a group',
  gone: 'A group that was deleted',
  goneChoose: 'This group was deleted meanwhile: choose another.',
} as const;

export const defaultTexts = {
  title: 'Default policies',
  lead: 'What devices do with things that nobody decided about, by kind. Any decision about a thing itself goes before.',
  kind: 'Kind',
  policy: 'What devices do',
  policyOf: (kind: string) => `What devices do with: ${kind}`,
  reason: 'Reason',
  reasonOf: (kind: string) => `Reason for: ${kind}`,
  noDefault: 'No default: runs',
  packageHint: 'Packages cannot be blocked as a kind: a device would not run.',
  preview: 'Preview',
  unchanged: 'Change a policy to see whom it touches.',
  loading: 'Looking whom this touches…',
  failed: 'The preview could not be made',
  taken: (kind: string) => `${kind}: the default goes, what is of this kind runs.`,
  touched: (devices: number, stopped: number) =>
    `${counted(devices, 'device', 'devices')}; it would have stopped ${counted(stopped, 'process start', 'process starts')} in the last 14 days`,
  submit: 'Store the default policies',
  submitHint: 'Available once the preview is shown.',
  reset: 'Undo my changes',
  stored: 'The default policies are stored. Devices get them with their next poll.',
  badge: 'Default policy',
} as const;

export const rolloutTexts = {
  button: 'Rollout',
  buttonNamed: (name: string) => said`Rollout of the decision about ${name}`,
  title: 'Staged rollout',
  states: {
    running: 'Rolling out',
    paused: 'Paused',
    stopped: 'Stopped',
    done: 'Rolled out',
    reverted: 'Taken back',
  } satisfies Record<Rollout['state'], string>,
  pageLead: 'Policies that reach their devices in stages.',
  stateFilter: 'Rollout state',
  noneInState: (state: string) => `No rollout in state “${state}”`,
  pageEmptyText: 'Choose “Staged rollout” when you set a policy.',
  lead: 'Begins with few devices and goes on by itself. It stops where it does more than you allow.',
  ring: (number: number) => `Ring ${number}`,
  percent: 'Percent of devices',
  minutes: 'Minutes',
  percentOf: (number: number) => `Percent of devices in ring ${number}`,
  minutesOf: (number: number) => `Minutes of ring ${number}`,
  addRing: 'Add a ring',
  removeRing: (number: number) => `Remove ring ${number}`,
  maxBlocks: 'Stop at more blocks in an hour than',
  maxLost: 'Stop at more lost devices than (percent)',
  limitHint: 'Leave empty to watch nothing.',
  start: 'Start the rollout',
  started: 'The rollout has started.',
  waits:
    'The decision is stored and reaches 0% of devices until its rollout is started from Decisions.',
  current: (percent: number) => `${percent}% of devices now`,
  next: 'Next step',
  why: 'Why it stopped',
  by: 'By',
  pause: 'Pause',
  resume: 'Go on',
  revert: 'Take back',
  revertText: 'Taking it back makes the decision hold for no device; it stays stored.',
  staged: 'Begin with few devices',
  stagedHint: 'The decision is stored for nobody at first; you choose the rings next.',
  growing: 'Each ring needs a greater percentage than the one before, and at least a minute.',
} as const;

export const decisionStateTexts = {
  state: 'State',
  notWithdrawn: 'All that are not withdrawn',
  states: {
    withdrawn: 'Withdrawn',
    expired: 'Ended',
    replaced: 'Overtaken by another',
    planned: 'Planned',
    in_force: 'In force',
  } satisfies Record<OverrideState, string>,
} as const;

export const meanwhileTexts = {
  meanwhileTitle: 'Somebody else decided about this meanwhile',
  meanwhileText:
    'Nothing of yours was stored, and your input is kept. Look at what stands now; store again to decide all the same.',
  meanwhileMineTitle: 'You decided about this already',
  meanwhileMineText:
    'It stands as below: from another page of yours, or from a try whose answer did not come. Nothing more was stored, and your input is kept. Store again to decide all the same.',
  meanwhileGone: 'What they decided was withdrawn again: nothing stands now.',
} as const;

export const previewTexts = {
  title: 'Preview',
  waiting: 'Complete the form to see whom this touches.',
  loading: 'Looking whom this touches…',
  failed: 'The preview could not be made',
  nobody: 'This touches no device at the moment. It will apply to devices that match later.',
  devices: (count: number) => counted(count, 'device', 'devices'),
  people: (count: number) => counted(count, 'person', 'people'),
  /** A program on a device is one, however many processes of it run there. */
  processes: (count: number) => counted(count, 'running program', 'running programs'),
  /** Some devices do not report what runs. */
  seenEarlier: 'seen in the last 14 days',
  atLeast: 'There is more than was looked at: these counts are the least.',
  unhashed: (count: number) =>
    `Of ${counted(count, 'running program', 'running programs')} nobody knows the file’s hash: whether they are meant is not known.`,
  protectedBy: (rail: string) => said`protected (${rail}): will not be ended`,
  ends: (count: number) =>
    `${counted(count, 'program', 'programs')} seen on devices would be ended.`,
  on: 'on',
  more: (count: number) => `and ${count.toLocaleString('en-GB')} more`,
  becomes: 'becomes',
  standing: (count: number) =>
    count === 1
      ? 'A decision for the same scope stands already:'
      : `${count} decisions for the same scope stand already:`,
  strictest:
    'Of several for the same scope the one that names it most exactly counts, and of those the strictest; withdraw what is to count no more.',
  elsewhere: (count: number) =>
    count === 1
      ? 'Another decision about this exists, for another scope:'
      : `${count.toLocaleString('en-GB')} other decisions about this exist, for other scopes:`,
  showDecision: 'Show the decision',
  groups: (count: number) => counted(count, 'device group', 'device groups'),
  inGroup: (count: number) => counted(count, 'device of it', 'devices of it'),
  activity: (count: number) =>
    `${counted(count, 'process start', 'process starts')} it would have stopped in the last 14 days`,
  times: (count: number, devices: number) =>
    `${counted(count, 'time', 'times')} on ${counted(devices, 'device', 'devices')}`,
  overruled:
    'Other decisions go before this one: they name the thing more exactly, stand nearer, or are stricter where both say as much.',
  overruledOn: (devices: number) => `on ${counted(devices, 'device', 'devices')}`,
  defaultOf: (kind: string) => `Default policy for: ${kind}`,
} as const;
