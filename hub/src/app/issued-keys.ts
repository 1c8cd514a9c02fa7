// Every kind of secret that the hub issues: who is notified of its end, and the operator's command for those that leaked.

import { createReadStream } from 'node:fs';
import type { Logger } from 'pino';
import { type CommandRun, withContext } from '../cli/operator-commands.ts';
import { ISSUED_AGENT_TOKENS } from '../features/devices/enrollment/index.ts';
import { ISSUED_EXPORT_KEYS } from '../features/logs/export-keys/index.ts';
import { ISSUED_APP_KEYS } from '../features/management/app-keys/index.ts';
import { ISSUED_MANAGEMENT_KEYS } from '../features/management/keys/index.ts';
import { ISSUED_API_TOKENS, ISSUED_OAUTH_TOKENS } from '../features/mcp/access-tokens/index.ts';
import { ISSUED_NODE_TOKENS } from '../features/nodes/tokens/index.ts';
import { selectAddressees } from '../features/people/identity/index.ts';
import {
  type KeyExpiryNotices,
  startKeyExpiryNotices,
} from '../features/people/key-expiry/index.ts';
import {
  findSecretsInStream,
  isActive,
  KIND_NAMES,
  matchIssuedKeys,
  revokeLeakedKeys,
} from '../features/people/leaked-keys/index.ts';
import { ISSUED_SCIM_TOKENS } from '../features/people/scim/index.ts';
import { findTenant } from '../features/people/tenants/index.ts';
import { BY_OPERATOR } from '../platform/audit.ts';
import { type Config, ConfigError } from '../platform/config/config.ts';
import type { Db } from '../platform/db/database.ts';
import type { IssuedKind } from '../platform/issued-secrets.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';

export const ISSUED_KINDS: readonly IssuedKind[] = [
  ISSUED_MANAGEMENT_KEYS,
  ISSUED_APP_KEYS,
  ISSUED_EXPORT_KEYS,
  ISSUED_AGENT_TOKENS,
  ISSUED_NODE_TOKENS,
  ISSUED_OAUTH_TOKENS,
  ISSUED_API_TOKENS,
  ISSUED_SCIM_TOKENS,
];

/** Administrators that are notified of an end. */
const ADMINS_MAX = 20;

/** Notifies the creator of a key of its end; see features/people/key-expiry. */
export function openKeyEndings(
  { db, log, config, origin }: { db: Db; log: Logger; config: Config; origin: string },
  jobs: Jobs,
): Promise<KeyExpiryNotices> {
  return startKeyExpiryNotices(
    {
      ...{ db, log, mail: config.mail, kinds: ISSUED_KINDS },
      tenantOf: (tenantId) => findTenant(db, tenantId),
      membersOf: (tenantId) => selectAddressees(db, tenantId, ADMINS_MAX),
      keysUrlOf: (tenantId) => `${origin}/console/t/${tenantId}/settings/keys`,
    },
    jobs,
  );
}

/**
 * Finds keys of this installation, of any tenant, in a file (`-`: standard input); `revoke` revokes them.
 * `ok` is false if a key is still valid. No secret is printed. Throws ConfigError for a file that cannot be read.
 */
export function runLeaked(
  run: CommandRun,
  { file, revoke = false }: { file: string; revoke?: boolean },
): Promise<{ ok: boolean; keys: object[] }> {
  return withContext(run, async ({ database: { db } }) => {
    const source = file === '-' ? run.stdin : createReadStream(file);
    source.setEncoding('utf8');
    const found = await findSecretsInStream(source as AsyncIterable<string>).catch(
      (error: unknown) => {
        const { code } = error as NodeJS.ErrnoException;
        throw code === undefined ? error : new ConfigError(`${file} cannot be read (${code})`);
      },
    );
    const look = () => matchIssuedKeys(db, ISSUED_KINDS, null, found);
    const failed = revoke
      ? await revokeLeakedKeys(db, ISSUED_KINDS, BY_OPERATOR, await look())
      : [];
    for (const error of failed) run.log.error({ err: error }, 'a leaked key could not be ended');
    const leaks = await look();
    return {
      ok: !leaks.some(isActive),
      keys: leaks.map(({ kind, line, fingerprint, issued }) => ({
        kind: KIND_NAMES[kind],
        status: issued?.status ?? 'unknown',
        line,
        fingerprint,
        tenant_id: issued?.tenant_id ?? null,
        id: issued?.id ?? null,
        name: issued?.name ?? null,
        last_used_at: issued?.last_used_at?.toISOString() ?? null,
      })),
    };
  });
}
