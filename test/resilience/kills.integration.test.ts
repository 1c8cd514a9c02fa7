// What an acknowledgement is worth: the hub or its database killed during ingest loses nothing that got a 202.
// Ten kills here; GATEWARDEN_KILLS=500 for the long run.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from '../support/builders.ts';
import { type Answer, call, deviceCall } from '../support/hub.ts';
import {
  freePort,
  HUB_MAIN,
  jsonCommand,
  type Program,
  startProgram,
} from '../support/programs.ts';

const KILLS = Number(process.env.GATEWARDEN_KILLS ?? 10);
const WRITERS = 4;

const folder = mkdtempSync(join(tmpdir(), 'gw-kill-'));
let env: NodeJS.ProcessEnv;
let url: string;
let hub: Program;
let tenantId: string;
let agentToken: string;
let adminToken: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  env = {
    HUB_DATA_DIR: join(folder, 'hub'),
    HUB_PORT: String(port),
    HUB_LOG_LEVEL: 'info',
    BASE_URL: '',
  };
  hub = await startProgram(HUB_MAIN, ['serve'], env);
  tenantId = (
    await jsonCommand<{ tenant_id: string }>(HUB_MAIN, ['tenant', 'create', '--name', 'Kills'], env)
  ).tenant_id;
  const token = async (args: string[]) =>
    (await jsonCommand<{ token: string }>(HUB_MAIN, ['token', ...args, '--tenant', tenantId], env))
      .token;
  agentToken = await token(['agent', '--name', 'kills']);
  adminToken = await token(['admin', '--email', 'a@example.com']);
});

