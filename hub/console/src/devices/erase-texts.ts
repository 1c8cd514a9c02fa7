// Texts of the erasure of a user.
import type { EraseAnswer } from '@gatewarden/shared/wire/console/device-lifecycle.ts';
import { counted } from '../ui/counted.ts';

export const eraseTexts = {
  open: 'Erase user',
  title: 'Erase this user?',
  text: 'Their devices are retired and emptied. Their events, alerts, access requests, logged calls and personal policies are deleted, and their name is overwritten in records that must be kept. This can’t be undone.',
  somebodyTitle: 'Erase a user’s data',
  somebodyText:
    'Also for users without a device or a sign-in here: all data stored under their name is erased, and you get a summary. You are asked to confirm first.',
  somebodyName: 'User ID, as devices and gateways report it (usually an e-mail address)',
  typeIt: 'Type the user ID above to confirm',
  erase: 'Erase permanently',
  failed: 'Nothing was erased',
  counts: (gone: EraseAnswer) => [
    `${counted(gone.devices, 'device', 'devices')} retired and emptied`,
    `${counted(gone.activity, 'event', 'events')} and ${counted(gone.alerts, 'alert', 'alerts')} erased`,
    `${counted(gone.decisions, 'personal policy', 'personal policies')} removed`,
    `${counted(gone.log_rows, 'logged call', 'logged calls')} and ${counted(gone.mcp_rows, 'MCP gateway record', 'MCP gateway records')} erased`,
  ],
  groupRules:
    'These device groups had rules with this user, which were cleared. Check that the rules are still correct:',
} as const;
