// Keyboard shortcuts of the review list. They move the focus, so that screen readers follow.
import { useEffect } from 'react';
import { areSingleKeysOn, isTyping } from '../app/single-keys.ts';

export interface ReviewKeys {
  approve: (entityId: string) => void;
  block: (entityId: string) => void;
  select: (entityId: string) => void;
  help: () => void;
}

const LINKS = '[data-testid="application-row"] a[data-entity]';

export function useReviewKeys(keys: ReviewKeys): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (!areSingleKeysOn() || isTyping(event.target)) return;
      if (document.querySelector('[role="dialog"]') !== null) return;
      if (act(event.key, keys)) event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
    };
  }, [keys]);
}

/** Returns true for a key that is a shortcut. */
function act(key: string, keys: ReviewKeys): boolean {
  const links = [...document.querySelectorAll<HTMLElement>(LINKS)];
  const row = document.activeElement?.closest('[data-testid="application-row"]');
  const at = links.findIndex((link) => row?.contains(link) === true);
  const entityId = links[at]?.dataset.entity;
  if (key === 'j' || key === 'k') {
    const next = key === 'j' ? Math.min(at + 1, links.length - 1) : Math.max(at - 1, 0);
    links[next]?.focus();
    return true;
  }
  if (key === '?') keys.help();
  else if (entityId === undefined) return false;
  else if (key === 'a') keys.approve(entityId);
  else if (key === 'b') keys.block(entityId);
  else if (key === 'x') keys.select(entityId);
  else return false;
  return true;
}
