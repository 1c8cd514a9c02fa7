// Orders of the list of policies: each paged to its end without a gap or a repetition.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
const POLICIES = [
  { name: 'a', execution_policy: 'warn', expires_at: '2998-01-01T00:00:00.000Z' },
  { name: 'b', execution_policy: 'quarantine', expires_at: null },
  { name: 'c', execution_policy: 'allow', expires_at: '2997-01-01T00:00:00.000Z' },
  { name: 'd', execution_policy: 'block', expires_at: '2999-01-01T00:00:00.000Z' },
];

beforeAll(async () => {
  hub = await sharedTestHub();
  const stored = [];
  for (const { name, ...fields } of POLICIES) {
    const approval = { approval_status: 'restricted', scope: { kind: 'tenant' } };
    const body = { match: { name }, ...approval, ...fields };
    const answer = await hub.console('POST', '/overrides', { body });
    expect(answer.status).toBe(201);
    stored.push(answer.body.override);
  }
  const [{ override_id: id, version }] = stored;
  await hub.console('PATCH', `/overrides/${id}`, {
    body: { reason: 'changed last' },
    headers: { 'if-match': version },
  });
});
afterAll(() => hub.stop());

/** The names of the policies, read two at a time. */
async function namesBy(sort: string): Promise<string> {
  const names: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await hub.console('GET', `/overrides?limit=2${sort}${page}`);
    expect(status).toBe(200);
    names.push(...body.items.map((item: { match: { name: string } }) => item.match.name));
    cursor = body.next_cursor;
  }
  return names.join('');
}

it.each([
  ['', 'dcba'],
  ['&sort=-created_at', 'dcba'],
  ['&sort=-updated_at', 'adcb'],
  ['&sort=-execution_policy', 'bdac'],
  ['&sort=expires_at', 'cadb'],
])('lists policies in the order %s as %s', async (sort, names) => {
  expect(await namesBy(sort)).toBe(names);
});

it('refuses an unknown order, and a cursor of another order', async () => {
  expect((await hub.console('GET', '/overrides?sort=name')).status).toBe(400);
  const { body } = await hub.console('GET', '/overrides?limit=2&sort=expires_at');
  const cursor = encodeURIComponent(body.next_cursor);
  const answer = await hub.console('GET', `/overrides?limit=2&sort=-updated_at&cursor=${cursor}`);
  expect(answer.status).toBe(400);
});

it('exports the policies in the same order', async () => {
  const { body } = await hub.console('GET', '/overrides/download?format=json&sort=expires_at');
  const names = body.map((item: { match: { name: string } }) => item.match.name);
  expect(names.join('')).toBe('cadb');
});
