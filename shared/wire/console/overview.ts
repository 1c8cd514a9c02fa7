// GET C/overview: open decisions and the state of the fleet. Each number is the length of a list that a page shows.
import { type Static, Type } from 'typebox';
import { OneOf } from '../common.ts';
import { ENTITY_KINDS, SEVERITIES } from '../vocabulary.ts';

/**
 * Counts of processes, requests, rollouts and alerts per severity stop at this number; beyond it a page shows "and
 * more".
 */
export const OVERVIEW_MOST = 1_000;

const Count = Type.Integer({ minimum: 0 });

export const OverviewAnswer = Type.Object({
  review: Type.Object({
    /** Pending entities by kind, without plain packages, which are not reviewed individually. */
    pending: Type.Array(Type.Object({ kind: OneOf(ENTITY_KINDS), count: Count })),
    /** Approved entities that drifted. */
    drifted: Count,
    unknown_processes: Count,
    /** Open access requests. */
    access_requests: Count,
    /** Staged rollouts that a limit stopped; a user resumes or reverts them. */
    rollouts_stopped: Count,
  }),
  /** Entities first seen in the last seven days. */
  fresh: Type.Array(Type.Object({ kind: OneOf(ENTITY_KINDS), count: Count })),
  /** Unacknowledged alerts. */
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
    /** Devices with an incomplete source in the last scan. */
    coverage_gaps: Count,
  }),
  request_id: Type.String(),
});
export type OverviewAnswer = Static<typeof OverviewAnswer>;
