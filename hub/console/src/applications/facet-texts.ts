// Texts of launches and permissions.
import { counted } from '../ui/counted.ts';

export const facetTexts = {
  launch: 'Launch command (secrets redacted)',
  permissions: 'Permissions',
  onDevices: (count: number) => `on ${counted(count, 'device', 'devices')}`,
  env: 'Environment variables:',
  headers: 'Headers:',
  unpinned: 'unpinned version',
  disabled: 'disabled',
  before: 'Before',
  now: 'Now',
  gone: 'No longer present.',
  alike: 'Only redacted values differ, so both look the same here.',
  alikeAbove: 'Only redacted values differ from the previous entry.',
  otherLaunches: (count: number) =>
    `Show ${counted(count, 'other launch command', 'other launch commands')}`,
  otherExecutables: (count: number) =>
    `Show ${counted(count, 'other file', 'other files')} on all devices`,
  formerUnknown: 'The previous state on this device is unknown.',
  nothingShown: 'No visible changes.',
} as const;
