// Columns that a user hides in a table, stored in this browser by the table's name.
import { useState } from 'react';

const STORED_AS = 'gatewarden-columns:';

/** Returns the keys of hidden columns; none if the browser refuses storage or the stored value is invalid. */
export function readHidden(table: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(`${STORED_AS}${table}`) ?? '[]');
    return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

function storeHidden(table: string, hidden: readonly string[]): void {
  try {
    if (hidden.length === 0) localStorage.removeItem(`${STORED_AS}${table}`);
    else localStorage.setItem(`${STORED_AS}${table}`, JSON.stringify(hidden));
  } catch {
    // The choice lasts as long as the page then.
  }
}

/** A table without a name has no choice to remember. */
export function useHiddenColumns(table: string | undefined) {
  const [hidden, setHidden] = useState<readonly string[]>(() =>
    table === undefined ? [] : readHidden(table),
  );
  const toggle = (key: string) => {
    const next = hidden.includes(key) ? hidden.filter((known) => known !== key) : [...hidden, key];
    setHidden(next);
    if (table !== undefined) storeHidden(table, next);
  };
  return { hidden, toggle };
}
