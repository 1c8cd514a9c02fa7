// A proof sends a test alert over each channel, reports each failure, and stores its outcome for the hub.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { cloneDatabase, hubConfig, startTestHub, type TestHub } from '../../../test/support/hub.ts';
import {
  type HttpSink,
  openHttpSink,
  openSmtpSink,
  reaching,
  type SmtpSink,
} from '../../../test/support/sinks.ts';
import { HUB_VERSION } from '../app/version.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { runProof } from './doctor.ts';

const { isCitus } = inject('postgres');

describe.runIf(!isCitus)('test alert of a proof', () => {
  let hub: TestHub;
  let sink: HttpSink;
  let smtp: SmtpSink;
  let folder: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gw-prove-alerts-'));
    sink = await openHttpSink();
    smtp = await openSmtpSink();
    const config = hubConfig(await cloneDatabase(), randomBytes(32).toString('hex'));
    hub = await startTestHub(reaching(config, smtp));
  });
  afterEach(async () => {
    await hub.stop();
    await sink.close();
    await smtp.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const prove = async (alerts?: string, stopped = new AbortController().signal) => {
    const found = await runProof(
      { config: hub.config, log: createLog('silent'), stdin: process.stdin },
      { report: join(folder, `${randomBytes(6).toString('hex')}.json`), alerts, stopped },
    );
    const text = readFileSync(found.report, 'utf8');
    const step = found.steps.find((row) => row.name === 'test alert');
    return { ...found, step, text, routes: JSON.parse(text).alert_routes };
  };
  const createChannel = async (
    body: object,
    token?: string,
    tenantId?: string,
  ): Promise<string> => {
    const created = await hub.console('POST', '/alert-routes', {
      body: { min_severity: 'critical', ...body },
      ...(token === undefined ? {} : { token, tenantId: tenantId ?? hub.tenantId }),
    });
    expect(created.status).toBe(201);
    return created.body.route.route_id;
  };
  const webhook = (path: string) => ({ kind: 'webhook', name: path, url: `${sink.url}/${path}` });
  const health = async () => (await hub.console('GET', '/hub-health')).body.health;
  const metrics = async () => (await fetch(`${hub.url}/metrics`)).text();

  test('reports that no channel exists, and stores the proof for the hub', async () => {
    expect(await health()).toMatchObject({ last_proof: null, problems: ['backup_unknown'] });
    expect(await metrics()).not.toMatch(/^gatewarden_last_proof_timestamp_seconds\{/m);
    const { ok, step, routes } = await prove();
    expect({ ok, step, routes }).toMatchObject({
      ok: true,
      step: { ok: true, detail: 'no notification channel is enabled: nobody was notified' },
      routes: [],
    });
    const { last_proof: last, problems } = await health();
    expect(last).toMatchObject({ version: HUB_VERSION, failed: [] });
    expect(problems).toEqual(['backup_unknown']);
    const seconds = Date.parse(last.at) / 1000;
    expect(await metrics()).toContain(
      `gatewarden_last_proof_timestamp_seconds{result="proved"} ${seconds}`,
    );
  });

  test('reports, without proving, an outcome that the database cannot store', async () => {
    const { pool } = hub.context.database;
    await pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no room'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE OF last_proof_at ON installation
        FOR EACH ROW EXECUTE FUNCTION refuse()`);
    const { ok, steps, text } = await prove();
    expect({ ok, last: steps.at(-1) }).toMatchObject({
      ok: false,
      last: { name: 'note', ok: false, detail: 'no room' },
    });
    expect(JSON.parse(text).proved).toBe(false);
  });

  test("delivers a test by each kind of channel, and lists it in the channel's history", async () => {
    const id = await createChannel(webhook('hook'));
    await createChannel({ kind: 'chat', name: 'room', url: `${sink.url}/room` });
    await createChannel({ kind: 'email', name: 'mail', to: ['ops@example.com'] });
    const off = await createChannel(webhook('off'));
    const disabled = await hub.console('PATCH', `/alert-routes/${off}`, {
      headers: { 'if-match': '"1"' },
      body: { enabled: false },
    });
    expect(disabled.status).toBe(200);
    const { ok, step, text } = await prove();
    expect({ ok, detail: step?.detail }).toEqual({
      ok: true,
      detail: '3 of 3 notification channels delivered it',
    });
    expect(sink.at('/hook')).toHaveLength(1);
    expect(sink.at('/hook')[0]?.body).toMatchObject({
      type: 'alert.test',
      data: { alert: { message: expect.stringContaining('doctor --prove') } },
    });
    expect(sink.at('/hook')[0]?.headers['webhook-signature']).toMatch(/^v1,/);
    expect(sink.at('/room')[0]?.body.text).toContain('Test alert');
    expect(smtp.mails[0]?.to).toEqual(['ops@example.com']);
    expect(sink.at('/off')).toEqual([]);
    expect(text).not.toContain(off);
    expect(text).not.toContain(sink.url);
    const kept = await hub.console('GET', `/alert-routes/${id}/deliveries`);
    expect(kept.body.items).toMatchObject([{ is_test: true, state: 'delivered', attempts: 1 }]);
    const { pool } = hub.context.database;
    const audited = await pool.query(
      "SELECT actor ->> 'kind' AS kind FROM audit_events WHERE operation = 'alert_route.test'",
    );
    expect(audited.rows).toEqual([
      { kind: 'operator' },
      { kind: 'operator' },
      { kind: 'operator' },
    ]);
  });

  test('fails the proof for a refusing channel, and names each without its secret', async () => {
    sink.answer = (response, path) =>
      response.writeHead(path === '/broken-secret' ? 500 : 204).end('a word of the target');
    await createChannel({ ...webhook('broken-secret'), name: 'bro\u202eken' });
    await createChannel(webhook('fine'));
    const { ok, step, text, routes } = await prove();
    expect(ok).toBe(false);
    expect(step).toMatchObject({
      ok: false,
      detail: `1 of 2 notification channels delivered it; webhook "bro ken" of tenant ${hub.tenantId}: answered 500`,
    });
    expect(routes.map((item: { ok: boolean }) => item.ok).toSorted()).toEqual([false, true]);
    expect(text).not.toContain('broken-secret');
    expect(text).not.toContain('a word of the target');
    expect(sink.at('/broken-secret')).toHaveLength(1);
    expect(await health()).toMatchObject({
      last_proof: { failed: ['test alert'] },
      problems: ['backup_unknown', 'proof_failed'],
      deliveries: { waiting: 0 },
    });
    expect(await metrics()).toMatch(
      /^gatewarden_last_proof_timestamp_seconds\{result="failed"\} \d/m,
    );
    // After the repair the next proof reports success.
    sink.answer = (response) => response.writeHead(204).end();
    expect((await prove()).ok).toBe(true);
    expect(await metrics()).not.toContain('result="failed"');
  });

  test('tests a single tenant by its id, and no channel when none is requested', async () => {
    const other = await hub.newTenant('Other');
    await createChannel(webhook('first'));
    await createChannel(webhook('other'), other.adminToken, other.tenantId);
    expect((await prove(other.tenantId)).step?.detail).toBe(
      '1 of 1 notification channels delivered it',
    );
    expect(sink.received.map((item) => item.path)).toEqual(['/other']);
    expect((await prove('none')).step).toMatchObject({
      ok: true,
      detail: 'none was sent, as requested',
    });
    expect(sink.received).toHaveLength(1);
    await expect(prove(randomBytes(16).toString('hex'))).rejects.toThrow(/tenant/);
    await expect(prove('nobody')).rejects.toThrow(/tenant/);
  });

  test('stops although a target does not answer', async () => {
    const stop = new AbortController();
    sink.answer = () => stop.abort(new Error('stopped'));
    await createChannel(webhook('silent'));
    await expect(prove('all', stop.signal)).rejects.toThrow('stopped');
    expect(await health()).toMatchObject({ last_proof: null });
  });
});
