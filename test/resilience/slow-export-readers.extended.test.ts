// Collectors that do not read, disconnect, or meet an error block no resource that others need.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aNode, anExportKey, aRequestLine, exportPage, minutesAgo } from '../support/logs.ts';

/** More than the hub has database connections. */
const STALLED = 30;

let hub: TestHub;
let key: string;
beforeAll(async () => {
  hub = await startTestHub();
  const node = await aNode(hub, hub.tenantId);
  key = (await anExportKey(hub, { scope: 'all_apps' })).secret;
  const timestamp = minutesAgo(60);
  // 40 MB: no buffer on the way takes it all.
  for (let i = 0; i < 8; i++) {
    const lines = Array.from({ length: 50 }, () =>
      aRequestLine({ timestamp }, { payload: { request_text: 'x'.repeat(100_000) } }),
    );
    expect((await node.send('llm-requests', lines)).status).toBe(202);
  }
});
afterAll(() => hub.stop());

/** Asks for everything, and reads nothing after the first piece until `resume`. */
async function stalled(by = key): Promise<{ socket: Socket; first: string }> {
  const { hostname, port } = new URL(hub.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(
    `GET /llmgateway/logs/export HTTP/1.1\r\nhost: x\r\nx-gw-log-export-key: ${by}\r\n\r\n`,
  );
  const [piece] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  return { socket, first: piece.toString() };
}

async function usedConnections(): Promise<number> {
  const text = await (await fetch(`${hub.url}/metrics`)).text();
  return Number(/gatewarden_db_pool_connections\{state="used"\} (\d+)/.exec(text)?.[1]);
}

it('releases the database connection of a stalled reader, and everything of a disconnected reader', async () => {
  const sockets = await Promise.all(Array.from({ length: STALLED }, () => stalled()));
  // Each has its first rows and the next ones, and waits.
  await expect.poll(usedConnections).toBeLessThanOrEqual(1);
  for (let i = 0; i < 10; i++) {
    const page = await exportPage(hub, 'llmgateway', key, { limit: 5 });
    expect(page.checkpoint).toMatchObject({ rows: 5, has_more: true });
  }
  for (const { socket } of sockets) socket.destroy();
  const wave = () =>
    Promise.all(
      Array.from({ length: 60 }, async () => {
        const { status } = await exportPage(hub, 'llmgateway', key, { limit: 1 });
        return status;
      }),
    );
  await expect.poll(wave).toEqual(Array(60).fill(200));
}, 60_000);

it('stops sending rows when the export key expires meanwhile', async () => {
  const { secret, keyId, version } = await anExportKey(hub, { scope: 'all_apps' });
  const { socket, first } = await stalled(secret);
  await expect.poll(usedConnections).toBeLessThanOrEqual(1);
  const revoked = await hub.console('DELETE', `/log-export-keys/${keyId}`, {
    headers: { 'if-match': version },
  });
  expect(revoked.status).toBe(200);
  let text = first;
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  socket.resume();
  const last = () => text.match(/^\{"type":"(?:checkpoint|error)".*$/gm)?.at(-1);
  await expect.poll(last).toContain('"code":"log_export_key_inactive"');
  expect(text).not.toContain('"checkpoint"');
  expect(text.match(/"type":"llmgateway.request"/g)?.length).toBeLessThan(400);
  socket.destroy();
}, 60_000);

it('reports a failure midway as an error line without a checkpoint', async () => {
  const { socket, first } = await stalled();
  await expect.poll(usedConnections).toBeLessThanOrEqual(1);
  const { pool } = hub.context.database;
  await pool.query('ALTER TABLE llm_requests RENAME COLUMN event TO event_away');
  let text = first;
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  socket.resume();
  const last = () => {
    const lines = text.match(/^\{.*\}$/gm) ?? [];
    return lines.at(-1)?.slice(0, 35);
  };
  await expect.poll(last).toBe('{"type":"error","error":{"message":');
  expect(text).toContain('HTTP/1.1 200 OK');
  expect(text).not.toContain('"checkpoint"');
  socket.destroy();
  // The next request fails before anything was sent.
  const refused = await exportPage(hub, 'llmgateway', key);
  expect(refused.status).toBe(500);
  expect(refused.lines).toEqual([
    { type: 'error', error: { code: 'internal_error', message: expect.any(String) } },
  ]);
  await pool.query('ALTER TABLE llm_requests RENAME COLUMN event_away TO event');
  expect((await exportPage(hub, 'llmgateway', key)).status).toBe(200);
}, 60_000);
