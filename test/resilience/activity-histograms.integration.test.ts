// Histograms of Activity: their counts equal the totals of the lists with the same filters, by tenant.
import type { HistogramAnswer } from '@gatewarden/shared/wire/console/histogram.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDevice, anActivity, anAlert } from '../support/builders.ts';
import { deviceCall, sharedTestHub, type TestHub } from '../support/hub.ts';
import { aNode, aRequestLine, aToolCallLine, minutesAgo } from '../support/logs.ts';

let hub: TestHub;

beforeAll(async () => {
  hub = await sharedTestHub();
  const [linux, mac] = [aDevice(), aDevice({ platform: 'darwin' })];
  const at = (minutes: number) => ({ occurred_at: minutesAgo(minutes) });
  const alerts = [
    anAlert({ severity: 'low', application_name: 'curl', ...at(10) }),
    anAlert({ severity: 'high', application_name: 'curl', ...at(20) }),
    anAlert({ severity: 'high', application_name: 'wget', action: 'quarantine', ...at(90) }),
  ];
  await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', { body: { device: linux, alerts } });
  for (const device of [linux, mac]) {
    const events = [
      anActivity({ decision: 'block', application_name: 'curl', decided_at: minutesAgo(5) }),
      anActivity({ decision: 'warn', application_name: 'wget', decided_at: minutesAgo(50) }),
    ];
    await deviceCall(hub, 'POST', '/ea/v1/sync/activity', { body: { device, events } });
  }
  const node = await aNode(hub, hub.tenantId);
  const blocked = {
    guardrails: { is_blocked: true, actions_and_categories: { block: { pii: ['email'] } } },
  };
  await node.send('llm-requests', [
    aRequestLine({ model: 'model-1' }, blocked),
    aRequestLine({ model: 'model-1', timestamp: minutesAgo(70) }),
    aRequestLine({ model: 'model-2' }),
  ]);
  await node.send('mcp-tool-calls', [aToolCallLine(), aToolCallLine()]);
});
afterAll(() => hub.stop());

async function countsAt(path: string, as: object = {}): Promise<HistogramAnswer> {
  const { status, body } = await hub.console('GET', path, as);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

const facetOf = ({ facets }: HistogramAnswer, name: string) =>
  Object.fromEntries((facets[name] ?? []).map(({ value, count }) => [value, count]));

const LISTS = [
  ['/alerts', ''],
  ['/alerts', 'severity=high'],
  ['/alerts', 'action=quarantine&app=wget&state=open'],
  ['/activity', 'decision=block'],
  ['/activity', 'platform=darwin&app=curl'],
  ['/activity', 'query=wget'],
  ['/llm/requests', 'model=model-1&status=passed'],
  ['/llm/requests', 'guardrail=pii'],
  ['/llm/requests', 'status=blocked&app=no-such-app'],
  ['/mcp/tool-calls', 'verdict=incomplete'],
] as const;

describe('histograms', () => {
  it.each(LISTS)('counts the rows of the list %s with the filters "%s"', async (path, filters) => {
    const from = `from=${new Date(Date.now() - 3_600_000).toISOString()}`;
    for (const query of [filters, [filters, from].filter(Boolean).join('&')]) {
      const counts = await countsAt(`${path}/histogram?${query}`);
      const { body: list } = await hub.console('GET', `${path}?${query}`);
      expect([query, counts.total]).toEqual([query, list.total]);
      const values = counts.series.flatMap((series) => series.values);
      expect(values.reduce((sum, value) => sum + value, 0)).toBe(list.total);
      expect(counts.counted_from).toBe(null);
    }
  });

  it('counts the values of a facet without its own filter', async () => {
    const counts = await countsAt('/alerts/histogram?severity=high');
    expect(facetOf(counts, 'severity')).toEqual({ high: 2, low: 1 });
    expect(facetOf(counts, 'app')).toEqual({ curl: 1, wget: 1 });
    expect(facetOf(counts, 'state')).toEqual({ open: 2 });
    const guardrails = await countsAt('/llm/requests/histogram?status=passed');
    expect(facetOf(guardrails, 'guardrail')).toEqual({});
    expect(facetOf(guardrails, 'status')).toEqual({ passed: 2, blocked: 1 });
  });

  it('divides the period into buckets that contain it', async () => {
    const [from, to] = [minutesAgo(60), minutesAgo(0)];
    const counts = await countsAt(`/alerts/histogram?from=${from}&to=${to}`);
    expect(counts.bucket_seconds).toBe(60);
    expect(counts.from <= from && counts.to >= to).toBe(true);
    expect(counts.buckets.length).toBeGreaterThanOrEqual(60);
    expect(counts.buckets.length).toBeLessThanOrEqual(96);
    expect(counts.total).toBe(2);
    const month = await countsAt(`/alerts/histogram?from=${minutesAgo(30 * 24 * 60)}`);
    expect(month.bucket_seconds).toBe(12 * 3_600);
  });

  it('counts audit events by kind of resource', async () => {
    await hub.console('POST', '/device-groups', { body: { name: 'Counted' } });
    const counts = await countsAt('/audit/histogram?operation=device_group.*');
    const { body } = await hub.console('GET', '/audit?operation=device_group.*');
    expect(body.total).toBe(body.items.length);
    expect(counts.total).toBe(body.items.length);
    expect(counts.series.map(({ value }) => value)).toEqual(['device_group']);
  });

  it('counts no rows of another tenant', async () => {
    const { tenantId, adminToken: token } = await hub.newTenant('Uncounted');
    for (const path of ['/alerts', '/activity', '/llm/requests', '/mcp/tool-calls']) {
      const counts = await countsAt(`${path}/histogram`, { tenantId, token });
      expect([path, counts.total]).toEqual([path, 0]);
      expect(Object.values(counts.facets).flat()).toEqual([]);
    }
  });

  it('rejects an unknown filter', async () => {
    const { status } = await hub.console('GET', '/alerts/histogram?sort=time');
    expect(status).toBe(400);
  });
});
