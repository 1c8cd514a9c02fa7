// Cost and use agree with a model in plain TypeScript over the sent data in whole numbers: any rows, any days, changing
// prices and erased users.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { aNode, aRequestLine, type LogNode } from '../../../../../test/support/logs.ts';
import { makeApp, makeProvider, manage } from '../../../../../test/support/management.ts';
import { propertyRuns } from '../../../../../test/support/property-runs.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await sharedTestHub();
});
afterAll(() => hub.stop());

const DAY = 86_400_000;
const MIDNIGHT = Math.floor(Date.now() / DAY) * DAY;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Ten-thousandths of a dollar per million tokens, so that the model adds up whole numbers. */
interface Price {
  input?: number;
  output?: number;
  cache?: number;
}
const UNIT = 10_000;

interface Sent {
  ms: number;
  app: string;
  user: string | null;
  provider: string | null;
  model: string | null;
  request: number | null;
  response: number | null;
  cache: number | null;
  blocked: boolean;
  status: number | null;
  error: string | null;
}

const count = fc.oneof(fc.constant(null), fc.constantFrom(0, 1, 333, 1_234_567), fc.nat(5_000_000));
const sent: fc.Arbitrary<Sent> = fc.record({
  // Near the borders of days, on both sides of each.
  ms: fc
    .tuple(fc.integer({ min: -5, max: 0 }), fc.constantFrom(-1, 0, 1, 3_600_000, -7_200_000))
    .map(([day, off]) => Math.min(MIDNIGHT + day * DAY + off, Date.now())),
  app: fc.constantFrom('logged', 'LOGGED ', 'ghost', 'Gäst, "x"', '=cmd()'),
  user: fc.constantFrom(null, 'ann@example.com', ' Ann@Example.com', 'bob@example.com', ''),
  provider: fc.constantFrom(null, '', 'priced', 'other', 'vendorC', 'nobody'),
  model: fc.constantFrom(null, '', 'big', 'small', 'constructor', 'toString'),
  request: count,
  response: count,
  cache: count,
  blocked: fc.boolean(),
  status: fc.constantFrom(null, 200, 399, 400, 429, 500),
  error: fc.constantFrom(null, '', 'reset'),
});

interface Sums {
  requests: number;
  blocked: number;
  failed: number;
  tokens_request: number;
  tokens_response: number;
  tokens_cache_read: number;
  /** A whole number in the unit of the model. */
  cost: bigint;
  without_price: number;
}

function costOf(sent: Sent, prices: Record<string, Record<string, Price>>): bigint | null {
  const of = prices[sent.provider ?? ''];
  const price =
    sent.model !== null && of && Object.hasOwn(of, sent.model) ? of[sent.model] : undefined;
  if (price === undefined || Object.keys(price).length === 0) return null;
  const cached = BigInt(sent.cache ?? 0);
  const all = BigInt(sent.request ?? 0);
  const fresh = all > cached ? all - cached : 0n;
  const dear = (tokens: bigint, per: number | undefined) => tokens * BigInt(per ?? 0);
  return (
    dear(fresh, price.input) +
    dear(cached, price.cache ?? price.input) +
    dear(BigInt(sent.response ?? 0), price.output)
  );
}

function isFailed({ blocked, status, error }: Sent): boolean {
  if (blocked) return false;
  return status === null ? error !== null : status >= 400;
}

const NAMES: Record<string, string> = { 'LOGGED ': 'logged' };
const LABELS: Record<string, (sent: Sent) => string | null> = {
  day: (sent) => dayOf(sent.ms),
  app: (sent) => NAMES[sent.app] ?? sent.app,
  user: (sent) => sent.user?.trim().toLowerCase() || null,
  model: (sent) => sent.model || null,
  provider: (sent) => sent.provider || null,
};

type Retained = { sent: Sent; cost: bigint | null };

