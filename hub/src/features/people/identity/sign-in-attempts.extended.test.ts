// Failed sign-ins are counted by source, account and browser, reported, and leave no row for unknown accounts.
import { randomUUID } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aBrowser,
  aPerson,
  type CookieBrowser,
  loginForm,
  type Person,
} from '../../../../../test/support/cookie-browser.ts';
import {
  cloneDatabase,
  eventsOf,
  hubConfig,
  startTestHub,
  type TestHub,
} from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  const config = hubConfig(await cloneDatabase());
  // The tests themselves are the proxy that names clients.
  hub = await startTestHub({ ...config, trustedProxies: [ipaddr.parseCIDR('127.0.0.1/32')] });
});
afterAll(() => hub.stop());

let addresses = 0;
const anAddress = () => `198.51.100.${++addresses}`;

/** Posts the sign-in form from an address; `browser` keeps its cookies. */
async function attempt(
  login: Pick<Person, 'email' | 'password'>,
  { from, browser = aBrowser(hub) }: { from: string; browser?: CookieBrowser },
): Promise<number> {
  const form = await browser.follow('/console/sign-in');
  const { headers, ...init } = loginForm(login);
  const answer = await browser.request(form.at, {
    ...init,
    headers: { ...headers, 'x-forwarded-for': from },
  });
  return answer.status;
}

/** Guesses until an attempt is limited. A slow machine takes longer, and budgets refill meanwhile. */
async function guessUntilLimited(person: Person, from: (i: number) => string): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 60) {
    const i = statuses.length;
    statuses.push(await attempt({ ...person, password: `guess ${i}` }, { from: from(i) }));
  }
  return statuses;
}

async function rowsOf(table: string): Promise<number> {
  const found = await hub.context.database.pool.query<{ count: string }>(
    `SELECT count(*) FROM ${table}`,
  );
  return Number(found.rows[0]?.count);
}

describe('guessing a password', () => {
  it('ends after ten attempts without locking out the owner elsewhere', async () => {
    const person = await aPerson(hub, 'Viewer');
    const attacker = anAddress();
    const statuses = await guessUntilLimited(person, () => attacker);
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401));
    expect(statuses.at(-1)).toBe(429);
    expect(await attempt(person, { from: anAddress() })).toBe(303);
  });

  it('leaves the owner a known browser behind the same address', async () => {
    const person = await aPerson(hub, 'Viewer');
    const [address, browser] = [anAddress(), aBrowser(hub)];
    expect(await attempt(person, { from: address, browser })).toBe(303);
    expect((await guessUntilLimited(person, () => address)).at(-1)).toBe(429);
    expect(await attempt(person, { from: address, browser })).toBe(303);
  });

  it('counts an IPv6 network as a single source', async () => {
    const person = await aPerson(hub, 'Viewer');
    const statuses = await guessUntilLimited(person, (i) => `2001:db8:7:7::${i + 1}`);
    expect([statuses.length < 30, statuses.at(-1)]).toEqual([true, 429]);
  });

  it('leaves a single audit event with its source in the tenants of the account', async () => {
    const person = await aPerson(hub, 'Viewer');
    const from = anAddress();
    await guessUntilLimited(person, () => from);
    await guessUntilLimited(person, () => from);
    const events = (await eventsOf(hub, person.userId)).filter(
      ({ operation }) => operation === 'user.sign_in_limited',
    );
    expect(events).toMatchObject([{ actor: { kind: 'hub' }, detail: { source: from } }]);
  });
});

it('writes no row for sign-ins that nobody completes', async () => {
  const from = anAddress();
  const tables = ['oidc_payloads', 'sessions', 'audit_events', 'mcp_authorizations'];
  const before = await Promise.all(tables.map(rowsOf));
  for (let i = 0; i < 20; i++) {
    await attempt({ email: `${randomUUID()}@example.com`, password: 'x' }, { from });
  }
  expect(await Promise.all(tables.map(rowsOf))).toEqual(before);
});

it('counts sign-ins by outcome', async () => {
  const count = async (outcome: string) => {
    const text = await (await fetch(`${hub.url}/metrics`)).text();
    const found = new RegExp(`^gatewarden_sign_ins_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm');
    return Number(found.exec(text)?.[1] ?? 0);
  };
  const person = await aPerson(hub, 'Viewer');
  const before = [await count('succeeded'), await count('failed'), await count('limited')];
  const from = anAddress();
  await attempt(person, { from });
  await guessUntilLimited(person, () => from);
  const after = [await count('succeeded'), await count('failed'), await count('limited')];
  const [succeeded, failed = 0, limited] = after.map((value, i) => value - (before[i] ?? 0));
  expect([succeeded, limited]).toEqual([1, 1]);
  expect(failed).toBeGreaterThanOrEqual(10);
});

it('rejects an authorization request that does not fit into a cookie', async () => {
  const browser = aBrowser(hub);
  const { headers } = await browser.request('/console/sign-in');
  const url = new URL(headers.get('location') ?? '');
  url.searchParams.set('state', 'x'.repeat(4_000));
  const answer = await browser.request(url.href);
  expect(answer.status).toBeLessThan(500);
  expect(answer.headers.getSetCookie().join()).not.toContain('gw_login_state');
});
