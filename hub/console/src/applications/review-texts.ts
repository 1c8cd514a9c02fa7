// Texts of the app review: shortcuts, selection, bulk policies, downloads and saved views.

import { counted } from '../ui/counted.ts';
import { visibleText } from '../ui/visible.ts';

export const reviewTexts = {
  changed: 'Changed',
  changedNames: { true: 'Changed since approval', false: 'Not changed since approval' },
  fresh: 'New',
  freshNames: { week: 'This week' },
  decidedByName: 'by name',
  decidedByNameOf: (name: string) => visibleText`The policy that covers ${name} by name`,
  select: (name: string) => visibleText`Select ${name}`,
  selected: (count: number) => `${counted(count, 'app', 'apps')} selected`,
  similarTo: (name: string) => visibleText`Similar to ${name}:`,
  similarTitle: 'Similar',
  similarNone: 'No similar apps.',
  add: (name: string, platform: string, source: string) =>
    visibleText`+ ${name} (${platform}, ${source})`,
  addAll: (count: number) => `Add all ${count}`,
  likeness: {
    same_name: 'same name',
    same_launch: 'same launch command',
    same_publisher: 'same publisher',
  },
  bulkTitle: 'Review selected apps',
  bulkWaiting: 'Choose an approval and a scope to preview the impact.',
  bulkLoading: 'Calculating impact…',
  touches: (devices: string, people: string) => `Affects ${devices} of ${people}.`,
  devices: (count: number) => counted(count, 'device', 'devices'),
  people: (count: number) => counted(count, 'user', 'users'),
  processes: (count: number) => counted(count, 'running program', 'running programs'),
  ended: (count: number) => `${counted(count, 'program', 'programs')} would be terminated.`,
  guarded: (count: number) =>
    count === 1
      ? '1 program is protected and won’t be terminated.'
      : `${count.toLocaleString('en-GB')} programs are protected and won’t be terminated.`,
  atOnce: 'Applies to all of these devices at their next check-in.',
  inStages: 'Impact after the full rollout. Each policy is rolled out in the stages above.',
  stagedHint: 'Each app gets its own rollout, which stops automatically if it exceeds your limits.',
  stopped: (count: number) =>
    `Would have stopped ${counted(count, 'launch', 'launches')} in the last 14 days.`,
  overruled: (count: number) =>
    `Other policies take precedence for ${counted(count, 'app', 'apps')}.`,
  changes: (count: number) => `Changes the policy of ${counted(count, 'app', 'apps')}.`,
  atLeast: 'Partial results: actual counts may be higher.',
  store: (count: number) => `Apply policy to ${counted(count, 'app', 'apps')}`,
  stored: (count: number) => `Policy applied to ${counted(count, 'app', 'apps')}.`,
  failed: 'Couldn’t set a policy for these apps',
  undo: 'Undo',
  undone: (count: number) => (count === 1 ? 'Change undone.' : `All ${count} changes undone.`),
  notUndone: (failed: number, all: number, cause: string) =>
    all === 1
      ? `Couldn’t undo: ${cause}`
      : `${all - failed} of ${all} undone, ${failed} failed: ${cause}`,
  undoOvertaken: 'someone else changed the policy.',
  keys: 'Shortcuts',
  keysTitle: 'Keyboard shortcuts',
  keyList: [
    ['j', 'Next app'],
    ['k', 'Previous app'],
    ['x', 'Select'],
    ['a', 'Approve this app or the selection (with preview)'],
    ['b', 'Block this app or the selection (with preview)'],
    ['Enter', 'Open'],
    ['?', 'Show this help'],
  ],
} as const;