function summed(kept: readonly Retained[], by: readonly string[]): Map<string, Sums> {
  const groups = new Map<string, Sums>();
  for (const { sent, cost } of kept) {
    const key = JSON.stringify(by.map((name) => LABELS[name]?.(sent)));
    const sums = groups.get(key) ?? {
      ...{ requests: 0, blocked: 0, failed: 0, tokens_request: 0, tokens_response: 0 },
      ...{ tokens_cache_read: 0, cost: 0n, without_price: 0 },
    };
    sums.requests++;
    sums.blocked += Number(sent.blocked);
    sums.failed += Number(isFailed(sent));
    sums.tokens_request += sent.request ?? 0;
    sums.tokens_response += sent.response ?? 0;
    sums.tokens_cache_read += sent.cache ?? 0;
    sums.cost += cost ?? 0n;
    sums.without_price += Number(cost === null);
    groups.set(key, sums);
  }
  return groups;
}

/** Exactly as a decimal is written, which is what people add up. */
function dollars(cost: bigint): number {
  return Number(`${cost}e-10`);
}
const shown = ({ cost, ...rest }: Sums) => ({ ...rest, cost_usd: dollars(cost) });

function fromCsv(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.replace(/^\ufeff/, '').split('\r\n');
  const names = head.split(',');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const cells = [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      );
      return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
    });
}

const BYS = [['day', 'app', 'user', 'model'], ['app'], ['provider'], ['user', 'provider'], ['day']];

