// The feed number of the first preview that the user saw. Previews refresh while a page is open, and a refreshed preview
// does not count as seen: the hub reports policies that were set since the first one.
import { useState } from 'react';

/** Returns the feed number of the first preview of `subject`; another subject starts again. */
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
