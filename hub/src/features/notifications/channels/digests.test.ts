// Every alert is sent separately or in a digest. A flood becomes a few messages, then a digest per minute.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDigest } from './digest-messages.ts';
import { assignToDigests, DIGEST_WINDOW_MS, type Meter } from './digests.ts';
import { testAlert } from './messages.ts';

const START = new Date('2026-11-21T12:00:00Z');
const NEVER: Meter = {
  windowStartedAt: new Date(0),
  alerts: 0,
  isBatching: false,
  digestId: null,
};

/** Returns how alerts are sent that arrive in this order. */
function play(
  arrivals: readonly { afterMs: number; count: number }[],
  channel: { kind: 'chat' | 'webhook'; digestAfter: number },
) {
  let meter = NEVER;
  let now = START;
  const digests = new Map<string, { alerts: number; dueAt: Date }>();
  const steps = arrivals.map(({ afterMs, count }) => {
    now = new Date(now.getTime() + afterMs);
    const last = digests.get(meter.digestId ?? '');
    const open = last !== undefined && last.dueAt > now ? last : null;
    const newId = () => `digest ${digests.size}-${Math.random()}`;
    const plan = assignToDigests(meter, count, channel, { now, open, newId });
    meter = plan.meter;
    for (const { id, isNew, alerts } of plan.digests) {
      expect(digests.has(id)).toBe(!isNew);
      const before = digests.get(id)?.alerts ?? 0;
      digests.set(id, { alerts: before + alerts, dueAt: plan.dueAt });
    }
    return { now, count, separate: plan.separate, digests: plan.digests };
  });
  return { steps, digests: [...digests.values()] };
}

describe('flood of alerts', () => {
  const minute = DIGEST_WINDOW_MS;
  it('sends a few messages, a digest, and then a digest per minute until the flood ends', () => {
    const flood = { kind: 'chat', digestAfter: 20 } as const;
    const { steps, digests } = play(
      [
        { afterMs: 0, count: 50 },
        { afterMs: 1_000, count: 50 },
        { afterMs: minute, count: 50 },
        { afterMs: minute, count: 5 },
        // The previous minute was below the limit.
        { afterMs: minute, count: 5 },
      ],
      flood,
    );
    expect(steps.map((step) => step.separate)).toEqual([20, 0, 0, 0, 5]);
    expect(digests.map((digest) => digest.alerts)).toEqual([80, 50, 5]);
  });

  it('sends separate alerts again after a quiet minute', () => {
    const { steps } = play(
      [
        { afterMs: 0, count: 100 },
        { afterMs: 2 * minute, count: 20 },
      ],
      { kind: 'chat', digestAfter: 20 },
    );
    expect(steps[1]).toMatchObject({ separate: 20, digests: [] });
  });

  it('sends programs every alert completely', () => {
    const { digests } = play([{ afterMs: 0, count: 1_201 }], { kind: 'webhook', digestAfter: 1 });
    expect(digests.map((digest) => digest.alerts)).toEqual([500, 500, 200]);
  });

  it("loses no alert, and respects the channel's limit of messages per minute", () => {
    const arrival = fc.record({
      afterMs: fc.integer({ min: 0, max: 3 * minute }),
      count: fc.integer({ min: 1, max: 60 }),
    });
    fc.assert(
      fc.property(
        fc.array(arrival, { maxLength: 40 }),
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom('chat' as const, 'webhook' as const),
        (arrivals, digestAfter, kind) => {
          const { steps, digests } = play(arrivals, { kind, digestAfter });
          for (const { count, separate, digests: batches } of steps) {
            const batched = batches.reduce((sum, { alerts }) => sum + alerts, 0);
            expect(separate + batched).toBe(count);
          }
          const separate = steps.reduce((sum, item) => sum + item.separate, 0);
          const digested = digests.reduce((sum, item) => sum + item.alerts, 0);
          expect(separate + digested).toBe(arrivals.reduce((sum, item) => sum + item.count, 0));
          const windows = Map.groupBy(steps, (_, i) => windowOf(steps, i));
          for (const list of windows.values()) {
            expect(list.reduce((sum, item) => sum + item.separate, 0)).toBeLessThanOrEqual(
              digestAfter,
            );
          }
        },
      ),
    );
  });
});

/** Returns the start of a step's window: the first step after the previous window. */
function windowOf(steps: readonly { now: Date }[], i: number): number {
  let start = Number.NEGATIVE_INFINITY;
  for (const { now } of steps.slice(0, i + 1)) {
    if (now.getTime() - start >= DIGEST_WINDOW_MS) start = now.getTime();
  }
  return start;
}

describe('digest', () => {
  const alert = (name: string) => ({
    ...testAlert({ alertId: name, deviceId: 'd', at: START }),
    application_name: name,
  });
  const words = formatDigest({
    tenantId: 't',
    channel: { id: 'r', name: 'Team' },
    consoleUrl: 'https://hub.example.com/console/t/t/alerts',
    digestId: 'x',
    at: START,
    counts: [
      { severity: 'critical', n: 2 },
      { severity: 'low', n: 1_000 },
    ],
    alerts: [alert('Snake'), alert('<!channel>\n@here')],
  });

  it('counts all alerts and names the first for every kind of channel', () => {
    expect(words.chat()).toMatchObject({
      title: '1002 alerts: 2 critical, 1000 low',
      lines: [
        'low: Snake on test, 2026-11-21T12:00:00.000Z',
        'low: <!channel> @here on test, 2026-11-21T12:00:00.000Z',
        'and 1000 more',
      ],
      link: { url: 'https://hub.example.com/console/t/t/alerts' },
      incident: { dedupKey: 'gatewarden/t/x', action: 'trigger', severity: 'critical' },
    });
    const mail = words.mail();
    expect(mail.subject).toBe('[Gatewarden] 1002 alerts: 2 critical, 1000 low');
    expect(mail.text).toContain(
      '\nlow: Snake on test (test), 2026-11-21T12:00:00.000Z, alert Snake\n',
    );
    expect(JSON.parse(words.webhook())).toMatchObject({
      type: 'alert.digest',
      timestamp: START.toISOString(),
      data: {
        digest: { digest_id: 'x', count: 1_002, by_severity: { critical: 2, low: 1_000 } },
        alerts: [{ application_name: 'Snake' }, {}],
      },
    });
  });
});
