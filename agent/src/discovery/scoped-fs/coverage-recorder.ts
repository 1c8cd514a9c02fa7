// Records the coverage of a scope: whether something was present, the worst error, and the problems to show. States
// order by severity: read < unparsed < unreadable < timed_out. An error replaces a milder state, never a worse state.
import type { CoverageState, Report } from '../source-contract.ts';

const MAX_PROBLEMS = 50;
const STATES_BY_SEVERITY: CoverageState[] = ['read', 'unparsed', 'unreadable', 'timed_out'];

export interface CoverageRecorder {
  /** Notes that the scope contains something for this source. */
  markPresent(): void;
  /** Records an oddity that does not lower the coverage; `path` is relative to the scope. */
  reportNotice(path: string, reason: string): void;
  /** Records an error, which lowers the coverage to `state` where that is worse. */
  reportError(path: string, state: CoverageState, reason: string): void;
  /** Returns the coverage so far; `absent` where nothing was present and nothing failed. */
  summarize(): Pick<Report, 'state' | 'reason' | 'problems'>;
}

/** Returns an empty recorder. `toMachinePath` turns a path of the scope into a path of this machine. */
export function createCoverageRecorder(toMachinePath: (path: string) => string): CoverageRecorder {
  const problems: Report['problems'] = [];
  let present = false;
  let state: CoverageState = 'read';
  let reason: string | null = null;

  const reportNotice = (path: string, cause: string) => {
    const problem = { path: toMachinePath(path), reason: cause };
    const isRecorded = problems.some(
      (recorded) => recorded.path === problem.path && recorded.reason === cause,
    );
    if (!isRecorded && problems.length < MAX_PROBLEMS) problems.push(problem);
  };

  return {
    markPresent() {
      present = true;
    },
    reportNotice,
    reportError(path, newState, cause) {
      reportNotice(path, cause);
      present = true;
      if (STATES_BY_SEVERITY.indexOf(newState) <= STATES_BY_SEVERITY.indexOf(state)) return;
      state = newState;
      reason = cause;
    },
    summarize: () => ({
      state: state === 'read' && !present ? 'absent' : state,
      reason,
      problems,
    }),
  };
}
