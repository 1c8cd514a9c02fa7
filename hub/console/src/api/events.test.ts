// The effects of the hub's events on the page.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { calmed, mayBeUnread } from './events.ts';
import { staleAfter } from './keys.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('reads changes from before the subscription of a page', () => {
  expect(mayBeUnread({ agoMs: 0 }, 10)).toBe(true);
  expect(mayBeUnread({ agoMs: 900 }, 1_000)).toBe(true);
  expect(mayBeUnread({ agoMs: 2_000 }, 1_000)).toBe(false);
});

test('ignores topics of a newer hub', () => {
  expect(staleAfter('alerts')).toEqual(['alerts', 'overview']);
  expect(staleAfter('holograms')).toEqual([]);
  expect(staleAfter('constructor')).toEqual([]);
});

test('forwards a burst of events at its start and once at its end', () => {
  const passed: string[] = [];
  const calm = calmed(1000, (word) => passed.push(word));
  for (let i = 0; i < 50; i++) calm.say('applications');
  calm.say('alerts');
  expect(passed).toEqual(['applications', 'alerts']);
  vi.advanceTimersByTime(1000);
  expect(passed).toEqual(['applications', 'alerts', 'applications']);
  vi.advanceTimersByTime(5000);
  expect(passed).toHaveLength(3);
});

test('forwards no events after the end of a subscription', () => {
  const passed: string[] = [];
  const calm = calmed(1000, (word) => passed.push(word));
  calm.say('alerts');
  calm.say('alerts');
  calm.stop();
  vi.advanceTimersByTime(5000);
  expect(passed).toEqual(['alerts']);
});
