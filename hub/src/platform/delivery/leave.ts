// A delivery that this hub's settings forbid is left to another hub that has other settings: it costs no attempt there.
// leaving → (another hub takes the job) attempted, or → (nobody could within a minute) settled as a failure here.
import type { Peers } from '../peers.ts';
import type { Outcome } from './attempt.ts';

/** What a job carries while hubs leave it to each other. */
export interface LeftJob {
  left_by?: string[];
  /** Milliseconds since 1970. */
  left_since?: number;
}

const LEAVE_MS = 60_000;
/** Before a hub that left the job looks again whether another one has taken it. */
export const LOOK_AGAIN_MS = 1_000;

const isLate = ({ left_since: since = Date.now() }: LeftJob) => Date.now() - since > LEAVE_MS;

/** Returns whether this hub left the job before, and other hubs still have time for it. */
export function isLeftBy(peers: Peers, job: LeftJob): boolean {
  return job.left_by?.includes(peers.id) === true && !isLate(job);
}

/** Returns the job for the other hubs; null where the outcome stands, because no other hub might do better. */
export async function leftJob<Job extends LeftJob>(
  peers: Peers,
  job: Job,
  outcome: Outcome,
): Promise<Job | null> {
  if (outcome.is !== 'failed' || outcome.forbiddenBy === null || isLate(job)) return null;
  if (!(await peers.differing()).includes(outcome.forbiddenBy)) return null;
  const leftBy = [...new Set([...(job.left_by ?? []), peers.id])];
  return { ...job, left_by: leftBy, left_since: job.left_since ?? Date.now() };
}
