// The feed number of the first preview that a person saw of what they decide about. Pages live: a preview that comes
// later by itself is not one that was looked at, so that the hub can tell the person of what happened since.
import { useState } from 'react';

/** `subject`: what is decided about, and how often it was looked at anew; another one begins again. */
export function useSeen(
  subject: string | null,
  answer: { as_of_revision: number } | undefined,
): number | undefined {
  const [seen, setSeen] = useState<{ subject: string; asOf: number } | null>(null);
  if (subject === null || answer === undefined) return undefined;
  if (seen?.subject === subject) return seen.asOf;
  setSeen({ subject, asOf: answer.as_of_revision });
  return answer.as_of_revision;
}
