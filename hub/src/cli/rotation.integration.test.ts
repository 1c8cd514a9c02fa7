// The master key is rotated on a database that holds every kind of secret: nothing is lost, and nothing needs the old key.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../../../test/support/hub.ts';
import { type Management, makeApp, manage } from '../../../test/support/management.ts';
import { importCatalog } from '../features/management/imports/index.ts';
import { openContext } from '../platform/context.ts';
import { rows } from '../platform/db/database.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { runRotateMasterKey, SEALED_COLUMNS } from './rotation.ts';

const OLD = randomBytes(32).toString('hex');
const NEW = randomBytes(32).toString('hex');
const log = createLog('silent');
let hub: TestHub;
let api: Management;
let url: string;

beforeAll(async () => {
  url = await cloneDatabase();
  hub = await startTestHub(hubConfig(url, OLD));
  api = await manage(hub);
  await makeApp(api, 'app', {
    alerting: { channels: { webhooks: [{ id: 'h', url: 'https://hooks.example.com/x' }] } },
  });
  await importCatalog(
    { db: hub.context.database.db, sealer: hub.context.sealer },
    hub.tenantId,
    JSON.stringify({
      legacy_apps: [
        {
          name: 'old',
          providers: [{ provider_name: 'vendorA', provider_settings: { api_key: 'k' } }],
        },
      ],
    }),
  );
  await hub.console('POST', '/alert-routes', {
    body: { kind: 'webhook', name: 'r', url: 'https://hooks.example.com/y', min_severity: 'low' },
  });
});
afterAll(() => hub.stop());

const run = (masterKey: string, forgetOld = false) =>
  runRotateMasterKey(
    { config: hubConfig(url, masterKey), log, stdin: process.stdin },
    { forgetOld },
  );

async function sealedTexts(): Promise<{ column: string; text: string }[]> {
  const { db } = hub.context.database;
  const all = SEALED_COLUMNS.map(async ({ table, column }) => {
    const records = await rows(
      db,
      sql<{ text: string }>`SELECT ${sql.ref(column)} AS text FROM ${sql.table(table)}
        WHERE ${sql.ref(column)} IS NOT NULL`,
    );
    return records.map(({ text }) => ({ column: `${table}.${column}`, text }));
  });
  return (await Promise.all(all)).flat();
}

test('every column that the schema calls sealed is rotated', async () => {
  const records = await rows(
    hub.context.database.db,
    sql<{ name: string }>`
      SELECT table_name || '.' || column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name LIKE '%sealed%' ORDER BY 1`,
  );
  const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort();
  expect(known).toEqual(records.map((item) => item.name));
});

test('after it a hub needs only the new key, and every secret is what it was', async () => {
  const before = await sealedTexts();
  const columns = new Set(before.map((item) => item.column));
  expect([...columns]).toEqual(
    expect.arrayContaining([
      'installation_secrets.sealed',
      'providers.sealed_settings',
      'app_keys.sealed_secret',
      'apps.sealed_urls',
      'apps.sealed_inline',
      'idempotency_keys.sealed_answer',
      'notification_channels.url_sealed',
    ]),
  );
  expect(await run(`${NEW} ${OLD}`)).toMatchObject({ resealed: before.length });
  expect(await run(`${NEW} ${OLD}`)).toMatchObject({ resealed: 0 });
  const prefix = hubKeyPrefix(await sealedTexts());
  expect(prefix).toHaveLength(1);
  const other = await startTestHub(hubConfig(url, NEW));
  try {
    const [, key] = [0, (await api.call('GET', '/apps/app/keys')).body.items[0]];
    const revealed = await fetch(
      `${other.url}/llmgateway/management/v1/apps/app/keys/${key.key_id}/reveal`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${api.secret}`, 'idempotency-key': 'r' },
      },
    );
    expect(revealed.status).toBe(200);
  } finally {
    await other.stop();
  }
});

const hubKeyPrefix = (texts: { text: string }[]) => [
  ...new Set(texts.map(({ text }) => text.split('.')[1])),
];

test('reports a secret that no master key decrypts, and leaves it unchanged', async () => {
  const { db } = hub.context.database;
  await sql`UPDATE providers SET sealed_settings = 'v1.00000000.AAAA'`.execute(db);
  await expect(run(`${OLD} ${NEW}`, true)).rejects.toThrow(
    /^1 secrets open with no key of the ring, providers\/.*: nothing is forgotten/,
  );
  const context = await openContext(hubConfig(url, OLD), log);
  // All others are under the other key by now.
  expect((await context.loadSecrets()).installation.feedEpoch).toMatch(/-/);
  await context.close();
});
