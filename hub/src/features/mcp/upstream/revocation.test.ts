// Credentials are revalidated when they may have been revoked, also while notifications are missing.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withRevocation } from './revocation.ts';
import { CredentialRequiredError, type UpstreamTarget, UserRemovedError } from './targets.ts';

let isLive = true;
let lost: () => void;
let notice: (item: { kind: string; cache: string; keys: string[] }) => void;
let credentials: () => Promise<Record<string, string>>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  isLive = true;
});
afterEach(() => {
  vi.useRealTimers();
});

/** State of a requested stream. */
interface Followed {
  isBegun: boolean;
  isEnded: boolean;
  hasFailed: boolean;
}

async function followed(signal = new AbortController().signal): Promise<Followed> {
  const stream: Followed = { isBegun: false, isEnded: false, hasFailed: false };
  const upstreams = withRevocation(
    {
      openStream: async (_target: unknown, _owner: unknown, _ask: unknown, both: AbortSignal) => {
        stream.isBegun = true;
        both.addEventListener('abort', () => {
          stream.isEnded = true;
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
      onNotice(listener: typeof notice) {
        notice = listener;
        return () => undefined;
      },
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
    email: 'ada@example.com',
    credentials: () => credentials(),
  };
  upstreams
    .openStream(target as unknown as UpstreamTarget, {} as never, {} as never, signal)
    .catch(() => {
      stream.hasFailed = true;
    });
  await vi.advanceTimersByTimeAsync(0);
  return stream;
}

const credentialRequired = () => Promise.reject(new CredentialRequiredError('none', null));

test('revalidates repeatedly until lost notifications return', async () => {
  credentials = async () => ({ 'x-key': 'a' });
  const stream = await followed();
  isLive = false;
  lost();
  await vi.advanceTimersByTimeAsync(0);
  credentials = () => Promise.reject(new Error('the database is down'));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(stream.isEnded).toBe(false);
  credentials = credentialRequired;
  isLive = true;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(stream.isEnded).toBe(true);
});

test('continues streams and calls of a valid key', async () => {
  credentials = async () => ({ 'x-key': 'a' });
  const stream = await followed();
  lost();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(stream.isEnded).toBe(false);
});

test('opens the stream of a key only once the key exists', async () => {
  credentials = credentialRequired;
  const stream = await followed();
  lost();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(stream).toEqual({ isBegun: false, isEnded: false, hasFailed: false });
  credentials = async () => ({ 'x-key': 'a' });
  lost();
  await vi.advanceTimersByTimeAsync(0);
  expect(stream).toEqual({ isBegun: true, isEnded: false, hasFailed: false });
});

test('stops waiting for a key whose stream was closed', async () => {
  credentials = credentialRequired;
  const wanted = new AbortController();
  const stream = await followed(wanted.signal);
  wanted.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(stream.hasFailed).toBe(true);
});

test('revalidates streams that start while notifications are missing', async () => {
  isLive = false;
  credentials = async () => ({ 'x-key': 'a' });
  const stream = await followed();
  credentials = credentialRequired;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(stream.isEnded).toBe(true);
});

/** Lets the work that a notice starts run. */
async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
  await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(0);
}

test.each([
  ['person', 'ada@example.com', true],
  ['person', 'bob@example.com', false],
  ['mcp-settings', 't', true],
  ['mcp-settings', 'u', false],
])('revalidates only affected users after a change of %s of %s', async (cache, key, isEnded) => {
  credentials = async () => ({ 'x-key': 'a' });
  const stream = await followed();
  credentials = () => Promise.reject(new UserRemovedError());
  notice({ kind: 'forget', cache, keys: ['whoever', key] });
  await settled();
  expect(stream.isEnded).toBe(isEnded);
});

test('starts nothing for a key that is revoked during its lookup', async () => {
  const slow = Promise.withResolvers<Record<string, string>>();
  credentials = () => slow.promise;
  const stream = await followed();
  credentials = credentialRequired;
  lost();
  await settled();
  slow.resolve({ 'x-key': 'a' });
  await settled();
  expect(stream.isBegun).toBe(false);
});
