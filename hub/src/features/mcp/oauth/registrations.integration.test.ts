// Registrations and authorizations are limited: for a company behind a single address, and for an attacker who fills
// the list.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { aPerson, REDIRECT, register, toCode } from '../../../../../test/support/mcp-client.ts';
import { areRegistered, storeRedirects } from './store.ts';

/** Each test has its own hub, because limits per address persist. */
let hub: TestHub;
beforeEach(async () => {
  hub = await startTestHub();
});
afterEach(() => hub.stop());

test('lets the same program register for any number of users, and limits new addresses', async () => {
  const prefix = '/gwone';
  const first = await register(hub, { prefix });
  expect(first.status).toBe(201);
  // A hub that is busy refuses more requests at once.
  const statusesOf = async (redirectUri: (n: number) => string) => {
    const statuses = new Set<number>();
    for (let sent = 0; sent < 400; sent += 40) {
      const uris = Array.from({ length: 40 }, (_, n) => redirectUri(sent + n));
      const answers = await Promise.all(
        uris.map((uri) => register(hub, { prefix, redirectUri: uri })),
      );
      for (const { status } of answers) statuses.add(status);
    }
    return statuses;
  };
  const same = await statusesOf((n) => `http://127.0.0.1:${n + 1_024}/callback`);
  expect(same).toEqual(new Set([201]));
  const fresh = await statusesOf((n) => `http://127.0.0.1/${n}`);
  expect(fresh).toEqual(new Set([201, 429]));
});

test('answers 429 to repeated authorizations', async () => {
  const prefix = `/gwone/${hub.tenantId}`;
  const { client_id: client } = (await register(hub, { prefix })).body as { client_id?: string };
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client ?? '',
    redirect_uri: REDIRECT,
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  const begin = () => fetch(`${hub.url}${prefix}/oauth/authorize?${query}`);
  let answer = await begin();
  for (let n = 0; n < 100 && answer.status === 200; n++) {
    answer = (await Promise.all(Array.from({ length: 100 }, begin))).at(-1) ?? answer;
  }
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await answer.text()).toContain('<!doctype html>');
});

test('keeps signed-in clients and admits others when an attacker fills the list', async () => {
  const { db, pool } = hub.context.database;
  const prefix = `/gwone/${hub.tenantId}`;
  const { email } = await aPerson(hub);
  expect((await toCode(hub, email, { prefix })).answer?.has('code')).toBe(true);
  const namespace = `gwone/${hub.tenantId}`;
  const store = (uri: string) => storeRedirects(db, namespace, [uri], null, 20);
  for (let n = 1; n < 20; n++) expect(await store(`http://127.0.0.1/${n}`)).toBe(true);
  // Registrations of users who may be signing in remain.
  expect(await store('http://127.0.0.1/late')).toBe(false);
  await pool.query(
    `UPDATE mcp_redirect_uris SET registered_at = registered_at - interval '1 hour'`,
  );
  expect(await store('http://127.0.0.1/late')).toBe(true);
  const isKnown = (uri: string, name: string | null) => areRegistered(db, namespace, [uri], name);
  expect(await isKnown('http://127.0.0.1/late', null)).toBe(true);
  expect(await isKnown('http://127.0.0.1/1', null)).toBe(false);
  expect(await isKnown(REDIRECT.replace(':9999', ''), 'Test client')).toBe(true);
});
