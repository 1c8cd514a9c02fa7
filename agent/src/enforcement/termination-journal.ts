// Journal of terminations, written before the first signal: whatever ends the agent between the signal and the alert,
// the next start quarantines what was to be quarantined, and raises the alert.
import { readProcess } from '../processes/process-list.ts';
import type { RunningProcess } from '../processes/running-process.ts';
import type { NewAlert } from '../store/alert-store.ts';
import type { State } from '../store/state-store.ts';
import type { PendingTermination, PlannedQuarantine } from './pending-termination.ts';

export interface TerminationJournal {
  /** Durable before it returns, where the disk takes it. */
  begin(process: RunningProcess, alert: NewAlert, planned: PlannedQuarantine | null): void;
  /** Removes an entry whose alert was raised, or needs none. */
  done(alertId: string): void;
  /**
   * Completes terminations of an earlier run whose process has ended: quarantines what was planned, which raises its
   * own alert, or else raises the journaled alert (under the same id, however often). Processes that still run are
   * decided about again.
   */
  recover(
    raise: (alert: NewAlert) => void,
    quarantine: (planned: PlannedQuarantine) => Promise<boolean>,
  ): Promise<void>;
}

/** Entries of an earlier run stay until `recover` has reported them. */
export function openTerminationJournal(state: State): TerminationJournal {
  const earlier = state.get('endings') ?? [];
  let endings = earlier;
  const keep = (kept: readonly PendingTermination[]) => {
    endings = [...kept];
    state.set('endings', endings.length === 0 ? null : endings);
  };
  return {
    begin: ({ pid, startTicks }, alert, planned) =>
      keep([...endings, { pid, startTicks, alert, planned }]),
    done(alertId) {
      const left = endings.filter((ending) => ending.alert.alert_id !== alertId);
      if (left.length < endings.length) keep(left);
    },
    async recover(raise, quarantine) {
      for (const { pid, startTicks, alert, planned = null } of earlier) {
        const isGone = readProcess(pid, null)?.startTicks !== startTicks;
        if (isGone && (planned === null || !(await quarantine(planned)))) raise(alert);
        keep(endings.filter((ending) => ending.alert.alert_id !== alert.alert_id));
      }
    },
  };
}
