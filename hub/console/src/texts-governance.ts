// Texts of device groups, default policies, previews and staged rollouts.

import type { OverrideState } from '@gatewarden/shared/wire/console/overrides.ts';
import type { Rollout } from '@gatewarden/shared/wire/console/rollouts.ts';
import { counted } from './ui/counted.ts';
import { visibleText } from './ui/visible.ts';

export const groupTexts = {
  title: 'Device groups',
  lead: 'Named sets of devices, by hand or by rule, that policies apply to.',
  search: 'Search device groups',
  searchPlaceholder: 'Name',
  empty: 'No device groups yet',
  emptyText: 'Create a group, add devices, and set policies for it.',
  create: 'New group',
  createTitle: 'New device group',
  edit: 'Edit',
  editTitle: 'Edit device group',
  remove: 'Delete',
  removeTitle: 'Delete this device group?',
  removeText: 'Its devices leave the group. A group that policies use can’t be deleted.',
  removed: 'Device group deleted.',
  stored: 'Device group saved.',
  conflict:
    'Someone else changed this group. Close this, review the latest version, and try again.',
  name: 'Name',
  nameNeeded: 'This field is required',
  description: 'Description',
  devices: 'Devices',
  changed: 'Changed',
  facts: 'Details',
  created: 'Created',
  devicesEmpty: 'No devices in this group yet.',
  added: 'Since',
  by: 'By',
  addDevice: 'Add device',
  addDevicePlaceholder: 'Type to search devices',
  add: 'Add',
  takeOut: 'Remove',
  takeOutNamed: (what: string) => visibleText`Remove ${what}`,
  deviceAdded: 'Device added. It gets the group’s policies at its next check-in.',
  deviceTakenOut: 'Device removed. It drops the group’s policies at its next check-in.',
  ofDevice: 'Groups',
  ofDeviceEmpty: 'This device isn’t in any group.',
  addToGroup: 'Add to group',
  addToGroupPlaceholder: 'Select a group',
  membership: 'Membership',
  byHand: 'Manual: devices you add',
  byRule: 'Dynamic: all devices that match a rule',
  byRuleHint: 'Devices join and leave automatically, within a minute of a change.',
  rule: 'Rule',
  ruleLead: 'A device is in the group when it meets all conditions.',
  ruleBadge: 'Dynamic',
  condition: (n: number) => `Condition ${n}`,
  field: 'Field',
  test: 'Operator',
  values: { one_of: 'Any of these', none_of: 'None of these' },
  valuesHint: '* matches any text, ? a single character. Press Enter after each value.',
  quoted: (value: string) => `“${value}”`,
  version: 'Version',
  addCondition: 'Add condition',
  dropCondition: (n: number) => `Remove condition ${n}`,
  drop: 'Remove',
  valuesNeeded: 'Enter a value for each condition',
  fields: {
    hostname: 'Host name',
    subscriber_id: 'User',
    people_group: 'User group',
    platform: 'Platform',
    os_version: 'OS version',
    arch: 'Architecture',
    agent_version: 'Agent version',
  },
  tests: {
    one_of: 'is any of',
    none_of: 'is none of',
    at_least: 'is at least',
    below: 'is below',
  },
  previewCount: (count: number) => `${counted(count, 'device matches', 'devices match')} now`,
  previewMore: (count: number) => `and ${count.toLocaleString('en-GB')} more`,
  previewFailed: 'Couldn’t preview the matching devices',
  none: 'No groups found',
  needed: 'Select a group',
  findPlaceholder: 'Type to search groups',
  gone: 'Deleted group',
  goneChoose: 'This group was deleted. Select another.',
} as const;

export const defaultTexts = {
  title: 'Default policies',
  lead: 'What happens to apps without their own policy, by type. App policies take precedence.',
  kind: 'Type',
  policy: 'Enforcement',
  policyOf: (kind: string) => `Enforcement for: ${kind}`,
  reason: 'Reason',
  reasonOf: (kind: string) => `Reason for: ${kind}`,
  noDefault: 'No default (runs)',
  packageHint: 'Packages can’t be blocked as a type: devices would stop working.',
  preview: 'Preview',
  unchanged: 'Change a policy to preview its impact.',
  loading: 'Calculating impact…',
  failed: 'Couldn’t calculate the impact',
  taken: (kind: string) => `${kind}: default removed. Apps of this type run.`,
  touched: (devices: number, stopped: number) =>
    `${counted(devices, 'device', 'devices')}; would have stopped ${counted(stopped, 'launch', 'launches')} in the last 14 days`,
  submit: 'Save changes',
  submitHint: 'Preview the impact first.',
  reset: 'Discard changes',
  stored: 'Default policies saved. Devices pick them up at their next check-in (about 1 min).',
  badge: 'Default policy',
} as const;

