// Shortcuts of a single key without a modifier (WCAG 2.1.4): each user may switch them off, in this browser.
import { useSyncExternalStore } from 'react';

const STORED_AS = 'gatewarden-single-keys';
const changes = new EventTarget();

export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(STORED_AS) !== 'off';
  } catch {
    // A browser that refuses storage has the default.
    return true;
  }
}

export function switchSingleKeys(on: boolean): void {
  try {
    localStorage.setItem(STORED_AS, on ? 'on' : 'off');
  } catch {
    return;
  }
  changes.dispatchEvent(new Event('change'));
}

export const useSingleKeys = (): boolean =>
  useSyncExternalStore((listener) => {
    changes.addEventListener('change', listener);
    return () => {
      changes.removeEventListener('change', listener);
    };
  }, areSingleKeysOn);

/** Returns whether a key at this element enters text. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable="true"]') !==
    null;
