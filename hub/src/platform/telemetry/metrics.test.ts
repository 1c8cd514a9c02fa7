import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

const DISK = 'gatewarden_database_disk_free_bytes';

test('of a disk that is not seen from here nothing is told, for nought would be a full one', async () => {
  let free: number | null = null;
  const { registry } = createMetrics('test', {
    counter: { count: 0 },
    pools: [],
    bodyBytes: () => 0,
    utilization: () => 0,
    freeBytes: async () => free,
  });
  const told = async () => {
    const lines = (await registry.metrics()).split('\n');
    return lines.filter((line) => line.startsWith(DISK));
  };
  expect(await told()).toEqual([]);
  free = 5;
  expect(await told()).toEqual([`${DISK} 5`]);
  free = 0;
  expect(await told()).toEqual([`${DISK} 0`]);
  free = null;
  expect(await told()).toEqual([]);
});
