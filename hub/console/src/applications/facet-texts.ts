// The words of how a thing is launched and what it may do.
import { counted } from '../ui/counted.ts';

export const facetTexts = {
  launch: 'Launched with (secrets are cut)',
  permissions: 'Permissions',
  onDevices: (count: number) => `on ${counted(count, 'device', 'devices')}`,
  env: 'Variables:',
  headers: 'Headers:',
  unpinned: 'no fixed version',
  disabled: 'switched off',
  before: 'Before',
  now: 'Now',
  gone: 'It is not there any more.',
  alike: 'Only what was cut out differs: both look alike here.',
  alikeAbove: 'Only what was cut out differs from the one above.',
  otherLaunches: (count: number) =>
    `Show the ${counted(count, 'other way', 'other ways')} in which it is launched`,
  otherExecutables: (count: number) =>
    `Show the ${counted(count, 'other file', 'other files')} on all devices`,
  formerUnknown: 'How it was on this device before is not known.',
  nothingShown: 'Nothing that is shown here.',
} as const;
