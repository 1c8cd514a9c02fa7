import { expect, test, vi } from 'vitest';
import { createMetrics } from './metrics.ts';

const DISK = 'gatewarden_database_disk_free_bytes';

test('omits the metric of a disk that is not visible, because zero would mean full', async () => {
  let free: number | null = null;
  const { registry } = createMetrics('test', {
    counter: { count: 0 },
    pools: [],
    bodyBytes: () => 0,
    utilization: () => 0,
    freeBytes: async () => free,
  });
  const scrape = async () => {
    const lines = (await registry.metrics()).split('\n');
    return lines.filter((line) => line.startsWith(DISK));
  };
  expect(await scrape()).toEqual([]);
  free = 5;
  expect(await scrape()).toEqual([`${DISK} 5`]);
  free = 0;
  expect(await scrape()).toEqual([`${DISK} 0`]);
  free = null;
  expect(await scrape()).toEqual([]);
});

test('counts devices once for many scrapes, and retries a failed count', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let queries = 0;
  let fails = false;
  const { registry } = createMetrics('test', {
    counter: { count: 0 },
    pools: [],
    bodyBytes: () => 0,
    utilization: () => 0,
    devices: async () => {
      queries++;
      if (fails) throw new Error('the database is away');
      return { diverged: queries };
    },
  });
  const scrape = async () => {
    const lines = (await registry.metrics()).split('\n');
    return lines.filter((line) => line.startsWith('gatewarden_devices'));
  };
  try {
    const first = await Promise.all(Array.from({ length: 20 }, scrape));
    expect([new Set(first.flat()), queries]).toEqual([
      new Set(['gatewarden_devices{state="diverged"} 1']),
      1,
    ]);
    vi.advanceTimersByTime(31_000);
    fails = true;
    expect([await scrape(), queries]).toEqual([[], 2]);
    expect([await scrape(), queries]).toEqual([[], 3]);
    fails = false;
    expect([await scrape(), queries]).toEqual([['gatewarden_devices{state="diverged"} 4'], 4]);
  } finally {
    vi.useRealTimers();
  }
});

test('answers a scrape while the database is blocked, without a second query', async () => {
  let queries = 0;
  let answer: (counts: Record<string, number>) => void = () => undefined;
  const never = () => new Promise<never>(() => undefined);
  const { registry } = createMetrics('test', {
    counter: { count: 0 },
    pools: [],
    bodyBytes: () => 0,
    utilization: () => 0,
    collectors: never,
    lastProof: never,
    devices: () => {
      queries++;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  });
  const [first, second] = await Promise.all([registry.metrics(), registry.metrics()]);
  for (const text of [first, second]) {
    expect(text).toContain('gatewarden_build_info{version="test"} 1');
    expect(text).not.toContain('gatewarden_devices{');
  }
  expect(queries).toBe(1);
  answer({ diverged: 3 });
  expect(await registry.metrics()).toContain('gatewarden_devices{state="diverged"} 3');
});
