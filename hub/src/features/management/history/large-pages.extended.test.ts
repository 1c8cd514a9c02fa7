// Lists with large rows end a page before the response grows too long, and the pages together list everything.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { type Management, manage } from '../../../../../test/support/management.ts';
import { importCatalog } from '../imports/index.ts';

const COUNT = 7;
/** The most bytes of a page, plus those of its last row and its envelope. */
const LONGEST = 4 * 2 ** 20 + 2 ** 17;

let hub: TestHub;
let api: Management;

const wide = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => `${i}`.padEnd(length, 'x'));

beforeAll(async () => {
  hub = await startTestHub();
  api = await manage(hub);
  for (let i = 0; i < COUNT; i++) {
    const provider = await api.call('POST', '/providers', {
      body: {
        label: `provider ${i}`,
        provider_name: 'gw_ai',
        selected_models: wide(1000, 500),
        model_costs: Object.fromEntries(wide(800, 500).map((name) => [name, { input_per_1m: 1 }])),
      },
    });
    expect(provider.status).toBe(201);
    const made = await api.call('POST', '/apps', {
      body: {
        name: `app ${i}`,
        mode: 'sdk',
        access: { allowed_user_emails: wide(1000, 300), allowed_user_domains: wide(1000, 250) },
        tags: wide(1000, 190),
        self_service: { enable_self_service: true },
      },
    });
    expect(made.status).toBe(201);
  }
  const members = wide(9000, 90);
  const smart_groups = wide(COUNT, 10).map((group_name) => ({ group_name, members }));
  await importCatalog(
    { db: hub.context.database.db, sealer: hub.context.sealer },
    hub.tenantId,
    JSON.stringify({ smart_groups }),
  );
});
afterAll(() => hub.stop());

test.each([
  ['/apps', 'app_id', COUNT],
  ['/providers', 'label', COUNT],
  ['/smart-groups', 'group_name', COUNT],
  ['/audit', 'event_id', 2 * COUNT],
  ['the audit trail for people', 'event_id', 2 * COUNT],
])('lists %s completely in bounded pages', async (path, id, atLeast) => {
  const list = (query: string) =>
    path.startsWith('/')
      ? api.call('GET', `${path}?${query}`)
      : hub.console('GET', `/audit?${query}`);
  const seen: string[] = [];
  const sizes: number[] = [];
  let cursor = '';
  do {
    const { status, body } = await list(`limit=200${cursor}`);
    expect(status).toBe(200);
    expect(JSON.stringify(body).length).toBeLessThan(LONGEST);
    sizes.push(body.items.length);
    seen.push(...body.items.map((item: Record<string, string>) => item[id]));
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
  } while (cursor !== '');
  expect(sizes.length).toBeGreaterThan(1);
  expect(seen.length).toBeGreaterThanOrEqual(atLeast);
  expect(new Set(seen).size).toBe(seen.length);
  const { body } = await list('limit=1');
  expect(body.items.map((item: Record<string, string>) => item[id])).toEqual(seen.slice(0, 1));
});
