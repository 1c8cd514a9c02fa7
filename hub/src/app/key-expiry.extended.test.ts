// Keys that expire are listed for administrators and reported once by mail, for any number of hub processes.
import { openKeyEndings } from '@gatewarden/hub/src/app/issued-keys.ts';
import { startNotifications } from '@gatewarden/hub/src/platform/feed/notifications.ts';
import { startJobs } from '@gatewarden/hub/src/platform/jobs/jobs.ts';
import { createLog } from '@gatewarden/hub/src/platform/telemetry/log.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aPerson } from '../../../test/support/cookie-browser.ts';
import { startTestHub, type TestHub } from '../../../test/support/hub.ts';
import { anExportKey } from '../../../test/support/logs.ts';
import { makeApp, manage } from '../../../test/support/management.ts';
import { openSmtpSink, reaching, type SmtpSink } from '../../../test/support/sinks.ts';
import type { KeyExpiryNotices } from '../features/people/key-expiry/index.ts';

const log = createLog('silent');
const DAY_MS = 86_400_000;
let hub: TestHub;
let smtp: SmtpSink;
const closers: (() => unknown)[] = [];
const processes: KeyExpiryNotices[] = [];

beforeAll(async () => {
  smtp = await openSmtpSink();
  hub = await startTestHub();
});
afterAll(async () => {
  for (const close of closers.reverse()) await close();
  await smtp.close();
  await hub.context.close();
});

async function aProcess(mailed = true): Promise<KeyExpiryNotices> {
  const { database } = hub.context;
  const config = mailed ? reaching(hub.config, smtp) : hub.config;
  const notifications = await startNotifications({
    connection: database.connection,
    log,
    revive: () => hub.context.revive(),
  });
  const jobs = await startJobs(database, notifications, log);
  closers.push(
    () => notifications.stop(),
    () => jobs.stop(),
  );
  const origin = 'https://hub.example.com';
  return openKeyEndings({ db: database.db, log, config, origin }, jobs);
}

/** Made 60 days ago by this person, of whatever kind, ending in `days`. */
async function ages(table: string, id: string, keyId: string, days: number, by: object | null) {
  const { pool } = hub.context.database;
  const creator = by === null ? '' : ', creator = $4::jsonb';
  const { rowCount } = await pool.query(
    `UPDATE ${table} SET created_at = now() - interval '60 days',
       expires_at = now() + $3::float8 * interval '1 day'${creator}
     WHERE tenant_id = $1 AND ${id} = $2`,
    [hub.tenantId, keyId, days, ...(by === null ? [] : [JSON.stringify(by)])],
  );
  expect(rowCount).toBe(1);
}

