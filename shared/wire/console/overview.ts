// GET C/overview: open decisions and the state of the fleet. Each number is the length of a list that a page shows.
import { type Static, Type } from 'typebox';
import { OneOf } from '../common.ts';
import { SEVERITIES } from '../vocabulary.ts';
import { PRODUCT_CATEGORIES, ProductRow } from './products.ts';

/**
 * Counts of processes, requests, rollouts and alerts per severity stop at this number; beyond it a page shows "and
 * more".
 */
export const OVERVIEW_MOST = 1_000;

const Count = Type.Integer({ minimum: 0 });

/** Products by the tab of the inventory that lists them; categories without a product are left out. */
const CategoryCounts = Type.Array(
  Type.Object({ category: OneOf(PRODUCT_CATEGORIES), count: Count }),
);

export const OverviewAnswer = Type.Object({
  review: Type.Object({
    /** Products with an unreviewed app, without those that drifted and without packages, which nobody reviews singly. */
    pending: CategoryCounts,
    /** Products with an app that changed since its approval. */
    drifted: CategoryCounts,
    unknown_processes: Count,
    /** Open access requests. */
    access_requests: Count,
    /** Staged rollouts that a limit stopped; a user resumes or reverts them. */
    rollouts_stopped: Count,
  }),
  /** Products first seen in the last seven days, without packages. */
  fresh: CategoryCounts,
  /** The ten newest of them. */
  newest: Type.Array(ProductRow),
  /**
   * Discovered apps on devices by the step of the policy scale that covers them everywhere: the five steps add up to all apps of
   * a category. Categories without an app are left out.
   */
  apps: Type.Array(
    Type.Object({
      category: OneOf(PRODUCT_CATEGORIES),
      unreviewed: Count,
      approved: Count,
      restricted: Count,
      blocked: Count,
      quarantined: Count,
      /** Apps with a pair of status and enforcement beside the five steps; each counts in the nearest step, too. */
      custom: Count,
    }),
  ),
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
