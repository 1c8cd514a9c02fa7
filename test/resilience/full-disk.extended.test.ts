// The disk of the embedded database fills up, first for its tables and then for its log, which ends PostgreSQL.
// Acknowledged data stays, other data is stored once on a retry, and no restart is needed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillDisk } from '@gatewarden/agent/test/fill-disk.ts';
import pg from 'pg';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { asAdmin, type Installation, newInstallation } from '../support/installation.ts';
import { freePort, HUB_MAIN, startProgram } from '../support/programs.ts';
import { startTraffic } from '../support/traffic.ts';

/** Room for PostgreSQL's log, its tables and some incoming data. */
const DISK = '400m';
const PATIENCE = { timeout: 60_000, interval: 50 };

const folder = mkdtempSync(join(tmpdir(), 'gw-full-'));
const mounted = mounts();
beforeAll(() => {
  if (!mounted) console.log('skipped: a disk of its own needs root, who may mount a tmpfs');
  return () => {
    if (mounted) execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  };
});

function mounts(): boolean {
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${DISK},mode=0755`, 'tmpfs', folder];
    execFileSync('mount', options, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test.runIf(mounted)(
  'loses no acknowledged data on a full disk, and recovers by itself',
  { timeout: 300_000 },
  async () => {
    const at = await startOnDisk();
    const filler = join(folder, 'filler');
    const traffic = startTraffic(at, { writers: 4 });
    const wrote = async () => {
      const before = traffic.acknowledged();
      await expect.poll(() => traffic.acknowledged(), PATIENCE).toBeGreaterThan(before + 20);
    };
    await wrote();

    fillDisk(filler);
    await expect.poll(() => refusals(at), PATIENCE).toContain('database_full');
    expect((await fetch(`${at.url}/healthz`)).status).toBe(200);
    const devices = await asAdmin(at, 'GET', '/devices');
    expect(devices.status).toBe(200);
    expect(devices.body.items).not.toEqual([]);
    expect(
      (await fetch(`${at.url}/metrics`).then((response) => response.text())).split('\n'),
    ).toContain('gatewarden_database_disk_free_bytes 0');
    rmSync(filler);
    await wrote();

    fillDisk(filler);
    await expect.poll(() => fillLog(), PATIENCE).toBe('it ended');
    await expect.poll(async () => (await fetch(`${at.url}/readyz`)).status, PATIENCE).toBe(503);
    expect((await fetch(`${at.url}/healthz`)).status).toBe(200);
    rmSync(filler);
    await wrote();
    // A write may be first: the connection for notices, without which no hub calls itself ready, waits between its tries.
    await expect.poll(async () => (await fetch(`${at.url}/readyz`)).status, PATIENCE).toBe(200);
    await traffic.stop();
  },
);

async function startOnDisk(): Promise<Installation> {
  const port = await freePort();
  const env = {
    HUB_DATA_DIR: join(folder, 'hub'),
    HUB_PORT: String(port),
    HUB_LOG_LEVEL: 'info',
    BASE_URL: '',
  };
  const hub = await startProgram(HUB_MAIN, ['serve'], env);
  onTestFinished(async () => {
    await hub.end('SIGTERM');
  });
  return newInstallation({ main: HUB_MAIN, env, url: `http://127.0.0.1:${port}` }, 'Full');
}

/** Creates groups as an administrator and returns the error codes of the refused requests. */
async function refusals(at: Installation): Promise<string[]> {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      asAdmin(at, 'POST', '/device-groups', {
        name: `group ${i} ${'x'.repeat(100)} ${Math.random()}`,
      }),
    ),
  );
  const refused = answers.filter((item) => item.status !== 201);
  for (const item of refused) {
    expect(item).toMatchObject({ status: 503 });
    expect(Number(item.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  return refused.map((item) => item.body.error.code);
}

/** Makes PostgreSQL ask for another segment of its log, until the disk has no room for it. */
async function fillLog(): Promise<string> {
  const client = new pg.Client({
    ...{ host: join(folder, 'hub/run'), port: 5432 },
    ...{ user: 'gatewarden', database: 'gatewarden' },
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (;;) {
      await client.query(
        "SELECT pg_logical_emit_message(false, 'x', repeat('y', 2000000)), pg_switch_wal()",
      );
    }
  } catch {
    return (await client.query('SELECT 1').catch(() => null)) === null ? 'it ended' : 'it runs';
  } finally {
    await client.end().catch(() => undefined);
  }
}
