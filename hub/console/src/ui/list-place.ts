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
  const nothingFollows =
    list.firstShare >= 1 || list.top + list.height * list.firstShare > list.sight;
  return list.top >= -SLACK_PX && nothingFollows;
}

/**
 * Somebody went elsewhere on the page, and the browser has not said so yet: it says it with the next picture only. `known` is
 * what was said last, in pixels; it may lie beyond the page's `end` while the page has yet to grow.
 */
export function hasJumped(page: { stands: number; known: number; end: number }): boolean {
  const { stands, known, end } = page;
  if (known > end && stands >= end - 1) return false;
  return Math.abs(stands - known) > 1;
}
