// A form over a record. After an edit conflict the form is merged with the stored record.
import { useRef, useState } from 'react';
import { isOvertaken } from '../api/client.ts';
import { type Both, merged } from './three-way-merge.ts';

interface Form<Stored, Values> {
  /** The stored record. */
  read: (stored: Stored) => Promise<Stored>;
  valuesOf: (stored: Stored) => Values;
  /** The values of the form. */
  values: () => Values;
  setValues: (values: Values) => void;
  /** Returns the values without a secret that was typed for another address, and the new address; null without such a secret. */
  withoutSecret?: (mine: Values, next: Values) => { values: Values; address: string } | null;
}

/** `original` is null for a new record, which no other user can have changed. */
export function useMergedForm<Stored, Values>(
  original: Stored | null,
  { read, valuesOf, values, setValues, withoutSecret }: Form<Stored, Values>,
) {
  const [standing, setStanding] = useState(original);
  const [both, setBoth] = useState<readonly Both[] | null>(null);
  const [address, setAddress] = useState<string | null>(null);
  // Input during the request of the record is kept, too.
  const typed = useRef(values);
  typed.current = values;
  return {
    /** The record that the next attempt changes. */
    standing,
    /** The fields that both users changed; null without a conflict. */
    both,
    /** The new address, after a secret for another address was removed from the form. */
    address,
    /** Clears the messages of the previous attempt. */
    forget: () => setBoth(null),
    /** Returns whether the error is an edit conflict, after merging the form. */
    refused: async (error: unknown): Promise<boolean> => {
      if (standing === null || !isOvertaken(error)) return false;
      // A record that is deleted or cannot be loaded: the original error is shown.
      const now = await read(standing).catch(() => null);
      if (now === null) return false;
      const mine = typed.current();
      const next = merged(valuesOf(standing), mine, valuesOf(now));
      const safe = withoutSecret?.(mine, next.values) ?? null;
      setValues(safe?.values ?? next.values);
      setAddress(safe?.address ?? null);
      setStanding(now);
      setBoth(next.both);
      return true;
    },
  };
}
