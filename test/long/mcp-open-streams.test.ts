// Ten thousand event streams that MCP clients keep open at a hub: the memory of each, and that it does not grow.
// Run: npm run long. STREAMS=1000 makes it smaller.
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { openEmbedded } from '@gatewarden/hub/src/platform/db/embedded/server.ts';
import { foldName } from '@gatewarden/shared/names.ts';
import { hashSecret, makeSecret } from '@gatewarden/shared/secrets.ts';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openBenchHub } from '../../benchmarks/bench-hub.ts';
import { HUB_MAIN, jsonCommand } from '../support/programs.ts';

const STREAMS = Number(process.env.STREAMS ?? 10_000);
/** How long the least is looked for, and half as long again. */
const SETTLE_MS = Number(process.env.SETTLE_MS ?? 120_000);
const PER_TOKEN = 200;
const EMAIL = 'streams@example.com';
const AT_ONCE = 100;

const residentKiB = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test(`keeps the memory of ${STREAMS} open streams constant`, { timeout: 600_000 }, async () => {
  const hub = await openBenchHub();
  onTestFinished(() => hub.close());
  const tenantId = hub.headers['x-tenant-id'] ?? '';
  await jsonCommand(
    HUB_MAIN,
    ['user', 'create', '--tenant', tenantId, '--email', EMAIL, '--password-stdin'],
    { HUB_DATA_DIR: hub.folder },
    'password of the streams',
  );
  const embedded = await openEmbedded(hub.folder);
  const client = new pg.Client(embedded.connection);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await embedded.release();
  });
  const tokens = Array.from({ length: Math.ceil(STREAMS / PER_TOKEN) }, () =>
    makeSecret('gatewayOAuth'),
  );
  const { rows } = await client.query<{ token_id: string; token_hash: Buffer }>(
    `INSERT INTO mcp_tokens (token_hash, token_id, namespace, tenant_id, user_id, email, email_folded, redirect_host)
     SELECT h, gen_random_uuid(), 'gwone', tenant_id, user_id, email, $2, 'long'
     FROM members, unnest($1::bytea[]) AS h WHERE email = $3 RETURNING token_id, token_hash`,
    [tokens.map(hashSecret), foldName(EMAIL), EMAIL],
  );
  const idOf = new Map(rows.map((row) => [row.token_hash.toString('hex'), row.token_id]));
  const sessions = Array.from({ length: STREAMS }, (_, i) => {
    const token = tokens[Math.floor(i / PER_TOKEN)] ?? '';
    return { session: `session-${i}`, token, tokenId: idOf.get(hashSecret(token).toString('hex')) };
  });
  await client.query(
    `INSERT INTO mcp_sessions (session_hash, namespace, token_id, protocol_version, capabilities)
     SELECT h, 'gwone', t, '2025-11-25', '{}' FROM unnest($1::bytea[], $2::uuid[]) AS s(h, t)`,
    [
      sessions.map((session) => hashSecret(session.session)),
      sessions.map((session) => session.tokenId),
    ],
  );
  const { hostname, port } = new URL(hub.url);
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  const open = ({ session, token }: { session: string; token: string }) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.on('error', reject);
      socket.once('data', (data) => {
        if (/^HTTP\/1\.1 200/.test(String(data))) resolve();
        else reject(new Error(String(data)));
      });
      socket.write(
        `GET /gwone/mcp HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${token}\r\naccept: text/event-stream\r\nmcp-session-id: ${session}\r\n\r\n`,
      );
    });
  // The first request loads code whose memory belongs to no stream.
  await open(sessions[0] as (typeof sessions)[0]);
  const before = residentKiB(hub.pid);
  const startedAt = performance.now();
  for (let i = 1; i < STREAMS; i += AT_ONCE) {
    await Promise.all(sessions.slice(i, i + AT_ONCE).map(open));
  }
  const took = performance.now() - startedAt;
  // Beats go through all of them, and what they leave is collected now and then: what stays is the least.
  const leastOf = async (ms: number) => {
    let least = Number.POSITIVE_INFINITY;
    for (const end = performance.now() + ms; performance.now() < end; await pause(1_000)) {
      least = Math.min(least, residentKiB(hub.pid));
    }
    return least;
  };
  const settled = await leastOf(SETTLE_MS);
  const later = await leastOf(SETTLE_MS * 1.5);
  process.stdout.write(
    `${STREAMS} streams: ${((settled - before) / STREAMS).toFixed(1)} KiB each (hub ${(before / 1024).toFixed(0)} → ${(settled / 1024).toFixed(0)} MiB, later ${(later / 1024).toFixed(0)} MiB), opened in ${(took / 1000).toFixed(1)} s\n`,
  );
  expect(sockets.every((socket) => !socket.destroyed)).toBe(true);
  expect(later).toBeLessThan(settled * 1.1);
});
