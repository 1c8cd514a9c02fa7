// The texts of the page on keys and tokens: those that end soon, and those that leaked.
import type { LeakedKey } from '@gatewarden/shared/wire/console/leaked-keys.ts';
import { counted } from '../ui/counted.ts';
import { said } from '../ui/visible.ts';

export const keysTexts = {
  title: 'Keys and tokens',
  lead: 'Keys of this organisation that end soon, and those that stand in a text that somebody found.',
  kinds: {
    management_key: 'Management key',
    key: 'Gateway key of an app',
    log_export_key: 'Log-export key',
    agent_token: 'Device or enrolment token',
    node_token: 'Token of a gateway node',
    scim_token: 'Token of a directory',
    mcp_token: 'Sign-in of an MCP client',
    mcp_api_token: 'Direct MCP token',
  } satisfies Record<LeakedKey['kind'], string>,
  ending: {
    title: 'Ending soon',
    lead: (days: number) =>
      `What ends within ${days} days. Where the hub sends mail, who made a key is told a week and a day before; administrators are where that person is gone, or where nobody is recorded, as of enrolment tokens.`,
    empty: 'Nothing ends soon',
    emptyText: 'No key or token of this organisation ends in the next weeks.',
    by: 'Made by',
    nobody: 'not recorded',
    cut: (count: number) => `These are the first ${count} to end; there are more.`,
    ends: 'Ends',
  },
  leaked: {
    title: 'Found somewhere',
    lead: 'Paste what was found, a key or the whole file or log around it, to see which keys of this organisation stand in it and whether they still work. What you paste is not kept.',
    text: 'What was found',
    textHint: (most: number) =>
      `Up to ${most.toLocaleString('en-GB')} characters. Nothing but the keys in it is looked at.`,
    tooLong: (count: number) =>
      `${count.toLocaleString('en-GB')} characters are too many for one look: take it in parts, or give the file to the hub’s command “leaked”.`,
    find: 'Look for keys',
    found: 'Keys in it',
    none: 'No key of a Gatewarden hub stands in this text.',
    kind: 'Kind',
    name: 'Name',
    status: 'Status',
    statuses: {
      active: 'Works',
      expired: 'Expired',
      revoked: 'Revoked',
      unknown: 'None of yours',
    } satisfies Record<LeakedKey['status'], string>,
    unknownName: (fingerprint: string) => said`not known here (${fingerprint})`,
    line: 'Line',
    used: 'Last used',
    neverUsed: 'not known',
    open: (count: number) =>
      `${counted(count, 'key', 'keys')} of these still ${count === 1 ? 'works' : 'work'}.`,
    closed: 'None of these opens anything any more.',
    revoke: 'Revoke those that work',
    revokeTitle: 'Revoke these keys?',
    revokeText:
      'Whatever uses them is refused from its next request on, and there is no way back: issue new ones where they are needed.',
    revoked: 'It is done; the list says what stands.',
    notLooked: 'The text could not be looked at',
  },
};
