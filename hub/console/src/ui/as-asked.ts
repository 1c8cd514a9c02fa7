import { useEffect, useState } from 'react';
import { isOvertaken } from '../api/client.ts';

/**
 * What a question is about, as it was when it was asked: what others change while it is open is not overlooked, for the hub
 * refuses then. Once `error` tells that it is about what is there now.
 */
export function useAsAsked<T>(now: T, error: unknown): T {
  const [asked, setAsked] = useState({ as: now, isTold: false });
  const isTold = asked.isTold || isOvertaken(error);
  // The next try may fail otherwise: what was told stays told.
  useEffect(() => {
    if (isTold) setAsked((was) => (was.isTold ? was : { ...was, isTold }));
  }, [isTold]);
  return isTold ? now : asked.as;
}
