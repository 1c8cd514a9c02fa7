// Reports processes to the hub after each poll: unknown programs, assistants without their safeguards, and what runs.
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Home } from '../discovery/homes/home-list.ts';
import { describeProcess, type Enforcer } from '../enforcement/enforcement-pipeline.ts';
import { readSystemContext } from '../enforcement/system-context.ts';
import type { ReadExecutable } from '../processes/executable-facts.ts';
import { createPostureReporter } from '../processes/posture-reporter.ts';
import { applicationName, type CorrelatedProcess } from '../processes/process-correlator.ts';
import { createRunningReporter } from '../processes/running-reporter.ts';
import { createUnknownReporter } from '../processes/unknown-reporter.ts';
import type { Log } from '../runtime/log.ts';
import { uuid7 } from '../runtime/uuid7.ts';
import type { Backend } from '../sync/backend.ts';

/** Returns a function that reports these processes; it throws the errors of the hub's client. */
export function createProcessReporting(parts: {
  platform: Platform;
  homes: readonly Home[];
  backend: Backend;
  enforcer: Enforcer;
  readPublisher: ReadExecutable;
  pollIntervalMs: number;
  log: Log;
}): (processes: readonly CorrelatedProcess[]) => Promise<void> {
  const { platform, homes, backend, enforcer, log } = parts;
  const { client } = backend;
  const unknown = createUnknownReporter({
    ...{ db: backend.db, client, platform, homes, makeId: uuid7, now: Date.now },
    readPublisher: parts.readPublisher,
  });
  const posture = createPostureReporter<CorrelatedProcess>(async (correlated, outcome) => {
    const decision = await enforcer.preview(correlated);
    const assistant = correlated.entities.find((entity) => entity.kind === 'ai_tool');
    backend.activity.send({
      activity_id: uuid7(),
      decided_at: new Date().toISOString(),
      process: describeProcess(correlated.process, homes),
      application_name: applicationName(correlated)?.slice(0, 512) ?? null,
      entity_id: assistant?.entity_id ?? null,
      override_id: decision.override?.override_id ?? null,
      decision: decision.policy,
      enforced: false,
      outcome,
    });
  });
  const running = createRunningReporter({
    ...{ client, platform, homes },
    systemContext: readSystemContext,
    pollIntervalMs: parts.pollIntervalMs,
    monotonicMs: () => performance.now(),
  });
  return async (processes) => {
    const map = backend.state.get('process_map');
    const reportedCount = await unknown.report(processes, map?.version ?? 0);
    if (reportedCount > 0) log.info({ processes: reportedCount }, 'reported unknown processes');
    await posture.report(processes);
    await running.report(processes);
  };
}