it('lists and reports a key once: to its creator, else to administrators', async () => {
  const maker = await aPerson(hub, 'Viewer');
  const admin = await aPerson(hub, 'Admin');
  const gone = { kind: 'person', id: crypto.randomUUID(), email: 'gone@example.com' };
  const person = { kind: 'person', id: maker.userId, email: maker.email };
  const by = await manage(hub);
  await makeApp(by, 'one');
  const appKey = (await by.call('POST', '/apps/one/keys', { body: { name: 'of the app' } })).body
    .key;
  const [first, second, later] = await Promise.all(
    ['one', 'two', 'later'].map((name) => anExportKey(hub, { scope: 'all_apps', name })),
  );
  const token = await hub.console('POST', '/agent-tokens', {
    body: { name: 'fleet', expires_in_days: 300 },
  });
  await ages('log_export_keys', 'key_id', first?.keyId ?? '', 0.9, person);
  await ages('log_export_keys', 'key_id', second?.keyId ?? '', 6, gone);
  await ages('log_export_keys', 'key_id', later?.keyId ?? '', 20, person);
  await ages('app_keys', 'key_id', appKey.key_id, 6.5, person);
  await ages('agent_tokens', 'token_id', token.body.token.token_id, 5, null);

  const listed = await hub.console('GET', '/ending-keys');
  expect(listed.body).toMatchObject({
    days: 30,
    items: [
      { kind: 'log_export_key', name: 'one', created_by: maker.email },
      { kind: 'agent_token', name: 'fleet', created_by: null },
      { kind: 'log_export_key', name: 'two', created_by: 'gone@example.com' },
      { kind: 'key', name: 'of the app', last_used_at: null },
      { kind: 'log_export_key', name: 'later' },
    ],
  });
  expect(
    (await hub.console('GET', '/ending-keys', { token: await hub.tokenFor('Reviewer') })).status,
  ).toBe(403);
  const other = await hub.newTenant('Other');
  const theirs = { tenantId: other.tenantId, token: other.adminToken };
  expect((await hub.console('GET', '/ending-keys', theirs)).body.items).toEqual([]);

  // The hub itself would take the work, and has no mail server.
  await hub.hub.stop();
  const silent = await aProcess(false);
  await silent.evaluate(new Date());
  // It would take the others' mails.
  for (const close of closers.splice(0).reverse()) await close();
  for (let i = 0; i < 2; i++) processes.push(await aProcess());
  const evaluateAll = (at = new Date()) =>
    Promise.all([...processes, ...processes].map((process) => process.evaluate(at)));
  expect(smtp.mails).toEqual([]);
  await evaluateAll();
  await evaluateAll();
  const mailsTo = (email: string) => smtp.mails.filter((mail) => mail.to.includes(email));
  await expect.poll(() => mailsTo(maker.email).length).toBe(1);
  await expect.poll(() => mailsTo(admin.email).length).toBe(1);
  const textOf = (email: string) => mailsTo(email)[0]?.text.replace(/=\r\n/g, '') ?? '';
  expect(textOf(maker.email)).toMatch(/of the app/);
  expect(textOf(maker.email)).not.toMatch(/fleet|two|later/);
  expect(textOf(maker.email)).toContain(`/console/t/${hub.tenantId}/settings/keys`);
  expect(textOf(admin.email)).toMatch(/two[\s\S]*fleet/);
  expect(mailsTo('gone@example.com')).toEqual([]);

  // Days later: the last day of those that are left, and nothing a second time.
  await evaluateAll(new Date(Date.now() + 5.6 * DAY_MS));
  await expect.poll(() => mailsTo(maker.email).length).toBe(2);
  await expect.poll(() => mailsTo(admin.email).length).toBe(2);
  await evaluateAll(new Date(Date.now() + 5.6 * DAY_MS));
  const { rows } = await hub.context.database.pool.query<{ waiting: number; all: number }>(
    `SELECT count(*) FILTER (WHERE state < 'completed') AS waiting, count(*) AS all
     FROM pgboss.job WHERE name = 'key-ending-mails'`,
  );
  expect(rows).toEqual([{ waiting: 0, all: 4 }]);
});

it('retries a mail that is refused', async () => {
  const person = { kind: 'person', id: crypto.randomUUID(), email: 'nobody@example.com' };
  const { pool } = hub.context.database;
  await pool.query(
    `UPDATE log_export_keys SET creator = $1, expires_at = now() + interval '2 days'`,
    [JSON.stringify(person)],
  );
  const { rows } = await pool.query<{ email: string }>(
    `SELECT email FROM members WHERE tenant_id = $1 AND role = 'Admin' AND disabled_at IS NULL`,
    [hub.tenantId],
  );
  const [admin] = rows;
  smtp.refused.add(admin?.email ?? '');
  const before = smtp.mails.length;
  await processes[0]?.evaluate(new Date());
  const waiting = async () =>
    (
      await pool.query<{ count: number }>(
        `SELECT count(*) FROM pgboss.job WHERE name = 'key-ending-mails' AND state = 'created'
           AND data->>'attempts' = '1'`,
      )
    ).rows[0]?.count;
  await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
  smtp.refused.clear();
  await expect.poll(() => smtp.mails.length, { timeout: 40_000 }).toBeGreaterThan(before);
});
