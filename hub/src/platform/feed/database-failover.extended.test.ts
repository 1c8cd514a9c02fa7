// The database name resolves to another server after a failover, while the former server continues read-only.
import { mkdtemp, readlink, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openEmbedded } from '../db/embedded/server.ts';
import { createLog } from '../telemetry/log.ts';
import { CHANNEL, startNotifications } from './notifications.ts';

test('listens at the new server, and invalidates caches of the former server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatewarden-switch-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [former, next] = await Promise.all(
    ['former', 'next'].map(async (name) => {
      const server = await openEmbedded(join(folder, name));
      onTestFinished(() => server.release());
      const client = new pg.Client(server.connection);
      await client.connect();
      onTestFinished(() => client.end());
      return { ...server, client };
    }),
  );
  if (former === undefined || next === undefined) throw new Error('two servers were started');
  const name = join(folder, 'name');
  const pointTo = async (host: string) => {
    await symlink(host, `${name}.new`);
    await rename(`${name}.new`, name);
  };
  await pointTo(former.connection.host as string);
  const { database, user } = former.client;
  await former.client.query(`ALTER DATABASE "${database}" SET default_transaction_read_only = on`);
  const notifications = await startNotifications({
    connection: { ...former.connection, host: name },
    log: createLog('silent'),
    revive: async () => undefined,
  });
  onTestFinished(() => notifications.stop());
  let losses = 0;
  notifications.onLost(() => {
    losses += 1;
  });
  const received: string[] = [];
  notifications.onNotice((notice) => {
    if (notice.kind === 'job') received.push(notice.queue);
  });
  const send = (from: pg.Client, queue: string) =>
    from.query('SELECT pg_notify($1, $2)', [CHANNEL, JSON.stringify({ kind: 'job', queue })]);
  const connections = async (client: pg.Client) => {
    const { rows } = await client.query(
      "SELECT FROM pg_stat_activity WHERE usename = $1 AND application_name = 'gatewarden-hub-listen'",
      [user],
    );
    return rows.length;
  };
  await send(former.client, 'former');
  await expect.poll(() => received).toEqual(['former']);
  await pointTo(next.connection.host as string);
  expect(await readlink(name)).toBe(next.connection.host);
  await expect.poll(() => losses, { timeout: 30_000 }).toBe(1);
  await send(next.client, 'next');
  await expect.poll(() => received).toEqual(['former', 'next']);
  expect(notifications.isLive).toBe(true);
  await expect.poll(() => connections(former.client)).toBe(0);
  expect(await connections(next.client)).toBe(1);
});
