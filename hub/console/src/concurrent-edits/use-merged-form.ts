// A form that stands on a record: where somebody else changed that meanwhile, the form goes on from what stands now.
import { useRef, useState } from 'react';
import { isOvertaken } from '../api/client.ts';
import { type Both, merged } from './three-way-merge.ts';

interface Form<Stored, Values> {
  /** As it stands now. */
  read: (stored: Stored) => Promise<Stored>;
  valuesOf: (stored: Stored) => Values;
  /** What stands in the form. */
  values: () => Values;
  setValues: (values: Values) => void;
  /** Where a secret was typed for an address that is another one now: without it, and that address. Else null. */
  withoutSecret?: (mine: Values, next: Values) => { values: Values; address: string } | null;
}

/** `original`: null for what is made anew, which nobody else can have changed. */
export function useMergedForm<Stored, Values>(
  original: Stored | null,
  { read, valuesOf, values, setValues, withoutSecret }: Form<Stored, Values>,
) {
  const [standing, setStanding] = useState(original);
  const [both, setBoth] = useState<readonly Both[] | null>(null);
  const [address, setAddress] = useState<string | null>(null);
  // What is typed while the record is read is typed, too.
  const typed = useRef(values);
  typed.current = values;
  return {
    /** What the next try is a change of. */
    standing,
    /** What both changed; null while nobody was quicker. */
    both,
    /** Where the form would go with a secret that was typed for another address, and is taken out. */
    address,
    /** Before a try: what was said of the one before is over. */
    forget: () => setBoth(null),
    /** Whether somebody was quicker, and the form goes on from there. */
    refused: async (error: unknown): Promise<boolean> => {
      if (standing === null || !isOvertaken(error)) return false;
      // One that is gone, or cannot be read: the refusal itself is what there is to say.
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
