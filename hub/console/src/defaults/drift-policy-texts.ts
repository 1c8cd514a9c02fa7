// Texts of the drift setting.
import { counted } from '../ui/counted.ts';

export const driftPolicyTexts = {
  title: 'Changes after approval',
  label: 'Until reviewed',
  hint: 'When an approved app is launched differently on a device or gains permissions, it needs a new review. Choose what happens on that device until then; other devices aren’t affected. Stricter policies for the device still apply.',
  policies: {
    approval: 'Keep approval',
    warn: 'Warn',
    block: 'Block',
  },
  hints: {
    approval: 'Runs, and is marked as changed.',
    warn: 'Runs. Each launch is reported as a warning.',
    block: 'Terminated on that device, except where protection rules apply.',
  },
  waiting: (applications: number, devices: number) =>
    applications === 0
      ? 'No apps need a review.'
      : `${counted(applications, 'app needs', 'apps need')} a review, on ${counted(devices, 'device', 'devices')}.`,
  submit: 'Save review setting',
  stored: 'Settings saved. Devices pick them up at their next check-in (about 1 min).',
  conflict: 'Someone else changed this setting. Discard your change to load the latest version.',
  badge: 'Held: changed since approval',
} as const;
