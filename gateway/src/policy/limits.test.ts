import { describe, expect, it } from 'vitest';
import {
  admitModelRequest,
  admitRequest,
  countTokens,
  DURATION_MS,
  LimitCounters,
  readTimeoutMs,
  shareOf,
} from './limits.ts';
import type { LimitSettings, RateLimit, SharedLimits, TokenLimits } from './settings.ts';

const TARGET = { providerLabel: 'main', model: 'm-1' };
const minute = (value: number): RateLimit => ({ value, duration: 'minute' });

function createNode(limits: LimitSettings, { liveNodes = 1, inputTokens = 1 } = {}) {
  const clock = { now: 1_000_000_000 };
  const counters = new LimitCounters(() => clock.now);
  const subject = { appId: 'app-1', liveNodes, inputTokens };
  return {
    clock,
    request: () => admitRequest(limits, subject, counters),
    model: (model = 'm-1') => admitModelRequest(limits, subject, { ...TARGET, model }, counters),
    tokens: (input: number, output: number) =>
      countTokens(limits, 'app-1', TARGET, { input, output }, counters),
  };
}
const countPassed = (attempts: number, attempt: () => { passed: boolean }) =>
  Array.from({ length: attempts }, attempt).filter(({ passed }) => passed).length;

describe('request limits of an app', () => {
  it.each<[string, LimitSettings, number, string | null]>([
    ['passes all requests without limits', {}, 9, null],
    ['passes all requests for 0', { concurrency_per_minute: 0, rate_limit: minute(0) }, 9, null],
    ['passes all requests for null', { concurrency_per_minute: null, rate_limit: null }, 9, null],
    ['admits 3 a minute', { concurrency_per_minute: 3 }, 3, 'concurrency_per_minute_exceeded'],
    [
      'limits requests per minute',
      { rate_limit_per_minute: 4 },
      4,
      'rate_limit_per_minute_exceeded',
    ],
    [
      'limits requests per minute by rate_limit',
      { rate_limit: minute(5) },
      5,
      'rate_limit_exceeded',
    ],
    [
      'limits requests per day',
      { rate_limit: { value: 2, duration: 'day' } },
      2,
      'rate_limit_exceeded',
    ],
    [
      'applies the strictest of several limits',
      { concurrency_per_minute: 6, rate_limit_per_minute: 2, rate_limit: minute(4) },
      2,
      'rate_limit_per_minute_exceeded',
    ],
  ])('%s', (_claim, limits, passed, code) => {
    const node = createNode(limits);
    expect(countPassed(9, node.request)).toBe(passed);
    if (code === null) return;
    expect(node.request()).toMatchObject({ status: 429, code });
  });

  it.each<[RateLimit['duration'], number]>([
    ['minute', 60],
    ['hour', 3600],
    ['day', 86_400],
  ])(
    'passes again when a window of a %s has slid, as retryAfterSeconds announces',
    (duration, s) => {
      const node = createNode({ rate_limit: { value: 2, duration } });
      expect(countPassed(2, node.request)).toBe(2);
      const refused = node.request();
      const retryAfter = refused.passed ? 0 : (refused.retryAfterSeconds ?? 0);
      expect(retryAfter).toBeGreaterThanOrEqual(s);
      expect(retryAfter).toBeLessThanOrEqual(s * (61 / 60));
      node.clock.now += retryAfter * 1000 - 1001;
      expect(node.request().passed).toBe(false);
      node.clock.now += 1001;
      expect(node.request().passed).toBe(true);
    },
  );

  it('never passes more than the limit within any minute', () => {
    const node = createNode({ rate_limit: minute(10) });
    const passedAt: number[] = [];
    for (let step = 0; step < 3000; step++) {
      node.clock.now += 137;
      if (node.request().passed) passedAt.push(node.clock.now);
    }
    const burst = passedAt.map((at) => passedAt.filter((t) => t > at - 60_000 && t <= at).length);
    expect(Math.max(...burst)).toBe(10);
    expect(passedAt.length).toBeGreaterThan(60);
  });

  it('counts no refused request', () => {
    const node = createNode({ concurrency_per_minute: 1, rate_limit: minute(2) });
    expect(countPassed(50, node.request)).toBe(1);
    node.clock.now += 61_000;
    expect(countPassed(50, node.request)).toBe(1);
  });

  it('takes its share of a limit among live nodes', () => {
    expect(countPassed(50, createNode({ rate_limit: minute(10) }, { liveNodes: 3 }).request)).toBe(
      3,
    );
    const node = createNode({ rate_limit: minute(2) }, { liveNodes: 2 });
    node.request();
    expect(node.request()).toMatchObject({
      reason: expect.stringContaining('2 requests per minute'),
    });
    expect([shareOf(2, 5), shareOf(7, 0)]).toEqual([1, 7]);
  });
});

