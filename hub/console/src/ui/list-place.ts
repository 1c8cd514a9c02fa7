// Where in a list a person stands. Pure.

/** Less than a row: who scrolled that far has not begun to read on. */
const SLACK_PX = 40;

/**
 * The list begins in sight (`top` is its distance from there), or below it, and nothing of what follows the first page,
 * which is this share of its height, is in sight.
 */
export function standsAtTop(list: {
  top: number;
  height: number;
  firstShare: number;
  sight: number;
}): boolean {
  if (list.top >= list.sight) return true;
  return list.top >= -SLACK_PX && list.top + list.height * list.firstShare > list.sight;
}
