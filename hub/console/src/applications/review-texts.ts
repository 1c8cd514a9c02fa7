// Texts of reviewing many applications: keys, selection, deciding together, downloads and saved views.

import { counted } from '../ui/counted.ts';
import { said } from '../ui/visible.ts';

export const reviewTexts = {
  changed: 'Changed',
  changedNames: { true: 'Since it was approved', false: 'Not since it was approved' },
  fresh: 'New',
  freshNames: { week: 'This week' },
  decidedByName: 'by its name',
  decidedByNameOf: (name: string) => said`The decision that covers ${name} by its name`,
  select: (name: string) => said`Select ${name}`,
  selected: (count: number) => `${counted(count, 'application', 'applications')} selected`,
  similarTo: (name: string) => said`Like ${name}:`,
  similarTitle: 'Similar',
  similarNone: 'Nothing like it was found.',
  add: (name: string, platform: string, source: string) => said`+ ${name} (${platform}, ${source})`,
  addAll: (count: number) => `Add all ${count}`,
  likeness: {
    same_name: 'the same name',
    same_launch: 'launches the same',
    same_publisher: 'of the same publisher',
  },
  clear: 'Clear the selection',
  decideTogether: 'Decide together…',
  bulkTitle: 'Decide about all that is selected',
  bulkWaiting: 'Choose an approval, and for whom it holds, to see whom this touches.',
  bulkLoading: 'Looking whom this touches…',
  touches: (devices: string, people: string) => `Together they touch ${devices} of ${people}.`,
  devices: (count: number) => counted(count, 'device', 'devices'),
  people: (count: number) => counted(count, 'person', 'people'),
  processes: (count: number) => counted(count, 'running program', 'running programs'),
  ended: (count: number) => `${counted(count, 'program', 'programs')} would be ended.`,
  guarded: (count: number) =>
    count === 1
      ? 'One program is protected by a guard rail, and would not be ended.'
      : `${count.toLocaleString('en-GB')} programs are protected by guard rails, and would not be ended.`,
  atOnce: 'It reaches all of these devices with their next poll.',
  inStages: 'This is what it comes to in the end: each is rolled out in the stages above.',
  stagedHint: 'Each application gets a rollout of its own, which stops by itself.',
  stopped: (count: number) =>
    `In the last 14 days it would have stopped ${counted(count, 'start', 'starts')}.`,
  overruled: (count: number) =>
    `Other decisions go before this for ${counted(count, 'application', 'applications')}.`,
  atLeast: 'There is more than was looked at: these counts are the least.',
  store: (count: number) => `Decide about ${counted(count, 'application', 'applications')}`,
  stored: (count: number) => `Decided about ${counted(count, 'application', 'applications')}.`,
  failed: 'These were not decided',
  undo: 'Undo',
  undone: (count: number) =>
    count === 1 ? 'The decision is taken back.' : `All ${count} decisions are taken back.`,
  notUndone: (failed: number, all: number, cause: string) =>
    all === 1
      ? `It could not be taken back: ${cause}`
      : `${all - failed} of ${all} were taken back, ${failed} could not be: ${cause}`,
  undoOvertaken: 'somebody changed it meanwhile.',
  keys: 'Keys',
  keysTitle: 'Keys of this list',
  keyList: [
    ['j', 'Next application'],
    ['k', 'Previous application'],
    ['x', 'Select it'],
    ['a', 'Approve it, or what is selected: the preview comes first'],
    ['b', 'Block it, or what is selected: the preview comes first'],
    ['Enter', 'Open it'],
    ['?', 'This help'],
  ],
  quickTitle: 'Decide',
  views: 'Saved views',
  noView: 'Choose a view',
  viewName: 'Name of the view',
  saveView: 'Save this view',
  viewSaved: 'The view is saved for you.',
  viewDeleted: 'The view is deleted.',
  viewTaken: 'You have a view of this name: it will show what is filtered now.',
  viewLost: (filters: readonly string[]) =>
    said`This view has a filter that the list no longer knows (${filters.join(', ')}), so it shows more than it did. Save it anew.`,
  deleteView: (name: string) => said`Delete the view ${name}`,
} as const;