describe('token limits', () => {
  it.each<[string, number | null, number, boolean]>([
    ['refuses more input tokens than max_per_request', 100, 101, false],
    ['passes exactly max_per_request', 100, 100, true],
    ['passes all for 0', 0, 1e6, true],
    ['passes all for null', null, 1e6, true],
  ])('%s', (_claim, max_per_request, inputTokens, passed) => {
    const verdict = createNode({ token_limits: { max_per_request } }, { inputTokens }).request();
    expect(verdict).toMatchObject(passed ? { passed } : { status: 413 });
  });

  it.each<[string, TokenLimits, string]>([
    ['refuses after the input tokens are used', { input: minute(100) }, 'input_tokens_exceeded'],
    ['refuses after the output tokens are used', { output: minute(50) }, 'output_tokens_exceeded'],
  ])('%s', (_claim, token_limits, code) => {
    const node = createNode({ token_limits });
    node.tokens(99, 49);
    expect(node.request().passed).toBe(true);
    node.tokens(1, 1);
    expect(node.request()).toMatchObject({ status: 429, code });
    node.clock.now += 61_000;
    expect(node.request().passed).toBe(true);
  });
});

describe('limits of a model', () => {
  const LIMITED = { provider_label: 'main', model: 'm-1' };

  it.each<[string, SharedLimits, string]>([
    ['admits by concurrency_per_minute', { concurrency_per_minute: 1 }, 'concurrency_per_minute'],
    ['limits by rate_limit', { rate_limit: minute(1) }, 'rate_limit'],
  ])('%s', (_claim, limits, name) => {
    const node = createNode({ model_rate_limits: [{ ...LIMITED, ...limits }] });
    expect(node.model().passed).toBe(true);
    expect(node.model()).toMatchObject({ status: 429, code: `${name}_exceeded` });
    expect(node.model('m-2').passed).toBe(true);
  });

  it('limits the tokens of a model', () => {
    const token_limits = { max_per_request: 5, output: minute(10) };
    const limits = { model_rate_limits: [{ ...LIMITED, token_limits }] };
    expect(createNode(limits, { inputTokens: 6 }).model()).toMatchObject({ status: 413 });
    const node = createNode(limits);
    node.tokens(1, 10);
    expect(node.model()).toMatchObject({ code: 'output_tokens_exceeded' });
  });
});

it('counts events that the caller adds, for the length of the window', () => {
  const clock = { now: 1_000_000_000 };
  const counters = new LimitCounters(() => clock.now);
  counters.add('group fast', DURATION_MS.hour, 70);
  counters.add('group fast', DURATION_MS.hour, 30);
  expect(counters.count('group fast', DURATION_MS.hour)).toBe(100);
  expect(counters.count('group slow', DURATION_MS.hour)).toBe(0);
  clock.now += 3_700_000;
  expect(counters.count('group fast', DURATION_MS.hour)).toBe(0);
});

describe('timeout', () => {
  it.each<[string, LimitSettings, number | null]>([
    ['has no effect by default', {}, null],
    ['has no effect for 0', { timeout: 0 }, null],
    ['comes from the app', { timeout: 30 }, 30_000],
    [
      'comes from the model first',
      { timeout: 30, model_rate_limits: [{ provider_label: 'main', model: 'm-1', timeout: 1.5 }] },
      1500,
    ],
  ])('%s', (_claim, limits, timeout) => {
    expect(readTimeoutMs(limits, TARGET)).toBe(timeout);
  });
});
