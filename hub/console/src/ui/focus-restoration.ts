// Restores a lost focus. If the focused element is removed, such as the row of a reviewed app, the focus moves to the row in its
// place or to the previously focused element. A button that was disabled while its request was running gets the focus back.
// Otherwise the keyboard would start at the top of the page or behind the open dialog, and a screen reader would be
// silent.
const REMEMBERED = 10;

/** Watches the document; returns a function that ends it. */
export function keepFocus(): () => void {
  /** Previously focused elements, newest first. */
  let trail: HTMLElement[] = [];
  /** Returns the element in the place of the removed element. */
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
  // After a click on the page's background the focus stays there.
  const onPointer = ({ target }: PointerEvent) => {
    const taking = 'a[href], button, input, select, textarea, label, [tabindex], [role="dialog"]';
    if (target instanceof Element && target.closest(taking) === null) trail = [];
  };
  // Tab from a disabled button would leave the dialog, so it continues from the previous element.
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
 * Returns the link of the row next to a removed row, or the row itself. A button of the row is never focused, because a
 * repeated key would act on one row after the other.
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

/** Returns the same link after the list was rendered again. */
function again(item: HTMLElement): HTMLElement | null {
  const href = item.getAttribute('href');
  if (href === null) return null;
  return document.querySelector(`main a[href="${CSS.escape(href)}"]`);
}
