// The Grafana dashboard asks for metrics that the hub has, and for all of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics } from '@gatewarden/hub/src/platform/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { ROOT } from './planted.ts';

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

test('every query of the dashboard names metrics of the hub, and each of those is shown', async () => {
  const { registry } = createMetrics('test', {
    counter: { count: 0 },
    pool: { idleCount: 0, totalCount: 0, waitingCount: 0 } as never,
    bodyBytes: () => 0,
    utilization: () => 0,
  });
  const known = (await registry.getMetricsAsJSON()).map(({ name }) => name);
  const { panels } = JSON.parse(
    readFileSync(join(ROOT, 'dashboards/hub.json'), 'utf8'),
  ) as Dashboard;
  const asked = panels.flatMap(({ targets }) =>
    targets.flatMap(({ expr }) => expr.match(/gatewarden_\w+/g) ?? []),
  );
  const names = new Set(asked.map((name) => name.replace(/_(bucket|count|sum)$/, '')));
  expect([...names].filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !names.has(name))).toEqual([]);
});
