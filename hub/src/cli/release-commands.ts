// `release add`, `ring`, `list` and `withdraw`: which version of the agent devices are offered.

import {
  addRelease,
  giveToGroup,
  listReleases,
  setRing,
  withdrawRelease,
} from '../features/devices/releases/index.ts';
import { listTenants } from '../features/people/tenants/index.ts';
import { UsageError } from '../platform/config/config.ts';
import type { Db } from '../platform/db/database.ts';
import { type CommandRun, withContext } from './operator-commands.ts';
import { findTenantNamed } from './tenants.ts';

export interface ReleaseAddOptions {
  manifest: string;
  signature: string;
  ring: string;
  publicKey?: string;
}

/** Offers a signed release to a percentage of all devices. */
export function runReleaseAdd(run: CommandRun, options: ReleaseAddOptions & { file: string }) {
  return withContext(run, async ({ database: { db } }) => {
    const { file, manifest, signature, publicKey = null } = options;
    const percent = Number(options.ring);
    return addRelease(db, { file, manifest, signature, percent, publicKey }, await tenantIds(db));
  });
}

export interface ReleaseRingOptions {
  ring?: string;
  tenant?: string;
  group?: string;
}

/** Another percentage, or a device group that has it whatever the percentage. */
export function runReleaseRing(
  run: CommandRun,
  options: ReleaseRingOptions & { releaseId: string },
) {
  return withContext(run, async ({ database: { db } }) => {
    const { releaseId, ring, tenant, group } = options;
    if ((tenant === undefined) !== (group === undefined)) {
      throw new UsageError('--group needs --tenant, and --tenant --group');
    }
    if (ring === undefined && group === undefined) {
      throw new UsageError('use --ring, or --tenant and --group');
    }
    if (tenant !== undefined && group !== undefined) {
      const { tenant_id } = await findTenantNamed(db, tenant);
      await giveToGroup(db, releaseId, tenant_id, group);
    }
    if (ring !== undefined) await setRing(db, releaseId, Number(ring), await tenantIds(db));
    return { release_id: releaseId, changed: true };
  });
}

export function runReleaseList(run: CommandRun) {
  return withContext(run, async ({ database: { db } }) => ({ releases: await listReleases(db) }));
}

export function runReleaseWithdraw(run: CommandRun, { releaseId }: { releaseId: string }) {
  return withContext(run, async ({ database: { db } }) => {
    await withdrawRelease(db, releaseId, await tenantIds(db));
    return { release_id: releaseId, withdrawn: true };
  });
}

async function tenantIds(db: Db): Promise<string[]> {
  return (await listTenants(db)).map((tenant) => tenant.tenant_id);
}
