// A tenant's configuration as a file: dump, diff and apply, through the management API only.
// Start reading at plan.ts.
import type { ManagementClient } from '@gatewarden/management-client';
import { applyPlan, type Outcome, type StepReport } from './apply.ts';
import { readFile, writeFile } from './document.ts';
import { type Difference, describeChanges, type Plan, planOf } from './plan.ts';
import { fileOf, readTenant, remarksOn } from './read.ts';

export { ApplyError } from './apply.ts';
export { differenceText } from './difference-text.ts';
export { TenantFileSchema } from './document.ts';
export { type Difference, PlanError } from './plan.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Returns the tenant's configuration as YAML. */
export async function dumpTenant(client: ManagementClient): Promise<string> {
  const live = await readTenant(client);
  return writeFile(fileOf(live), remarksOn(live));
}

/**
 * Returns what applying the file would change. Secrets are counted, because they cannot be compared without sending
 * them.
 */
export async function diffTenant(
  client: ManagementClient,
  text: string,
  env: Env,
): Promise<Difference> {
  const { plan, unset } = await prepared(client, text, env);
  return described(plan, unset);
}

/** Makes the tenant equal to the file, and reports the steps. A second run changes nothing. */
export async function applyTenant(
  client: ManagementClient,
  text: string,
  env: Env,
  onStep?: StepReport,
): Promise<{ applied: Outcome[]; unmanaged: string[]; unset: string[] }> {
  const { plan, unset } = await prepared(client, text, env);
  return { applied: await applyPlan(client, plan, onStep), unmanaged: plan.unmanaged, unset };
}

async function prepared(
  client: ManagementClient,
  text: string,
  env: Env,
): Promise<{ plan: Plan; unset: string[] }> {
  const file = readFile(text, env);
  const plan = planOf(await readTenant(client), file, new Date());
  return { plan, unset: [...file.unset.values()].flat() };
}

function described({ steps, unmanaged }: Plan, unset: string[]): Difference {
  return {
    in_sync: steps.every((step) => step.changes.length === 0),
    changes: describeChanges(steps),
    unmanaged,
    unset,
  };
}
