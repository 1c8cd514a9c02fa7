// Hands over a delivery that this hub's settings forbid to another hub with other settings, without counting an attempt.
// States: handed over → attempted by another hub, or → failed here if no hub could deliver within a minute.
import type { Peers } from '../peers.ts';
import type { Outcome } from './attempt.ts';

/** Fields of a job that hubs hand over to each other. */
export interface HandedOverJob {
  left_by?: string[];
  /** Unix time in milliseconds. */
  left_since?: number;
}

const HAND_OVER_TIMEOUT_MS = 60_000;
/** Delay before a hub checks again whether another hub has taken the job. */
export const HAND_OVER_RETRY_MS = 1_000;

const isLate = ({ left_since: since = Date.now() }: HandedOverJob) =>
  Date.now() - since > HAND_OVER_TIMEOUT_MS;

/** Returns whether this hub has handed over the job, and other hubs still have time for it. */
export function isHandedOverBy(peers: Peers, job: HandedOverJob): boolean {
  return job.left_by?.includes(peers.id) === true && !isLate(job);
}

/** Returns the job for the other hubs, or null if no other hub could deliver it: the outcome is final. */
export async function handOverJob<Job extends HandedOverJob>(
  peers: Peers,
  job: Job,
  outcome: Outcome,
): Promise<Job | null> {
  if (outcome.is !== 'failed' || outcome.forbiddenBy === null || isLate(job)) return null;
  if (!(await peers.differing()).includes(outcome.forbiddenBy)) return null;
  const leftBy = [...new Set([...(job.left_by ?? []), peers.id])];
  return { ...job, left_by: leftBy, left_since: job.left_since ?? Date.now() };
}