it('returns exact sums for any query while prices change and users are erased', async () => {
  const batches = fc.array(fc.array(sent, { minLength: 1, maxLength: 60 }), {
    minLength: 2,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(batches, fc.array(fc.nat(50_000), { minLength: 12, maxLength: 12 }), history),
    { numRuns: propertyRuns(8), endOnFailure: true },
  );
}, 120_000);

it('leaves out rows beyond the retention that are not yet deleted', async () => {
  const tenant = await hub.newTenant('Short');
  const of = { tenantId: tenant.tenantId, token: tenant.adminToken };
  const node = await aNode(hub, tenant.tenantId);
  const line = (id: string, hours: number) =>
    aRequestLine({ id, timestamp: new Date(Date.now() - hours * 3_600_000).toISOString() });
  await node.send('llm-requests', [line('new', 1), line('old', 60)]);
  const requests = async () =>
    (await hub.console('GET', '/llm/usage?by=app', of)).body.totals.requests;
  expect(await requests()).toBe(2);
  const { body } = await hub.console('GET', '/log-settings', of);
  await hub.console('PUT', '/log-settings', {
    ...of,
    headers: { 'if-match': body.settings.version },
    body: { store_payloads: true, retention_days: 1 },
  });
  expect((await hub.console('GET', '/llm/requests', of)).body.items).toHaveLength(1);
  expect(await requests()).toBe(1);
});

it('limits an immense price to the largest exact number', async () => {
  const tenant = await hub.newTenant('Dear');
  const of = { tenantId: tenant.tenantId, token: tenant.adminToken };
  const api = await manage({ url: hub.url, ...tenant });
  await makeProvider(api, 'dear', {
    selected_models: ['big'],
    model_costs: { big: { input_per_1m: 1e308 } },
  });
  const node = await aNode(hub, tenant.tenantId);
  const line = () =>
    aRequestLine({ provider: 'dear', model: 'big' }, { tokens: { request: 5_000_000 } });
  expect((await node.send('llm-requests', [line(), line()])).status).toBe(202);
  const { status, body } = await hub.console('GET', '/llm/usage?by=app', of);
  expect([status, body.totals.cost_usd]).toEqual([200, Number.MAX_SAFE_INTEGER]);
});

let tenants = 0;
async function history(batches: Sent[][], cents: number[]): Promise<void> {
  const tenant = await hub.newTenant(`T ${++tenants}`);
  const of = { tenantId: tenant.tenantId, token: tenant.adminToken };
  const api = await manage({ url: hub.url, ...tenant });
  await makeApp(api, 'logged');
  const costs = (price: Price) => ({
    ...(price.input === undefined ? {} : { input_per_1m: price.input / UNIT }),
    ...(price.output === undefined ? {} : { output_per_1m: price.output / UNIT }),
    ...(price.cache === undefined ? {} : { cache_per_1m: price.cache / UNIT }),
  });
  const at = (i: number) => cents[i % cents.length] ?? 0;
  const small: Price = { output: at(4) };
  await makeProvider(api, 'other', {
    provider_name: 'vendorC',
    selected_models: ['small'],
    model_costs: { small: costs(small) },
  });
  const priced = (i: number): Record<string, Price> => ({
    big: { input: at(i), output: at(i + 1), cache: at(i + 2) },
    small: { input: at(i + 3) },
  });
  const made = await makeProvider(api, 'priced', {
    selected_models: ['big', 'small'],
    model_costs: { big: costs(priced(0).big ?? {}), small: costs(priced(0).small ?? {}) },
  });
  let version = made.body.provider.version;
  const node: LogNode = await aNode(hub, tenant.tenantId);
  let kept: Retained[] = [];
  for (const [i, batch] of batches.entries()) {
    const own = priced(i);
    if (i > 0) {
      const changed = await api.call('PATCH', '/providers/priced', {
        ifMatch: version,
        body: { model_costs: { big: costs(own.big ?? {}), small: costs(own.small ?? {}) } },
      });
      expect(changed.status).toBe(200);
      version = changed.body.provider.version;
    }
    // The key is the label, or by its type where sent provider alone has that.
    const prices = { priced: own, other: { small }, vendorC: { small } };
    const lines = batch.map((sent) =>
      aRequestLine(
        {
          timestamp: new Date(sent.ms).toISOString(),
          provider: sent.provider,
          model: sent.model,
          status_code: sent.status,
          error_type: sent.error,
        },
        {
          app: { name: sent.app },
          tokens: { request: sent.request, response: sent.response, cache_read: sent.cache },
          guardrails: { is_blocked: sent.blocked },
          metadata: { user_email: sent.user },
        },
      ),
    );
    // A batch that is sent twice counts once.
    for (let time = 0; time < 2; time++) {
      expect((await node.send('llm-requests', lines)).status).toBe(202);
    }
    kept.push(...batch.map((sent) => ({ sent, cost: costOf(sent, prices) })));
    await compare();
  }
  const erased = await hub.console('POST', '/people/bob@example.com/erase', of);
  expect(erased.status).toBe(kept.some(({ sent }) => sent.user === 'bob@example.com') ? 200 : 404);
  kept = kept.filter(({ sent }) => sent.user !== 'bob@example.com');
  await compare();

  async function compare() {
    for (const by of BYS) {
      for (const [from, to] of [
        [-6, 0],
        [-2, -2],
        [-3, -1],
      ] as const) {
        const range = { from: dayOf(MIDNIGHT + from * DAY), to: dayOf(MIDNIGHT + to * DAY) };
        const within = kept.filter(({ sent }) => {
          const day = dayOf(sent.ms);
          return day >= range.from && day <= range.to;
        });
        const query = new URLSearchParams({ by: by.join(','), ...range });
        const { body } = await hub.console('GET', `/llm/usage?${query}`, of);
        const wanted = new Map([...summed(within, by)].map(([key, sums]) => [key, shown(sums)]));
        const got = body.items.map((sent: Record<string, unknown>) => {
          const { day: _d, app: _a, user: _u, model: _m, provider: _p, ...sums } = sent;
          return [JSON.stringify(by.map((name) => sent[name])), sums];
        });
        expect(got.length).toBe(wanted.size);
        expect(Object.fromEntries(got)).toEqual(Object.fromEntries(wanted));
        const all = summed(within, []).get('[]');
        if (all !== undefined) expect(body.totals).toEqual(shown(all));
        query.set('format', 'csv');
        const csv = await fetch(
          `${hub.url}/console/api/v1/tenants/${tenant.tenantId}/llm/usage?${query}`,
          { headers: { authorization: `Bearer ${tenant.adminToken}` } },
        );
        const lines = fromCsv(await csv.text());
        // Without any known price the cost is empty, as on the page.
        expect(lines.map((sent) => sent.cost_usd)).toEqual(
          got.map(([, sums]: [string, ReturnType<typeof shown>]) =>
            sums.without_price === sums.requests ? '' : String(sums.cost_usd),
          ),
        );
        expect(lines.map((sent) => Number(sent.requests))).toEqual(
          got.map(([, sums]: [string, { requests: number }]) => sums.requests),
        );
      }
    }
  }
}
