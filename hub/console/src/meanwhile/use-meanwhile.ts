// A form that stands on a record: where somebody else changed that meanwhile, the form goes on from what stands now.
import { useState } from 'react';
import { isOvertaken } from '../api/client.ts';
import { type Both, merged } from './merged.ts';

interface Form<Stored, Values> {
  /** As it stands now. */
  read: (stored: Stored) => Promise<Stored>;
  valuesOf: (stored: Stored) => Values;
  /** What stands in the form. */
  values: () => Values;
  setValues: (values: Values) => void;
}

/** `original`: null for what is made anew, which nobody else can have changed. */
export function useMeanwhile<Stored, Values>(
  original: Stored | null,
  { read, valuesOf, values, setValues }: Form<Stored, Values>,
) {
  const [standing, setStanding] = useState(original);
  const [both, setBoth] = useState<readonly Both[] | null>(null);
  return {
    /** What the next try is a change of. */
    standing,
    /** What both changed; null while nobody was quicker. */
    both,
    /** Before a try: what was said of the one before is over. */
    forget: () => setBoth(null),
    /** Whether somebody was quicker, and the form goes on from there. */
    refused: async (error: unknown): Promise<boolean> => {
      if (standing === null || !isOvertaken(error)) return false;
      // One that is gone, or cannot be read: the refusal itself is what there is to say.
      const now = await read(standing).catch(() => null);
      if (now === null) return false;
      const next = merged(valuesOf(standing), values(), valuesOf(now));
      setValues(next.values);
      setStanding(now);
      setBoth(next.both);
      return true;
    },
  };
}
