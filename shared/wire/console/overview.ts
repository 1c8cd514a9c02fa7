// GET C/overview: what needs a decision today, and how the fleet is. Each number is the length of a list that a page shows.
import { type Static, Type } from 'typebox';
import { OneOf } from '../common.ts';
import { ENTITY_KINDS, SEVERITIES } from '../vocabulary.ts';

/** Processes, requests, rollouts and the alerts of one severity are counted to here: beyond it a page says "and more". */
export const OVERVIEW_MOST = 1_000;

const Count = Type.Integer({ minimum: 0 });

export const OverviewAnswer = Type.Object({
  review: Type.Object({
    /** By kind, without plain packages, which nobody reviews one by one. */
    pending: Type.Array(Type.Object({ kind: OneOf(ENTITY_KINDS), count: Count })),
    /** Approved once, and changed since. */
    drifted: Count,
    unknown_processes: Count,
    /** People wait for an answer. */
    access_requests: Count,
    /** Staged rollouts that a limit stopped: they go on, or are taken back, by a person. */
    rollouts_stopped: Count,
  }),
  /** First seen in the last seven days. */
  fresh: Type.Array(Type.Object({ kind: OneOf(ENTITY_KINDS), count: Count })),
  /** Not acknowledged. */
  alerts: Type.Array(Type.Object({ severity: OneOf(SEVERITIES), count: Count })),
  devices: Type.Object({
    devices: Count,
    seen_today: Count,
    stale: Count,
    duplicates: Count,
    applied: Count,
    applying: Count,
    diverged: Count,
    unknown: Count,
    /** Some source could not be read whole at the last scan. */
    coverage_gaps: Count,
  }),
  request_id: Type.String(),
});
export type OverviewAnswer = Static<typeof OverviewAnswer>;
