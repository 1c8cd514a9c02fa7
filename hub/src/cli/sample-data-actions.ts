// `sample-data load|remove`.

import {
  isTenantEmpty,
  loadSampleData,
  removeSampleData,
  type SampleTarget,
} from '../features/console/sample-data/index.ts';
import { createAgentToken } from '../features/devices/enrollment/index.ts';
import { createNodeToken, revokeNodeToken } from '../features/nodes/tokens/index.ts';
import { createAdminToken } from '../features/people/identity/index.ts';
import { ConfigError } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { readInstallation, resolveOrigin } from '../platform/installation.ts';
import { type CommandRun, withContext } from './operator-commands.ts';
import { forgetTenant } from './tenant-actions.ts';
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

const TOKEN_NAME = 'Sample data';
const TOKEN_LIFETIME_MS = 3_600_000;

/** Loads sample data into an empty tenant of a running hub. Returns the counts. */
export function runSampleDataLoad(run: CommandRun, options: LoadSampleOptions): Promise<object> {
  return withContext(run, async (context) => {
    const { db } = context.database;
    const { tenant_id: tenantId, name } = await findTenantNamed(db, options.tenant);
    if (!(await isTenantEmpty(db, tenantId))) {
      throw new ConfigError(`${name} is not empty: sample data needs a tenant without devices`);
    }
    const url = options.url ?? resolveOrigin(run.config, await readInstallation(db));
    const { target, nodeTokenId } = await createTarget(context, url, tenantId);
    const report = (step: string) => run.progress?.report(`loading ${step}`);
    try {
      return { tenant_id: tenantId, ...(await loadSampleData(target, { report })) };
    } finally {
      await revokeNodeToken(db, nodeTokenId);
    }
  });
}

async function createTarget({ database: { db }, sealer }: Context, url: string, tenantId: string) {
  const { token: agentToken } = await createAgentToken(db, {
    tenantId,
    name: TOKEN_NAME,
    expiresAt: new Date(Date.now() + TOKEN_LIFETIME_MS),
    enrolOnly: true,
  });
  const node = await createNodeToken(db, { name: TOKEN_NAME, tenantId });
  const adminToken = await createAdminToken(db, sealer, {
    ...{ origin: url, tenantId, role: 'Admin' as const },
    email: 'sample-data@gatewarden.invalid',
  });
  const target: SampleTarget = { url, tenantId, agentToken, adminToken, nodeToken: node.token };
  return { target, nodeTokenId: node.token_id };
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
