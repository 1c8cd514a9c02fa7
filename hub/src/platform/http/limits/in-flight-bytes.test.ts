import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HubError } from '../errors/errors.ts';
import { createInFlightBytesLimiter } from './in-flight-bytes.ts';

const refusal = (work: () => void): HubError | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
};

test('bounds bodies in flight, and frees each once', () => {
  const limiter = createInFlightBytesLimiter(100);
  const first = limiter.reserve(60, 'a');
  expect(refusal(() => limiter.reserve(50, 'b'))).toMatchObject({ code: 'overloaded' });
  first();
  first();
  expect(limiter.used()).toBe(0);
  limiter.reserve(500, 'a');
  expect(refusal(() => limiter.reserve(1, 'b'))).toMatchObject({ code: 'overloaded' });
});

test('cuts the oldest stalled bodies first, and only as many as needed', () => {
  let now = 0;
  const limiter = createInFlightBytesLimiter(100, () => now);
  const cut: string[] = [];
  const body = (name: string, bytes: number, isComplete = false) =>
    limiter.reserve(bytes, name, { isComplete: () => isComplete, abort: () => cut.push(name) });
  body('in process', 20, true);
  body('slow', 30);
  const release = body('slower', 30);
  now = 400;
  body('new', 20);
  // No body is stalled yet.
  expect(refusal(() => body('next', 10))).toMatchObject({ code: 'overloaded' });
  now = 600;
  body('honest', 10);
  expect(cut).toEqual(['slow']);
  expect(limiter.used()).toBe(80);
  expect(refusal(() => body('too large even so', 75))).toMatchObject({ code: 'overloaded' });
  expect(cut).toEqual(['slow']);
  body('large', 40);
  expect(cut).toEqual(['slow', 'slower']);
  release();
  expect(limiter.used()).toBe(90);
  expect(refusal(() => body('too large', 40))).toMatchObject({ code: 'overloaded' });
  expect(cut).toEqual(['slow', 'slower']);
});

describe('several waiting bodies', () => {
  function setUpLimiter() {
    let now = 0;
    const cut: string[] = [];
    const limiter = createInFlightBytesLimiter(100, () => now);
    return {
      cut,
      limiter,
      later: (ms: number) => {
        now += ms;
      },
      /** Reserves a body; the first letter of its name is the client. */
      body: (name: string, bytes: number) =>
        limiter.reserve(bytes, name.charAt(0), {
          isComplete: () => false,
          abort: () => cut.push(name),
        }),
    };
  }

  test('cuts bodies of the largest consumer first', () => {
    const { cut, later, body } = setUpLimiter();
    for (const name of ['a1', 'b1', 'b2', 'c1']) body(name, 15);
    body('b3', 40);
    later(600);
    body('d1', 50);
    expect(cut).toEqual(['b1', 'b2', 'b3']);
  });

  test('lets a flooding client displace only its own bodies', () => {
    const { cut, later, body } = setUpLimiter();
    body('honest', 10);
    body('flood 1', 30);
    later(600);
    body('flood 2', 40);
    expect(refusal(() => body('flood 3', 60))).toMatchObject({ code: 'overloaded' });
    expect(cut).toEqual([]);
    body('flood 3', 35);
    expect(cut).toEqual(['flood 1']);
    // A client without reservations takes precedence over the flooding client.
    later(600);
    body('new', 20);
    expect(cut).toEqual(['flood 1', 'flood 2']);
  });

  test('counts processed bodies for their client, and leaves room for others', () => {
    const { cut, limiter, later, body } = setUpLimiter();
    const reserveComplete = (bytes: number) =>
      limiter.reserve(bytes, 'w', { isComplete: () => true, abort: () => cut.push('complete') });
    const first = reserveComplete(60);
    body('honest', 30);
    later(600);
    expect(refusal(() => body('w1', 15))).toMatchObject({ code: 'overloaded' });
    first();
    reserveComplete(40);
    expect(refusal(() => reserveComplete(36))).toMatchObject({ code: 'overloaded' });
    expect(cut).toEqual([]);
    expect(limiter.used()).toBe(70);
  });

  test('cuts no body for a larger consumer, nor in vain, in any order', () => {
    const sends = fc.record({
      client: fc.constantFrom('a', 'b', 'c'),
      bytes: fc.integer({ min: 1, max: 60 }),
      waits: fc.constantFrom(0, 100, 600),
    });
    fc.assert(
      fc.property(fc.array(sends, { maxLength: 40 }), (all) => {
        const { limiter, later } = setUpLimiter();
        const waiting = new Set<{ client: string; bytes: number }>();
        const sumBytes = (client?: string) =>
          [...waiting].reduce(
            (sum, body) => sum + (client === undefined || body.client === client ? body.bytes : 0),
            0,
          );
        let cut: { client: string; reserved: number }[] = [];
        for (const { waits, ...sent } of all) {
          later(waits);
          const before = sumBytes(sent.client);
          cut = [];
          const error = refusal(() =>
            limiter.reserve(sent.bytes, sent.client, {
              isComplete: () => false,
              abort() {
                cut.push({ client: sent.client, reserved: sumBytes(sent.client) });
                waiting.delete(sent);
              },
            }),
          );
          if (error === null) waiting.add(sent);
          else expect(cut).toEqual([]);
          const others = cut.filter(({ client }) => client !== sent.client);
          expect(others.every(({ reserved }) => reserved >= before)).toBe(true);
          expect(limiter.used()).toBe(sumBytes());
        }
      }),
    );
  });
});
