// The user's scroll position in a list. Pure.

/** Less than a row, in pixels: the user is still at the start. */
const SLACK_PX = 40;

/**
 * Returns whether the list's start is visible (`top` is its distance), or below, and nothing after the first page, which is
 * this share of the height, is visible.
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
 * Returns whether the user scrolled and the browser has not sent the event yet, which it does with the next frame. `known` is
 * the last reported position in pixels; it may be beyond the page's `end` while the page is growing.
 */
export function hasJumped(page: { position: number; known: number; end: number }): boolean {
  const { position, known, end } = page;
  if (known > end && position >= end - 1) return false;
  return Math.abs(position - known) > 1;
}
