// A tick reads the process list and enforces policies for new processes. PROCESS_CHECK_INTERVAL_MS is in agent-service.ts. After a change of policies,
// mode, inventory or process map the next tick decides about all processes again.
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { LiveHomes } from '../discovery/homes/live-homes.ts';
import type { Enforcer } from '../enforcement/enforcement-pipeline.ts';
import type { Quarantine } from '../enforcement/quarantine/index.ts';
import type { Correlator } from '../processes/process-correlator.ts';
import type { ProcessWatch } from '../processes/process-watcher.ts';
import { ownerOf } from '../processes/running-process.ts';
import type { Log } from '../runtime/log.ts';
import { nextPolicyChangeMs } from '../store/override-store.ts';
import type { ModeController } from './mode-controller.ts';

/** Edited configurations are checked every 10 ticks. */
const TICKS_PER_QUARANTINE_WATCH = 10;

export interface TickLoop {
  tick(): Promise<void>;
  /** Makes the next tick decide about all processes. */
  reconsider(): void;
  /** Resolves when no action is under way. */
  drain(): Promise<void>;
}

/** Creates the loop's task; the first tick decides about all processes. */
export function createTickLoop(parts: {
  watch: ProcessWatch;
  homes: LiveHomes;
  modes: ModeController;
  correlator: Correlator;
  quarantine: Quarantine;
  enforcer: Enforcer;
  overrides: () => readonly WireOverride[];
  hubNow: () => number;
  /** Drops what was cached about the system at the last decision about all processes. */
  invalidateSystemContext: () => void;
  log: Log;
}): TickLoop {
  const { watch, modes, correlator, quarantine, enforcer, overrides, hubNow } = parts;
  let isReconsiderDue = true;
  /** The hub's time at which an override begins or ends next. */
  let nextTurnMs = Infinity;
  let ticks = 0;
  const actions = new Set<Promise<void>>();
  /** Starts an action without waiting: the grace period of a process must not delay the next tick. */
  const start = (work: Promise<void>) => {
    const action: Promise<void> = work
      .catch((error: unknown) => parts.log.error({ err: error }, 'enforcing failed'))
      .finally(() => actions.delete(action));
    actions.add(action);
  };
  const prepareReconsider = () => {
    isReconsiderDue = false;
    start(quarantine.tidy());
    parts.invalidateSystemContext();
    nextTurnMs = nextPolicyChangeMs(overrides(), hubNow());
    enforcer.dropEnded(watch.current());
  };
  return {
    async tick() {
      const fresh = await watch.tick();
      await parts.homes.refresh(fresh.map(ownerOf));
      if (modes.observe() || hubNow() >= nextTurnMs) isReconsiderDue = true;
      const processes = isReconsiderDue ? watch.current() : fresh;
      if (++ticks % TICKS_PER_QUARANTINE_WATCH === 0) start(quarantine.watch());
      if (isReconsiderDue) prepareReconsider();
      if (processes.length === 0 || overrides().length === 0 || modes.observed() === 'off') return;
      start(enforcer.consider(correlator.correlate(processes)));
    },
    reconsider() {
      isReconsiderDue = true;
    },
    async drain() {
      await Promise.all(actions);
    },
  };
}
