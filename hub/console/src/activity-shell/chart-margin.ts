/** The space beside the bars of a histogram, in CSS pixels. */
export const CHART_MARGIN = 4;

/** Returns the index of the bucket at `x` CSS pixels in a chart of this width. */
export function bucketAt(x: number, width: number, buckets: number): number {
  const share = (x - CHART_MARGIN) / (width - 2 * CHART_MARGIN);
  return Math.max(0, Math.min(buckets - 1, Math.floor(share * buckets)));
}
