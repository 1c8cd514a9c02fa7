// The focus is never lost: where what has it is taken away, as a row is that was decided about, or a button that did its
// work, it goes to the row that stands there now, or back to where it was before; and what could not be pressed while its
// answer was under way has it again after that. Else the keyboard fell back to the top of the page, or behind the dialog
// that is open, and a screen reader said nothing.
const REMEMBERED = 10;

/** Watches the document; gives back what ends that. */
export function keepFocus(): () => void {
  /** Where the focus was, newest first. */
  let trail: HTMLElement[] = [];
  /** What stands in the place of what went. */
  const instead = new WeakMap<HTMLElement, HTMLElement>();
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || target === document.body) return;
    trail = [target, ...trail.filter((item) => item !== target)].slice(0, REMEMBERED);
  };
  const placeOf = (item: HTMLElement): HTMLElement | null => {
    if (item.isConnected) return item.matches(':disabled') ? null : item;
    const next = instead.get(item);
    return next?.isConnected === true ? next : again(item);
  };
  const isLost = () => document.activeElement === document.body;
  const topDialog = () => [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1);
  const watch = new MutationObserver((records) => {
    const [latest] = trail;
    const isBack = (item: MutationRecord) => item.type === 'attributes' && item.target === latest;
    if (isLost() && records.some(isBack) && latest?.matches(':enabled') === true) {
      latest.focus({ preventScroll: true });
    }
    for (const { removedNodes, nextSibling, previousSibling } of records) {
      for (const node of removedNodes) {
        if (!(node instanceof HTMLElement)) continue;
        for (const item of trail) {
          const next = node.contains(item)
            ? inNeighbour(node, [nextSibling, previousSibling])
            : null;
          if (next !== null) instead.set(item, next);
        }
      }
    }
    const [last] = trail;
    if (last === undefined || last.isConnected || !isLost()) return;
    const dialog = topDialog();
    const within = (item: HTMLElement) => dialog === undefined || dialog.contains(item);
    const found = trail.map(placeOf).find((item) => item !== null && within(item));
    const target = found ?? dialog ?? document.querySelector<HTMLElement>('main h1');
    target?.focus({ preventScroll: true });
  });
  // Who clicks on the bare page has left: nothing is to take the focus behind their back.
  const onPointer = ({ target }: PointerEvent) => {
    const taking = 'a[href], button, input, select, textarea, label, [tabindex], [role="dialog"]';
    if (target instanceof Element && target.closest(taking) === null) trail = [];
  };
  // From a button that stays as it is, Tab would leave the dialog: it goes on from what was there before.
  const onKey = ({ key }: KeyboardEvent) => {
    const dialog = key === 'Tab' && isLost() ? topDialog() : undefined;
    if (dialog === undefined) return;
    const before = trail.find((item) => dialog.contains(item) && !item.matches(':disabled'));
    (before ?? dialog).focus({ preventScroll: true });
  };
  document.addEventListener('focusin', onFocus);
  document.addEventListener('pointerdown', onPointer);
  document.addEventListener('keydown', onKey, true);
  watch.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
  return () => {
    document.removeEventListener('focusin', onFocus);
    document.removeEventListener('pointerdown', onPointer);
    document.removeEventListener('keydown', onKey, true);
    watch.disconnect();
  };
}

/**
 * Of the row beside one that went, its link, or else the row itself: never a button of it, for a key that is held down
 * must not do to one after the other what was meant for one.
 */
function inNeighbour(row: HTMLElement, beside: readonly (Node | null)[]): HTMLElement | null {
  if (!row.matches('tr, li')) return null;
  for (const item of beside) {
    if (!(item instanceof HTMLElement) || item.tagName !== row.tagName) continue;
    const link = item.querySelector<HTMLElement>('a[href]');
    if (link !== null) return link;
    if (!item.hasAttribute('tabindex')) item.tabIndex = -1;
    return item;
  }
  return null;
}

/** The same link where a list was drawn anew. */
function again(item: HTMLElement): HTMLElement | null {
  const href = item.getAttribute('href');
  if (href === null) return null;
  return document.querySelector(`main a[href="${CSS.escape(href)}"]`);
}
