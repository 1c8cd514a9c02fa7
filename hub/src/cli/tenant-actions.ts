// `tenant rename|suspend|resume|delete`.

import { forgetTenant } from '../app/forget-tenant.ts';
import {
  countAffected,
  deleteTenant,
  renameTenant,
  resumeTenant,
  suspendTenant,
} from '../features/people/tenants/index.ts';
import { UsageError } from '../platform/config/config.ts';
import type { Db } from '../platform/db/database.ts';
import { countTenantRows } from '../platform/db/tenant-rows.ts';
import { type CommandRun, withContext } from './operator-commands.ts';
import { findTenantNamed, type NamedTenant } from './tenants.ts';
import { requireConsent } from './terminal.ts';

export interface TenantOptions {
  tenant: string;
  yes?: boolean;
  dryRun?: boolean;
}

export interface RenameOptions {
  tenant: string;
  name: string;
}

export interface DeleteOptions extends TenantOptions {
  confirmName?: string;
}

/** Renames a tenant. */
export function runTenantRename(run: CommandRun, options: RenameOptions): Promise<object> {
  return withTenant(run, options, async (db, { tenant_id }) => {
    const { name } = await renameTenant(db, tenant_id, options.name);
    return { tenant_id, name };
  });
}

const SUSPENSION_EFFECTS = [
  'users cannot sign in, and open sessions end',
  'devices keep their last policies and queue their alerts',
  'management API, SCIM, log export, MCP gateway and gateway nodes of the tenant are refused',
];

/** Suspends a tenant after consent; with `dryRun`, returns what the suspension would affect. */
export function runTenantSuspend(run: CommandRun, options: TenantOptions): Promise<object> {
  return withTenant(run, options, async (db, { tenant_id, name }) => {
    if (options.dryRun === true) {
      const would_suspend = { tenant_id, name, ...(await countAffected(db, tenant_id)) };
      return { dry_run: true, would_suspend, effects: SUSPENSION_EFFECTS };
    }
    const question = `Suspend ${name}? Sign-in, device sync, gateways and exports are refused until it is resumed.`;
    await requireConsent(run.terminal, options, question);
    await suspendTenant(db, tenant_id, forgetTenant);
    return { tenant_id, suspended: true };
  });
}

/** Ends the suspension of a tenant. */
export function runTenantResume(run: CommandRun, options: TenantOptions): Promise<object> {
  return withTenant(run, options, async (db, { tenant_id }) => {
    await resumeTenant(db, tenant_id, forgetTenant);
    return { tenant_id, suspended: false };
  });
}

/** Deletes a tenant with all its rows; its name confirms the consent. */
export function runTenantDelete(run: CommandRun, options: DeleteOptions): Promise<object> {
  return withTenant(run, options, async (db, { tenant_id, name }) => {
    if (options.dryRun === true) {
      const would_delete = { tenant_id, name, rows: await countTenantRows(db, tenant_id) };
      return { dry_run: true, would_delete };
    }
    await requireConsent(run.terminal, options, `Delete ${name} with all its data?`);
    await requireName(run, options, name);
    const rows = await deleteTenant(db, tenant_id, {
      invalidate: forgetTenant,
      begins: (table) => run.progress?.report(`deleting rows of ${table}`),
    });
    return { tenant_id, deleted: true, rows };
  });
}

async function requireName(run: CommandRun, options: DeleteOptions, name: string): Promise<void> {
  const { terminal } = run;
  const isAsked = options.confirmName === undefined && terminal?.isInteractive === true;
  const given = isAsked
    ? await terminal.input('Enter the name of the tenant to delete it')
    : options.confirmName;
  if (given?.trim() === name) return;
  throw new UsageError(
    given === undefined
      ? '--confirm-name must repeat the name of the tenant'
      : `the name is not "${name}": nothing was deleted`,
  );
}

function withTenant<T>(
  run: CommandRun,
  { tenant }: { tenant: string },
  work: (db: Db, tenant: NamedTenant) => Promise<T>,
): Promise<T> {
  return withContext(run, async ({ database: { db } }) =>
    work(db, await findTenantNamed(db, tenant)),
  );
}
