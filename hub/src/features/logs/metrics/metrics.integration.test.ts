// Metrics in SQL agree with a model of the counting rules in plain TypeScript, on random requests.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { aNode, anExportKey, aRequestLine, minutesAgo } from '../../../../../test/support/logs.ts';
import { makeApp, manage } from '../../../../../test/support/management.ts';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';
import { byCodePoint, percent } from './document.ts';
import { metricsDocument } from './index.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

interface Request {
  app: string;
  categories: string[];
  is_blocked: boolean;
  is_anonymized: boolean;
  email: string | null;
}

const request: fc.Arbitrary<Request> = fc.record({
  app: fc.constantFrom('alpha', 'beta', 'Ünbekannt'),
  categories: fc.uniqueArray(
    fc.constantFrom(
      ...['prompt_injection', 'Custom-Prompt-Injection-2', 'my jailbreak', 'security_exploit'],
      ...['secrets', 'credential-leak', 'pii', 'PHI', 'pci.card', 'pfi', 'spiiral', 'edm_x'],
      ...['Customer Data', 'client_data', 'toxicity', 'épice'],
    ),
    { maxLength: 4 },
  ),
  is_blocked: fc.boolean(),
  is_anonymized: fc.boolean(),
  email: fc.constantFrom(null, 'a@example.com', ' A@Example.com ', 'b@example.com', '', 'c@x'),
});

/** The model follows the rules of document 2, not the SQL. */
function model(requests: readonly Request[], apps: readonly string[]) {
  const folded = (request: string) => request.toLowerCase().replace(/[^a-z0-9]/g, '_');
  const has = (markers: string[]) => (request: Request) =>
    request.categories.some((id) => markers.some((marker) => folded(id).includes(marker)));
  const word = (words: string[]) => (request: Request) =>
    request.categories.some((id) =>
      folded(id)
        .split('_')
        .some((part) => words.includes(part)),
    );
  const count = (...tests: ((request: Request) => boolean)[]) =>
    requests.filter((request) => tests.every((test) => test(request))).length;
  const top = (names: string[], least = 1) => {
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return [...counts]
      .map(([name, n]) => ({ name, count: n }))
      .filter((request) => request.count >= least)
      .sort((a, b) => b.count - a.count || byCodePoint(a.name, b.name));
  };
  const injection = has(['prompt_injection']);
  const jailbreak = has(['jailbreak']);
  const secrets = has(['secret', 'credential']);
  const high = (request: Request) =>
    injection(request) || jailbreak(request) || secrets(request) || has(['exploit'])(request);
  const personal = word(['pii', 'phi', 'pci', 'pfi']);
  const client = (request: Request) =>
    personal(request) || word(['edm'])(request) || has(['client_data', 'customer_data'])(request);
  const violating = (request: Request) => request.categories.length > 0;
  const blocked = (request: Request) => request.is_blocked;
  const violations = requests.filter(violating);
  const emails = violations
    .map((request) => (request.email ?? '').trim().toLowerCase())
    .filter((request) => request !== '');
  const traffic = top(requests.map((request) => request.app));
  const anonymized = count(violating, (request) => request.is_anonymized && !request.is_blocked);
  const stopped = count(violating, blocked);
  return {
    security_metrics: {
      prompt_injection_attempts: count(injection),
      jailbreak_attempts: count(jailbreak),
      secrets_exposure_events: count(secrets),
      pii_phi_pci_violations: {
        total: count(personal),
        pii: count(word(['pii'])),
        phi: count(word(['phi'])),
        pci: count(word(['pci'])),
        pfi: count(word(['pfi'])),
      },
      blocked_requests: count(blocked),
      high_severity_incidents: count(high),
    },
    risk_metrics: {
      top_applications_by_violations: top(violations.map((request) => request.app)).slice(0, 10),
      users_with_repeated_violations: top(emails, 2).slice(0, 10),
      top_violation_categories: top(
        violations.flatMap((request) => request.categories.map((id) => id.toLowerCase())),
      ).slice(0, 10),
      client_data_exposure_attempts: count(client),
    },
    governance_metrics: {
      total_requests: requests.length,
      traffic_share_by_app: traffic.map(({ name, count: n }) => ({
        name,
        requests: n,
        percent: percent(n, requests.length),
      })),
      integrated_applications: {
        count: apps.length,
        names: apps,
        active_in_window: apps.filter((app) => requests.some((request) => request.app === app))
          .length,
      },
      applications_without_traffic_in_window: apps.filter(
        (app) => !requests.some((request) => request.app === app),
      ),
      guardrail_effectiveness: {
        detections_total: violations.length,
        blocked: stopped,
        anonymized,
        monitored_only: violations.length - stopped - anonymized,
        prevented_percent:
          violations.length === 0 ? null : percent(stopped + anonymized, violations.length),
      },
    },
    executive_kpis: {
      critical_events_prevented: count(high, blocked),
      secrets_blocked: count(secrets, blocked),
      prompt_injection_attempts_blocked: count(injection, blocked),
      jailbreak_attempts_blocked: count(jailbreak, blocked),
      sensitive_records_protected: count(
        (request) => client(request) || secrets(request),
        (request) => request.is_blocked || request.is_anonymized,
      ),
    },
  };
}

