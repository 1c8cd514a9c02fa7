// The service as pages see it: what it answers now, asked again while somebody looks.
import type { LocalAnswer, LocalCall } from '@gatewarden/shared/wire/local/service.ts';
import { useCallback, useEffect, useState } from 'react';
import type { HubResponse, PageBridge } from '../src/contract.ts';

declare global {
  interface Window {
    gatewarden: PageBridge;
  }
}

/** Calls that only ask, and about nothing in particular. */
type Question = Exclude<LocalCall, 'request' | 'pause' | 'resume' | 'why' | 'putIn' | 'takeOut'>;

export type StatusAnswer = HubResponse<LocalAnswer<'status'>> | null;

const ASK_EVERY_MS = 3000;

/** The latest answer; null before the first. `once`: asked again on demand only. */
export function useService<C extends Question>(
  call: C,
  once = false,
): [HubResponse<LocalAnswer<C>> | null, () => void] {
  const [answer, setAnswer] = useState<HubResponse<LocalAnswer<C>> | null>(null);
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` is what asks again
  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      if (!document.hidden) {
        const next = await window.gatewarden.ask(call, null as never);
        if (isGone) return;
        setAnswer((before) => (isSame(before, next) ? before : next));
      }
      if (!once) timer = setTimeout(() => void ask(), ASK_EVERY_MS);
    };
    void ask();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [call, once, asked]);
  return [answer, useCallback(() => setAsked((count) => count + 1), [])];
}

/** An unchanged answer is not rendered again. */
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
