// `sample-data load|remove`.
import { forgetTenant } from '../app/forget-tenant.ts';
import { withSampleTokens } from '../app/sample-data.ts';
import {
  createHttpSender,
  isTenantEmpty,
  loadSampleData,
  removeSampleData,
} from '../features/console/sample-data/index.ts';
import { createAdminToken } from '../features/people/identity/index.ts';
import { ConfigError } from '../platform/config/config.ts';
import { readInstallation, resolveOrigin } from '../platform/installation.ts';
import { type CommandRun, withContext } from './operator-commands.ts';
import { findTenantNamed } from './tenants.ts';
import { requireConsent } from './terminal.ts';

export interface LoadSampleOptions {
  tenant: string;
  url?: string;
}

export interface RemoveSampleOptions {
  tenant: string;
  yes?: boolean;
  dryRun?: boolean;
}

/** Loads sample data into an empty tenant of a running hub. Returns the counts. */
export function runSampleDataLoad(run: CommandRun, options: LoadSampleOptions): Promise<object> {
  return withContext(run, async (context) => {
    const { db } = context.database;
    const { tenant_id: tenantId, name } = await findTenantNamed(db, options.tenant);
    if (!(await isTenantEmpty(db, tenantId))) {
      throw new ConfigError(
        `${name} is not empty: sample data needs a tenant without devices, policies and gateway configuration`,
      );
    }
    const url = options.url ?? resolveOrigin(run.config, await readInstallation(db));
    const adminToken = await createAdminToken(db, context.sealer, {
      ...{ origin: url, tenantId, role: 'Admin' as const },
      email: 'sample-data@gatewarden.invalid',
    });
    const consoleHeaders = { authorization: `Bearer ${adminToken}` };
    const report = (step: string) => run.progress?.report(`loading ${step}`);
    const counts = await withSampleTokens(db, tenantId, (tokens) =>
      loadSampleData(
        { ...tokens, tenantId, consoleHeaders, send: createHttpSender(url) },
        { report },
      ),
    );
    return { tenant_id: tenantId, ...counts };
  });
}

/** Deletes the content of a tenant after consent. Returns the number of rows. */
export function runSampleDataRemove(
  run: CommandRun,
  options: RemoveSampleOptions,
): Promise<object> {
  return withContext(run, async ({ database: { db } }) => {
    const { tenant_id, name } = await findTenantNamed(db, options.tenant);
    if (options.dryRun === true) return { dry_run: true, would_empty: { tenant_id, name } };
    const question = `Delete all devices, policies, alerts, logs and gateway configuration of ${name}?`;
    await requireConsent(run.terminal, options, question);
    const rows = await removeSampleData(db, tenant_id, forgetTenant);
    return { tenant_id, rows };
  });
}
