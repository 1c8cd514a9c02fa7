// The orders of lists by time, without the schema library, for the hub and the console.

/** The newest row first, which is the order without a choice, or the oldest first. */
export const TIME_SORTS = ['-time', 'time'] as const;
export type TimeSort = (typeof TIME_SORTS)[number];

/** Rows of a log that a list counts at most: a tenant may have millions. */
export const LOG_ROWS_COUNTED_MAX = 10_000;

/** The orders of enforcement events: by time, by app or process, device, user, or policy. Left out: newest first. */
export const ACTIVITY_SORTS = [
  ...TIME_SORTS,
  ...(['process', '-process', 'device', '-device', 'user', '-user', 'policy', '-policy'] as const),
] as const;
export type ActivitySort = (typeof ACTIVITY_SORTS)[number];
