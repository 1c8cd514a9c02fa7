// What is about to be ended, written down before the first signal: whatever ends the agent between the signal and the
// alert, the next start keeps from starting again what was to be kept, and tells of it.
import { readProcess } from '../processes/process-list.ts';
import type { RunningProcess } from '../processes/running-process.ts';
import type { NewAlert } from '../store/alert-store.ts';
import type { State } from '../store/state-store.ts';
import type { PendingTermination, PlannedQuarantine } from './pending-termination.ts';

export interface TerminationJournal {
  /** Durable before it returns, where the disk takes it. */
  begin(process: RunningProcess, alert: NewAlert, planned: PlannedQuarantine | null): void;
  /** It was told, or there is nothing to tell. */
  done(alertId: string): void;
  /**
   * Of what an earlier run had begun to end and is gone: holds what was to be held, which tells of it itself, and else
   * tells (under the same id, however often). What still runs is decided about anew.
   */
  recover(
    raise: (alert: NewAlert) => void,
    quarantine: (planned: PlannedQuarantine) => Promise<boolean>,
  ): Promise<void>;
}

/** What an earlier run left is kept until `recover` has told of it. */
export function openTerminationJournal(state: State): TerminationJournal {
  const earlier = state.get('endings') ?? [];
  let endings = earlier;
  const keep = (kept: readonly PendingTermination[]) => {
    endings = [...kept];
    state.set('endings', endings.length === 0 ? null : endings);
  };
  return {
    begin: ({ pid, startTicks }, alert, hold) =>
      keep([...endings, { pid, startTicks, alert, hold }]),
    done(alertId) {
      const left = endings.filter((ending) => ending.alert.alert_id !== alertId);
      if (left.length < endings.length) keep(left);
    },
    async recover(raise, quarantine) {
      for (const { pid, startTicks, alert, hold: planned = null } of earlier) {
        const isGone = readProcess(pid, null)?.startTicks !== startTicks;
        if (isGone && (planned === null || !(await quarantine(planned)))) raise(alert);
        keep(endings.filter((ending) => ending.alert.alert_id !== alert.alert_id));
      }
    },
  };
}
