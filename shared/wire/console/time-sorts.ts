// The orders of lists by time, without the schema library, for the hub and the console.

/** The newest row first, which is the order without a choice, or the oldest first. */
export const TIME_SORTS = ['-time', 'time'] as const;
export type TimeSort = (typeof TIME_SORTS)[number];

/** Rows of a log that a list counts at most: a tenant may have millions. */
export const LOG_ROWS_COUNTED_MAX = 10_000;