export const rolloutTexts = {
  button: 'Rollout',
  buttonNamed: (name: string) => visibleText`Rollout of the policy for ${name}`,
  title: 'Staged rollout',
  states: {
    running: 'Rolling out',
    paused: 'Paused',
    stopped: 'Stopped',
    done: 'Rolled out',
    reverted: 'Reverted',
  } satisfies Record<Rollout['state'], string>,
  pageLead: 'Policies that reach their devices in stages.',
  stateFilter: 'Rollout state',
  noneInState: (state: string) => `No rollout in state “${state}”`,
  pageEmptyText: 'Choose “Staged rollout” when you set a policy.',
  lead: 'Starts with a few devices and expands automatically. Stops if it exceeds your limits.',
  ring: (number: number) => `Ring ${number}`,
  percent: 'Percent of devices',
  minutes: 'Minutes',
  percentOf: (number: number) => `Percent of devices in ring ${number}`,
  minutesOf: (number: number) => `Minutes of ring ${number}`,
  addRing: 'Add ring',
  removeRing: (number: number) => `Remove ring ${number}`,
  maxBlocks: 'Stop if blocks per hour exceed',
  maxLost: 'Stop if lost devices exceed (percent)',
  limitHint: 'Leave blank for no limit.',
  start: 'Start rollout',
  started: 'Rollout started.',
  waits: 'Policy saved. It reaches no devices until you start its rollout under Policies.',
  current: (percent: number) => `${percent}% of devices`,
  next: 'Next step',
  why: 'Reason for stopping',
  by: 'By',
  pause: 'Pause',
  resume: 'Resume',
  revert: 'Revert',
  revertText: 'Reverting removes the policy from all devices. The policy itself stays saved.',
  staged: 'Staged rollout',
  stagedHint: 'Saved as a draft rollout. You choose the rings next.',
  growing: 'Each ring needs a higher percentage than the previous ring, and at least one minute.',
} as const;

export const decisionStateTexts = {
  state: 'State',
  notWithdrawn: 'All except removed',
  states: {
    withdrawn: 'Removed',
    expired: 'Expired',
    replaced: 'Superseded',
    planned: 'Scheduled',
    in_force: 'Active',
  } satisfies Record<OverrideState, string>,
} as const;

export const editConflictTexts = {
  meanwhileTitle: 'Someone else set a policy for this',
  meanwhileText:
    'Your policy wasn’t saved, and your input is still here. Review the current policy, then apply yours again to replace it.',
  meanwhileMineTitle: 'You already set a policy for this',
  meanwhileMineText:
    'The policy below comes from another tab, or from an earlier try without a response. Nothing else was saved, and your input is still here. Apply it again to continue anyway.',
  meanwhileGone: 'Their policy was removed again. No policy is active now.',
} as const;

export const previewTexts = {
  title: 'Preview',
  waiting: 'Complete the policy to preview its impact.',
  loading: 'Calculating impact…',
  failed: 'Couldn’t calculate the impact',
  nobody:
    'No device has this app or runs this program at present. The policy applies to devices that match later.',
  devices: (count: number) => counted(count, 'device', 'devices'),
  people: (count: number) => counted(count, 'user', 'users'),
  /** A program on a device is one, however many processes of it run there. */
  processes: (count: number) => counted(count, 'running program', 'running programs'),
  /** Some devices do not report what runs. */
  seenEarlier: 'seen in the last 14 days',
  atLeast: 'Partial results: actual counts may be higher.',
  unhashed: (count: number) =>
    `${counted(count, 'running program has', 'running programs have')} no known file hash, so we can’t tell whether they match.`,
  protectedBy: (rail: string) => visibleText`protected (${rail}): won’t be terminated`,
  ends: (count: number) =>
    `${counted(count, 'program', 'programs')} seen on devices would be terminated.`,
  on: 'on',
  more: (count: number) => `and ${count.toLocaleString('en-GB')} more`,
  becomes: 'becomes',
  standing: (count: number) =>
    count === 1
      ? 'A policy for the same scope already exists:'
      : `${count} policies for the same scope already exist:`,
  strictest:
    'For the same scope, the most specific policy applies, then the strictest. Remove the policies that should no longer apply.',
  elsewhere: (count: number) =>
    count === 1
      ? 'Another policy for this app exists, with a different scope:'
      : `${count.toLocaleString('en-GB')} other policies for this app exist, with different scopes:`,
  showDecision: 'Show policy',
  groups: (count: number) => counted(count, 'device group', 'device groups'),
  inGroup: (count: number) => counted(count, 'device in it', 'devices in it'),
  activity: (count: number) =>
    `${counted(count, 'launch', 'launches')} would have been stopped in the last 14 days`,
  times: (count: number, devices: number) =>
    `${counted(count, 'time', 'times')} on ${counted(devices, 'device', 'devices')}`,
  overruled:
    'Other policies take precedence: they are more specific, have a narrower scope, or are stricter.',
  overruledOn: (devices: number) => `on ${counted(devices, 'device', 'devices')}`,
  defaultOf: (kind: string) => `Default policy for: ${kind}`,
} as const;
