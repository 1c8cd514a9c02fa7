import { useState } from 'react';

/**
 * What a question is about, as it was when it was asked: what others change while it is open is not overlooked, for the hub
 * refuses then. Once that was told it is about what is there now.
 */
export function useAsAsked<T>(now: T, isTold: boolean): T {
  const [asked] = useState({ as: now });
  return isTold ? now : asked.as;
}
