// The words of what counts for what drifted.
import { counted } from '../ui/counted.ts';

export const driftPolicyTexts = {
  title: 'What changed since it was approved',
  label: 'Until somebody has reviewed it',
  hint: 'Where an approved application is launched differently on a device, or may do more than before, it waits for a review. This is what that device does meanwhile; other devices go on as before. A stricter decision for the device is never loosened.',
  policies: {
    approval: 'What was approved goes on',
    warn: 'Warn',
    block: 'Block it',
  },
  hints: {
    approval: 'It runs, and is marked as changed.',
    warn: 'It runs, and each start is reported as a warning.',
    block: 'It is ended on that device, within the guard rails.',
  },
  waiting: (applications: number, devices: number) =>
    applications === 0
      ? 'Nothing waits for a review now.'
      : `${counted(applications, 'application waits', 'applications wait')} for a review, on ${counted(devices, 'device', 'devices')}.`,
  submit: 'Store the setting',
  stored: 'The setting is stored. Devices get it with their next poll.',
  conflict: 'Somebody else changed the setting meanwhile. Undo your change to see theirs.',
  badge: 'Held: changed since approved',
} as const;
