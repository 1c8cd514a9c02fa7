// The Grafana dashboard asks for metrics that the hub has, and for all of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMetrics } from '@gatewarden/hub/src/platform/telemetry/metrics.ts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './planted.ts';

const RUNBOOK = 'docs/reference/alarms.md';

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

interface Alarms {
  groups: { rules: { alert: string; expr: string; annotations: { runbook: string } }[] }[];
}

/** What a hub shows before anything has happened. */
async function shownAtStart() {
  const { registry } = createMetrics('test', {
    counter: { count: 0 },
    pools: [],
    bodyBytes: () => 0,
    utilization: () => 0,
  });
  return registry.getMetricsAsJSON();
}

async function knownMetrics(): Promise<string[]> {
  return (await shownAtStart()).map(({ name }) => name);
}

function alarms() {
  const text = readFileSync(join(ROOT, 'dashboards/alerts.yaml'), 'utf8');
  return (parse(text) as Alarms).groups.flatMap((group) => group.rules);
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
  const rules = alarms();
  expect(rules.length).toBeGreaterThan(5);
  const runbook = readFileSync(join(ROOT, RUNBOOK), 'utf8');
  expect(known.filter((name) => !runbook.includes(`\`${name}`))).toEqual([]);
  for (const { alert, expr, annotations } of rules) {
    const asked = namesIn(expr);
    expect([alert, asked.length > 0, asked.filter((name) => !known.includes(name))]).toEqual([
      alert,
      true,
      [],
    ]);
    const [file, anchor] = annotations.runbook.split('#');
    expect([file, anchor]).toEqual([RUNBOOK, alert.toLowerCase()]);
    expect(runbook).toContain(`<a id="${anchor}"></a>\`${alert}\``);
  }
});

test('an alarm about what has risen hears the first time, too', async () => {
  const shown = await shownAtStart();
  const rising = alarms().flatMap(({ alert, expr }) =>
    [...expr.matchAll(/increase\((\w+)(?:{outcome="(\w+)"})?\[/g)].map((found) => ({
      ...{ alert, expr, name: found[1] ?? '', outcome: found[2] },
    })),
  );
  expect(rising.length).toBeGreaterThan(2);
  // A counter that is not there counts from what it first shows: there must be a nought before, or a rule for what is new.
  for (const { alert, expr, name, outcome } of rising) {
    const values = shown.find((one) => one.name === name)?.values ?? [];
    const isThere = values.some(
      ({ labels }) => (labels as { outcome?: string }).outcome === outcome,
    );
    const isNew = expr.includes(`${name} unless ${name} offset 1h`);
    expect([alert, isThere || isNew]).toEqual([alert, true]);
  }
});
