// The words of erasing a person.
import type { EraseAnswer } from '@gatewarden/shared/wire/console/device-lifecycle.ts';
import { counted } from '../ui/counted.ts';

export const eraseTexts = {
  open: 'Erase the person',
  title: 'Erase this person?',
  text: 'Their devices are retired with all that is known of them; their activity, alerts, requests, logged calls and the decisions for them alone are taken away, and their name is overwritten where something stays. This cannot be undone.',
  somebodyTitle: 'Erase somebody from the hub',
  somebodyText:
    'Also somebody without a device or a sign-in here: all that the hub keeps under their name goes, and it says what that was. You are asked once more before anything is erased.',
  somebodyName: 'Their name, as devices and gateways send it (mostly an e-mail address)',
  typeIt: 'Type their name as it stands above',
  erase: 'Erase for good',
  failed: 'Nothing was erased',
  counts: (gone: EraseAnswer) => [
    `${counted(gone.devices, 'device', 'devices')} retired and emptied`,
    `${counted(gone.activity, 'activity row', 'activity rows')} and ${counted(gone.alerts, 'alert', 'alerts')} erased`,
    `${counted(gone.decisions, 'decision', 'decisions')} for them alone withdrawn`,
    `${counted(gone.log_rows, 'logged call', 'logged calls')} and ${counted(gone.mcp_rows, 'row of the MCP gateway', 'rows of the MCP gateway')} erased`,
  ],
  groupRules:
    'The rules of these device groups named them, and do no more. Look whether they still say what is wanted:',
} as const;