afterAll(async () => {
  await hub.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

/** The process id of the hub's database; 0 while there is none. */
function postmaster(): number {
  try {
    const [pid] = readFileSync(join(folder, 'hub/postgres/postmaster.pid'), 'utf8').split('\n');
    return Number(pid);
  } catch {
    return 0;
  }
}

/** A device that sends batches and alerts until told to stop, and remembers what was acknowledged. */
function writer() {
  const device = aDevice();
  const acknowledged = { entities: new Set<string>(), alerts: new Set<string>() };
  let stopped = false;
  const done = (async () => {
    for (let i = 0; !stopped; i++) {
      const entities = Array.from({ length: 10 }, (_, n) => anEntity(`k${i}-${n}`));
      const batch = aBatch(device, entities, { kind: 'delta', seq: i });
      const alert = anAlert();
      // Sent again until it is acknowledged, under the same ids: once is what must come of it.
      if (await acknowledge('discovered-apps', batch, () => stopped)) {
        for (const one of entities) acknowledged.entities.add(one.name);
      }
      if (await acknowledge('alerts', { device, alerts: [alert] }, () => stopped)) {
        acknowledged.alerts.add(alert.alert_id);
      }
    }
  })();
  return {
    device,
    acknowledged,
    async stop() {
      stopped = true;
      await done;
    },
  };
}

async function acknowledge(
  path: string,
  body: unknown,
  isStopped: () => boolean,
): Promise<boolean> {
  while (!isStopped()) {
    const answer = await attempt(path, body);
    if (answer?.status === 202) return true;
    if (answer !== null) expect([503]).toContain(answer.status);
    await sleep(20);
  }
  return false;
}

async function attempt(path: string, body: unknown): Promise<Answer | null> {
  try {
    return await deviceCall({ url, tenantId, agentToken }, 'POST', `/ea/v1/sync/${path}`, { body });
  } catch {
    // The connection broke: the outcome is unknown, and the same batch goes again.
    return null;
  }
}

async function listed<Item>(path: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const query: string = `${path.includes('?') ? '&' : '?'}limit=200${cursor === null ? '' : `&cursor=${cursor}`}`;
    const answer = await call(`${url}/console/api/v1/tenants/${tenantId}${path}${query}`, 'GET', {
      authorization: `Bearer ${adminToken}`,
    });
    expect(answer.status).toBe(200);
    items.push(...answer.body.items);
    cursor = answer.body.next_cursor;
  } while (cursor !== null);
  return items;
}

async function expectNothingLost(writers: ReturnType<typeof writer>[]): Promise<void> {
  for (const { device, acknowledged } of writers) {
    const names = (await listed<{ name: string }>(`/devices/${device.device_id}/entities`)).map(
      (one) => one.name,
    );
    expect(new Set(names).size).toBe(names.length);
    expect([...acknowledged.entities].filter((name) => !names.includes(name))).toEqual([]);
    const alerts = (
      await listed<{ alert_id: string }>(`/alerts?device_id=${device.device_id}`)
    ).map((one) => one.alert_id);
    expect(new Set(alerts).size).toBe(alerts.length);
    expect([...acknowledged.alerts].filter((id) => !alerts.includes(id))).toEqual([]);
    const { device: shown } = (
      await call(`${url}/console/api/v1/tenants/${tenantId}/devices/${device.device_id}`, 'GET', {
        authorization: `Bearer ${adminToken}`,
      })
    ).body;
    expect(shown.entity_count).toBe(names.length);
  }
  expect(writers.reduce((sum, one) => sum + one.acknowledged.alerts.size, 0)).toBeGreaterThan(
    KILLS,
  );
}

async function ready(): Promise<void> {
  await expect
    .poll(async () => (await fetch(`${url}/readyz`).catch(() => null))?.status, {
      timeout: 30_000,
      interval: 50,
    })
    .toBe(200);
}

describe('kill -9 during ingest', () => {
  it('of the hub loses no acknowledged batch and doubles none', async () => {
    const writers = Array.from({ length: WRITERS }, writer);
    for (let i = 0; i < KILLS; i++) {
      await sleep(100 + Math.random() * 200);
      expect(await hub.end('SIGKILL')).toBe('SIGKILL');
      hub = await startProgram(HUB_MAIN, ['serve'], env);
    }
    await Promise.all(writers.map((one) => one.stop()));
    await expectNothingLost(writers);
  }, 600_000);

  it('of the database answers 503 meanwhile, loses nothing and needs no restart of the hub', async () => {
    const writers = Array.from({ length: WRITERS }, writer);
    for (let i = 0; i < KILLS; i++) {
      await sleep(100 + Math.random() * 200);
      const killed = postmaster();
      process.kill(killed, 'SIGKILL');
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      await expect
        .poll(
          async () => (await attempt('alerts', { device: aDevice(), alerts: [anAlert()] }))?.status,
          {
            timeout: 30_000,
            interval: 20,
          },
        )
        .toBe(202);
      // A session that was at work may still have answered, and been right to: what it committed is on the disk.
      await expect
        .poll(postmaster, { timeout: 30_000, interval: 20 })
        .toSatisfy((pid: number) => pid !== 0 && pid !== killed);
      await ready();
    }
    await Promise.all(writers.map((one) => one.stop()));
    await expectNothingLost(writers);
    expect(hub.child.exitCode).toBeNull();
    const told = hub.lines.filter((line) => line.includes('database_lost'));
    expect(told.length).toBeGreaterThanOrEqual(1);
  }, 600_000);

  it('SIGTERM lets running requests end and exits with 0', async () => {
    const requests = Array.from({ length: 20 }, () =>
      attempt(
        'discovered-apps',
        aBatch(
          aDevice(),
          Array.from({ length: 50 }, () => anEntity(randomUUID())),
        ),
      ),
    );
    await Promise.race(requests);
    const code = await hub.end('SIGTERM');
    const answers = (await Promise.all(requests)).filter((one) => one !== null);
    expect(code).toBe(0);
    expect(
      answers.map((one) => one?.status).every((status) => status === 202 || status === 503),
    ).toBe(true);
    hub = await startProgram(HUB_MAIN, ['serve'], env);
  });
});
