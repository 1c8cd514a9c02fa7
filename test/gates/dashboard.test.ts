// The Grafana dashboard asks for metrics that the hub has, and for all of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics } from '@gatewarden/hub/src/platform/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './planted.ts';

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

async function knownMetrics(): Promise<string[]> {
  const { registry } = createMetrics('test', {
    counter: { count: 0 },
    pools: [],
    bodyBytes: () => 0,
    utilization: () => 0,
  });
  return (await registry.getMetricsAsJSON()).map(({ name }) => name);
}

const namesIn = (expr: string) =>
  (expr.match(/gatewarden_\w+/g) ?? []).map((name) => name.replace(/_(bucket|count|sum)$/, ''));

test('every query of the dashboard names metrics of the hub, and each of those is shown', async () => {
  const known = await knownMetrics();
  const { panels } = JSON.parse(
    readFileSync(join(ROOT, 'dashboards/hub.json'), 'utf8'),
  ) as Dashboard;
  const names = new Set(
    panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr))),
  );
  expect([...names].filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !names.has(name))).toEqual([]);
});

test('every alarm asks for metrics of the hub, and the runbook says what to do', async () => {
  const known = await knownMetrics();
  const { groups } = parse(readFileSync(join(ROOT, 'dashboards/alerts.yaml'), 'utf8')) as {
    groups: { rules: { alert: string; expr: string; annotations: { runbook: string } }[] }[];
  };
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(5);
  const runbook = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  for (const { alert, expr, annotations } of rules) {
    const asked = namesIn(expr);
    expect([alert, asked.length > 0, asked.filter((name) => !known.includes(name))]).toEqual([
      alert,
      true,
      [],
    ]);
    const [file, anchor] = annotations.runbook.split('#');
    expect([file, anchor]).toEqual(['docs/operations.md', alert.toLowerCase()]);
    expect(runbook).toContain(`<a id="${anchor}"></a>\`${alert}\``);
  }
});
