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

/** Returns the metrics of a hub that has served nothing yet. */
async function metricsAtStart() {
  const { registry } = createMetrics('test', {
    counter: { count: 0 },
    pools: [],
    bodyBytes: () => 0,
    utilization: () => 0,
  });
  return registry.getMetricsAsJSON();
}

async function metricNames(): Promise<string[]> {
  return (await metricsAtStart()).map(({ name }) => name);
}

const readText = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const parseAlarms = (text: string) => (parse(text) as Alarms).groups.flatMap(({ rules }) => rules);

const namesIn = (expr: string) =>
  (expr.match(/gatewarden_\w+/g) ?? []).map((name) => name.replace(/_(bucket|count|sum)$/, ''));

/** Rejects a dashboard that queries an absent metric, or leaves a metric out. */
async function checkDashboard(read: typeof readText): Promise<void> {
  const known = await metricNames();
  const { panels } = JSON.parse(read('dashboards/hub.json')) as Dashboard;
  const names = new Set(
    panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr))),
  );
  expect([...names].filter((name) => !known.includes(name))).toEqual([]);
  expect(known.filter((name) => !names.has(name))).toEqual([]);
}

/** Rejects an alarm that queries an absent metric or has no section in the runbook. */
async function checkAlarms(read: typeof readText): Promise<void> {
  const known = await metricNames();
  const rules = parseAlarms(read('dashboards/alerts.yaml'));
  expect(rules.length).toBeGreaterThan(5);
  const runbook = read(RUNBOOK);
  expect(known.filter((name) => !runbook.includes(`\`${name}`))).toEqual([]);
  for (const { alert, expr, annotations } of rules) {
    const names = namesIn(expr);
    expect([alert, names.length > 0, names.filter((name) => !known.includes(name))]).toEqual([
      alert,
      true,
      [],
    ]);
    const [file, anchor] = annotations.runbook.split('#');
    expect([file, anchor]).toEqual([RUNBOOK, alert.toLowerCase()]);
    expect(runbook).toContain(`<a id="${anchor}"></a>\`${alert}\``);
  }
}

/** Rejects an alarm on `increase()` of a counter that appears with its first event: that event would not count. */
async function checkRisingAlarms(read: typeof readText): Promise<void> {
  const metrics = await metricsAtStart();
  const rising = parseAlarms(read('dashboards/alerts.yaml')).flatMap(({ alert, expr }) =>
    [...expr.matchAll(/increase\((\w+)(?:{outcome="(\w+)"})?\[/g)].map((match) => ({
      ...{ alert, expr, name: match[1] ?? '', outcome: match[2] },
    })),
  );
  expect(rising.length).toBeGreaterThan(2);
  for (const { alert, expr, name, outcome } of rising) {
    const values = metrics.find((metric) => metric.name === name)?.values ?? [];
    const startsAtZero = values.some(
      ({ labels }) => (labels as { outcome?: string }).outcome === outcome,
    );
    const countsFirstEvent = expr.includes(`${name} unless ${name} offset 1h`);
    expect([alert, startsAtZero || countsFirstEvent]).toEqual([alert, true]);
  }
}

test('dashboard queries all metrics of the hub and no others', async () => {
  await checkDashboard(readText);
});

test('alarms query metrics of the hub and have a section in the runbook', async () => {
  await checkAlarms(readText);
});

test('alarms on increases fire on the first event', async () => {
  await checkRisingAlarms(readText);
});

/** Fault, check, file, its text, and the text planted in its place. */
const FAULTS: readonly [
  fault: string,
  check: (read: typeof readText) => Promise<void>,
  path: string,
  text: RegExp,
  planted: string,
][] = [
  [
    'a panel of an absent metric',
    checkDashboard,
    'dashboards/hub.json',
    /gatewarden_http_/g,
    'gatewarden_planted_',
  ],
  [
    'a metric without a panel',
    checkDashboard,
    'dashboards/hub.json',
    /gatewarden_event_loop_\w+/g,
    'up',
  ],
  [
    'an alarm of an absent metric',
    checkAlarms,
    'dashboards/alerts.yaml',
    /gatewarden_/,
    'gatewarden_planted_',
  ],
  ['an alarm without a runbook', checkAlarms, RUNBOOK, /<a id="[^"]+"><\/a>/, ''],
  ['a metric without a runbook', checkAlarms, RUNBOOK, /`gatewarden_/g, 'gatewarden_'],
  [
    'an increase without a first value',
    checkRisingAlarms,
    'dashboards/alerts.yaml',
    / unless gatewarden_\w+ offset 1h/g,
    '',
  ],
];

test.each(FAULTS)('rejects %s', async (_fault, check, path, text, planted) => {
  const changed = readText(path).replace(text, planted);
  expect(changed).not.toBe(readText(path));
  await expect(check((name) => (name === path ? changed : readText(name)))).rejects.toThrow(
    /expected/,
  );
});
