import { useState } from 'react';
import { isStatus } from '../api/client.ts';

/**
 * What a question is about, as it was when it was asked: what others change while it is open is not overlooked, for the hub
 * refuses then. Once `error` tells that it is about what is there now.
 */
export function useAsAsked<T>(now: T, error: unknown): T {
  const [asked] = useState({ as: now });
  return isStatus(error, 412) ? now : asked.as;
}
