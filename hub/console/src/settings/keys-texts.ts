// Texts of the page of keys and tokens that expire soon, and of leaked keys.
import type { LeakedKey } from '@gatewarden/shared/wire/console/leaked-keys.ts';
import { counted } from '../ui/counted.ts';
import { visibleText } from '../ui/visible.ts';

export const keysTexts = {
  title: 'Keys and tokens',
  lead: 'Expiring keys and leaked-key check.',
  kinds: {
    management_key: 'Management key',
    key: 'App key',
    log_export_key: 'Log-export key',
    agent_token: 'Device or enrollment token',
    node_token: 'Gateway node token',
    scim_token: 'SCIM token',
    mcp_token: 'MCP client sign-in',
    mcp_api_token: 'Direct MCP token',
  } satisfies Record<LeakedKey['kind'], string>,
  ending: {
    title: 'Expiring soon',
    lead: (days: number) =>
      `Keys and tokens that expire within ${days} days. With e-mail configured, their creator is notified one week and one day before, or admins if there is no creator.`,
    empty: 'Nothing expires soon',
    emptyText: 'No key or token of this organization expires in the next weeks.',
    by: 'Created by',
    nobody: 'not recorded',
    cut: (count: number) => `Showing the first ${count}. There are more.`,
    ends: 'Expires',
  },
  leaked: {
    title: 'Check for leaked keys',
    lead: 'Paste a key, a file or a log to see which keys of this organization it contains and whether they still work. Pasted text isn’t stored.',
    text: 'Text to check',
    textHint: (most: number) =>
      `Up to ${most.toLocaleString('en-GB')} characters. Only keys in the text are checked.`,
    tooLong: (count: number) =>
      `${count.toLocaleString('en-GB')} characters are too many. Check the text in parts, or use the command “hub leaked”.`,
    find: 'Check',
    found: 'Keys found',
    none: 'No Gatewarden keys found in this text.',
    kind: 'Type',
    name: 'Name',
    status: 'Status',
    statuses: {
      active: 'Active',
      expired: 'Expired',
      revoked: 'Revoked',
      unknown: 'Not yours',
    } satisfies Record<LeakedKey['status'], string>,
    unknownName: (fingerprint: string) => visibleText`unknown (${fingerprint})`,
    line: 'Line',
    used: 'Last used',
    neverUsed: 'unknown',
    open: (count: number) =>
      `${counted(count, 'key', 'keys')} still ${count === 1 ? 'works' : 'work'}.`,
    closed: 'None of these keys work anymore.',
    revoke: 'Revoke active keys',
    revokeTitle: 'Revoke these keys?',
    revokeText:
      'Requests with these keys will fail. This can’t be undone. Create new keys where they are needed.',
    revoked: 'Done. The list shows the current status.',
    notLooked: 'Couldn’t check the text',
  },
};