it('counts like the model for any requests', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 60 }), async (requests) => {
      const tenant = { ...hub, ...(await hub.newTenant('Metrics')) };
      const api = await manage(tenant);
      await makeApp(api, 'alpha');
      await makeApp(api, 'beta');
      await makeApp(api, 'quiet');
      const node = await aNode(hub, tenant.tenantId);
      const lines = requests.map((request, i) =>
        aRequestLine(
          { id: `r${i}` },
          {
            app: { name: request.app },
            guardrails: {
              is_blocked: request.is_blocked,
              is_anonymized: request.is_anonymized,
              actions_and_categories: {
                act: Object.fromEntries(request.categories.map((id) => [id, []])),
              },
            },
            metadata: { extra_data: request.email === null ? {} : { user_email: request.email } },
          },
        ),
      );
      if (lines.length > 0) expect((await node.send('llm-requests', lines)).status).toBe(202);
      const key = await anExportKey(hub, { scope: 'all_apps' }, tenant);
      const answer = await fetch(
        `${hub.url}/llmgateway/logs/export?view=metrics&limit=x&cursor=y`,
        {
          headers: { 'x-gw-log-export-key': key.secret },
        },
      );
      const document = await answer.json();
      expect(document).toMatchObject({
        type: 'llmgateway.executive_metrics',
        schema_version: 'v1',
        scope: 'all_apps',
        ...model(requests, ['alpha', 'beta', 'quiet']),
        coverage: { scanned_requests: requests.length, complete: true, max_scan_rows: 250_000 },
      });
    }),
    { numRuns: propertyRuns(25) },
  );
}, 120_000);

it('covers the first rows in order beyond the cap, and reports it', async () => {
  const tenant = await hub.newTenant('Capped');
  const node = await aNode(hub, tenant.tenantId);
  const lines = [30, 40, 50].map((age) =>
    aRequestLine({ timestamp: minutesAgo(age) }, { guardrails: { is_blocked: age < 45 } }),
  );
  await node.send('llm-requests', lines);
  const asked = {
    tenantId: tenant.tenantId,
    scope: 'all_apps' as const,
    condition: sql`true`,
    apps: [],
    window: { start: minutesAgo(60), end: minutesAgo(15), shown: {} },
  };
  const of = async (maxRows: number) => {
    const { security_metrics, coverage } = await metricsDocument(
      hub.context.database.db,
      asked,
      maxRows,
    );
    return [security_metrics.blocked_requests, coverage.scanned_requests, coverage.complete];
  };
  expect(await of(1)).toEqual([0, 1, false]);
  expect(await of(2)).toEqual([1, 2, false]);
  expect(await of(3)).toEqual([2, 3, true]);
});

it('rounds percentages half up', () => {
  expect([percent(1, 3), percent(2, 3), percent(1, 8), percent(201, 20_000)]).toEqual([
    33.33, 66.67, 12.5, 1.01,
  ]);
});
