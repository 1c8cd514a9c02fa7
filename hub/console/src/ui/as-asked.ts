import { useEffect, useState } from 'react';
import { isOvertaken } from '../api/client.ts';

/**
 * Returns the record as it was when the confirmation opened, so that the hub rejects an action on a record that another user
 * changed meanwhile. After such an `error` the current record is returned.
 */
export function useAsAsked<T>(now: T, error: unknown): T {
  const [asked, setAsked] = useState({ as: now, isTold: false });
  const isTold = asked.isTold || isOvertaken(error);
  // The conflict stays known if the next attempt fails differently.
  useEffect(() => {
    if (isTold) setAsked((was) => (was.isTold ? was : { ...was, isTold }));
  }, [isTold]);
  return isTold ? now : asked.as;
}
