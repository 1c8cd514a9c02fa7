// `rotate-master-key`: every sealed text of the database under a new key, beside hubs that run.

import { SEALED_EXPORT_KEYS } from '../features/logs/export-keys/index.ts';
import { SEALED_KEYS } from '../features/management/app-keys/index.ts';
import { SEALED_INLINE, SEALED_URLS } from '../features/management/apps/index.ts';
import { SEALED_ANSWERS, SEALED_INPUTS } from '../features/management/operations/index.ts';
import { SEALED_SETTINGS } from '../features/management/providers/index.ts';
import { SEALED_AUTH, SEALED_HEADERS } from '../features/mcp/backends/index.ts';
import { SEALED_APPROVALS } from '../features/mcp/call-approvals/index.ts';
import { SEALED_EVENTS, SEALED_REPLIES } from '../features/mcp/sessions/index.ts';
import { SEALED_SESSIONS } from '../features/mcp/upstream/index.ts';
import {
  SEALED_CLIENTS,
  SEALED_CONNECTIONS,
  SEALED_GRANTS,
  SEALED_STARTS,
} from '../features/mcp/upstream-auth/index.ts';
import { SEALED_CHANNELS } from '../features/notifications/channels/index.ts';
import { ConfigError } from '../platform/config/config.ts';
import { addMasterKey, removeOldKeys } from '../platform/crypto/master-key.ts';
import { resealColumn, type SealedColumn } from '../platform/crypto/sealed-columns.ts';
import { SEALED_INSTALLATION } from '../platform/installation.ts';
import { type CommandRun, withContext } from './operator-commands.ts';

/** Every column that holds sealed texts: what is not here would not survive the end of an old key. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SEALED_INSTALLATION,
  SEALED_SETTINGS,
  SEALED_KEYS,
  SEALED_EXPORT_KEYS,
  SEALED_URLS,
  SEALED_INLINE,
  SEALED_ANSWERS,
  SEALED_INPUTS,
  ...SEALED_CHANNELS,
  SEALED_AUTH,
  SEALED_HEADERS,
  SEALED_SESSIONS,
  SEALED_REPLIES,
  SEALED_EVENTS,
  SEALED_APPROVALS,
  SEALED_CONNECTIONS,
  SEALED_CLIENTS,
  SEALED_GRANTS,
  SEALED_STARTS,
];

/**
 * Beside an embedded database it makes the new key itself; else the operator has put it first into the ring of every hub.
 * Old keys stay in the ring until `--forget-old`. Throws ConfigError where a secret opens with no key: none is forgotten
 * then.
 */
export function runRotateMasterKey(
  run: CommandRun,
  options: { forgetOld?: boolean },
): Promise<object> {
  return withContext(run, async ({ database: { db }, sealer }) => {
    const file = options.forgetOld === true ? null : addMasterKey(run.config);
    const unopened: string[] = [];
    let resealed = 0;
    for (const column of SEALED_COLUMNS) {
      const done = await resealColumn(db, sealer, column);
      resealed += done.resealed;
      unopened.push(...done.unopened);
    }
    if (unopened.length > 0) {
      throw new ConfigError(
        `${unopened.length} secrets open with no key of the ring, ${unopened[0]} the first: nothing is forgotten`,
      );
    }
    const key = sealer.currentPrefix().split('.')[1];
    if (options.forgetOld !== true) return { key, resealed, ring: file ?? 'kept by the operator' };
    const kept = removeOldKeys(run.config);
    return { key, resealed, ring: kept ?? 'take the old keys out of HUB_MASTER_KEY', forgot: true };
  });
}
