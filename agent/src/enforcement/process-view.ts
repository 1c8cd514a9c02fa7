// Lists running processes for users: owner, decision, and protection rule of each.
import type { ListedProcess } from '@gatewarden/shared/wire/local/service.ts';
import { applicationName, type CorrelatedProcess } from '../processes/process-correlator.ts';
import type { Enforcer } from './enforcement-pipeline.ts';
import { findProtectionRule, type SystemContext } from './protection-rules.ts';

/** Returns a row for each process, by pid. */
export async function describeProcesses(
  processes: readonly CorrelatedProcess[],
  enforcer: Pick<Enforcer, 'preview'>,
  systemContext: SystemContext,
): Promise<ListedProcess[]> {
  const rows: ListedProcess[] = [];
  for (const correlated of processes) {
    const decision = await enforcer.preview(correlated);
    const { process, mapping, entities } = correlated;
    rows.push({
      pid: process.pid,
      name: process.name,
      executable_path: process.executablePath,
      application_name: applicationName(correlated),
      entity_id: decision.entity?.entity_id ?? mapping?.entity_id ?? entities[0]?.entity_id ?? null,
      decision: decision.policy,
      override_id: decision.override?.override_id ?? null,
      protected: findProtectionRule(correlated, systemContext)?.name ?? null,
    });
  }
  return rows.sort((a, b) => a.pid - b.pid);
}
