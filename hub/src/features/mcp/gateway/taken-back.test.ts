// What is looked at when a key may have been taken back, also where nobody could tell.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endingWhenTakenBack } from './taken-back.ts';
import { KeyMissing, type Target } from './targets.ts';

let isLive = true;
let lost: () => void;
let credentials: () => Promise<Record<string, string>>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  isLive = true;
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether the stream that was begun ended. */
async function followed(): Promise<() => boolean> {
  let isEnded = false;
  const upstreams = endingWhenTakenBack(
    {
      follow: async (_target: unknown, _owner: unknown, _ask: unknown, signal: AbortSignal) => {
        signal.addEventListener('abort', () => {
          isEnded = true;
        });
        return (async function* () {
          yield await new Promise<never>(() => undefined);
        })();
      },
    } as never,
    {
      get isLive() {
        return isLive;
      },
      onNotice: () => () => undefined,
      onLost(listener: () => void) {
        lost = listener;
        return () => undefined;
      },
    } as never,
  );
  const target = {
    tenantId: 't',
    backendId: 'b',
    isShared: false,
    credentials: () => credentials(),
  };
  const never = new AbortController().signal;
  await upstreams.follow(target as unknown as Target, {} as never, {} as never, never);
  return () => isEnded;
}

test('where notices were lost, it is looked at until they come again', async () => {
  credentials = async () => ({ 'x-key': 'a' });
  const isEnded = await followed();
  isLive = false;
  lost();
  await vi.advanceTimersByTimeAsync(0);
  credentials = () => Promise.reject(new Error('the database is away'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isEnded()).toBe(false);
  credentials = () => Promise.reject(new KeyMissing('none', null));
  isLive = true;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(isEnded()).toBe(true);
});

test('a key that stands lets go on what was begun with it', async () => {
  credentials = async () => ({ 'x-key': 'a' });
  const isEnded = await followed();
  lost();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(isEnded()).toBe(false);
});
