// A single event stream for all tabs: the leader, the events of other tabs, and the next leader after a tab closes.
import { expect, test, vi } from 'vitest';
import { changeOf, followEvents, type StreamDeps, type StreamEvent } from './event-source.ts';

class FakeSource extends EventTarget {
  readonly CLOSED = 2;
  readyState = 1;
  close() {
    this.readyState = this.CLOSED;
  }
  say(type: string, data: unknown) {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  }
}

/** The tabs of one browser: locks and channels are shared. */
function aBrowser() {
  const sources: FakeSource[] = [];
  const waiting: (() => void)[] = [];
  let isLocked = false;
  const channels = new Set<{ onmessage: ((event: MessageEvent) => void) | null }>();
  const release = () => {
    isLocked = false;
    waiting.shift()?.();
  };
  const deps = {
    nowMs: () => 0,
    openSource() {
      const source = new FakeSource();
      sources.push(source);
      return source as never;
    },
    locks: {
      request(_name: string, { signal }: LockOptions, lead: () => Promise<void>) {
        const start = () => {
          if (signal?.aborted) return waiting.shift()?.();
          isLocked = true;
          void lead().then(release);
        };
        if (isLocked) waiting.push(start);
        else start();
        return Promise.resolve();
      },
    } as never,
    openChannel() {
      const channel = {
        onmessage: null as ((event: MessageEvent) => void) | null,
        postMessage(data: unknown) {
          for (const other of channels) {
            if (other !== channel) other.onmessage?.(new MessageEvent('message', { data }));
          }
        },
        close: () => channels.delete(channel),
      };
      channels.add(channel);
      return channel as never;
    },
  } satisfies StreamDeps;
  const openTab = () => {
    const events: StreamEvent[] = [];
    return { events, close: followEvents('/events', (event) => events.push(event), deps) };
  };
  return { sources, openTab };
}

test('opens one stream for three tabs and delivers its events to all', () => {
  const { sources, openTab } = aBrowser();
  const tabs = [openTab(), openTab(), openTab()];
  sources[0]?.say('hello', {});
  sources[0]?.say('changed', { topic: 'alerts' });
  expect(sources).toHaveLength(1);
  for (const { events } of tabs) {
    expect(events).toEqual([{ kind: 'connected' }, { kind: 'changed', topic: 'alerts', agoMs: 0 }]);
  }
});

test('tells a tab that opens later that the stream is open and what changed lately', () => {
  const { sources, openTab } = aBrowser();
  openTab();
  sources[0]?.say('hello', {});
  sources[0]?.say('changed', { topic: 'alerts' });
  const { events } = openTab();
  expect(events).toEqual([{ kind: 'connected' }, { kind: 'changed', topic: 'alerts', agoMs: 0 }]);
});

test('opens the stream in another tab when the leading tab closes', async () => {
  const { sources, openTab } = aBrowser();
  const first = openTab();
  const second = openTab();
  sources[0]?.say('hello', {});
  first.close();
  await vi.waitFor(() => expect(sources).toHaveLength(2));
  expect(sources[0]?.readyState).toBe(2);
  sources[1]?.say('hello', {});
  expect(second.events).toEqual([{ kind: 'connected' }, { kind: 'connected' }]);
});

test('stays away after the hub gave its place to another browser', () => {
  vi.useFakeTimers();
  const { sources, openTab } = aBrowser();
  const { events } = openTab();
  sources[0]?.say('hello', {});
  sources[0]?.say('closed', { reason: 'too_many_streams' });
  vi.advanceTimersByTime(30_000);
  expect([sources.length, events.at(-1)]).toEqual([1, { kind: 'disconnected', isRefused: false }]);
  vi.advanceTimersByTime(30_000);
  expect(sources).toHaveLength(2);
  vi.useRealTimers();
});

test('reads the topic, and how long ago it changed, and nothing else', () => {
  expect(changeOf('{"topic":"alerts","ago_ms":1200}')).toEqual({ topic: 'alerts', agoMs: 1200 });
  expect(changeOf('{"topic":"alerts"}')).toEqual({ topic: 'alerts', agoMs: 0 });
  expect(changeOf('{"topic":7}')).toBeNull();
  expect(changeOf('not json')).toBeNull();
  expect(changeOf(undefined)).toBeNull();
});
