// An acknowledgment is durable: a kill of the hub or its database during ingest loses nothing that got a 202.
// GATEWARDEN_KILLS=500 is the long run, instead of six kills.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from '../support/builders.ts';
import { type Answer, deviceCall } from '../support/hub.ts';
import { type Installation, newInstallation } from '../support/installation.ts';
import { freePort, HUB_MAIN, type Program, startProgram } from '../support/programs.ts';
import { startTraffic } from '../support/traffic.ts';

const KILLS = Number(process.env.GATEWARDEN_KILLS ?? 6);
const WRITERS = KILLS > 50 ? 8 : 4;
const PATIENCE_MS = Math.max(600_000, KILLS * 15_000);

const folder = mkdtempSync(join(tmpdir(), 'gw-kill-'));
let env: NodeJS.ProcessEnv;
let url: string;
let hub: Program;
let at: Installation;

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
  at = await newInstallation({ main: HUB_MAIN, env, url }, 'Kills');
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

async function attempt(path: string, body: unknown): Promise<Answer | null> {
  try {
    return await deviceCall(at, 'POST', `/ea/v1/sync/${path}`, { body });
  } catch {
    return null;
  }
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
  it(
    'loses and duplicates no acknowledged batch when the hub is killed',
    async () => {
      const traffic = startTraffic(at, { writers: WRITERS });
      for (let i = 0; i < KILLS; i++) {
        await sleep(100 + Math.random() * 200);
        expect(await hub.end('SIGKILL')).toBe('SIGKILL');
        hub = await startProgram(HUB_MAIN, ['serve'], env);
      }
      await expect.poll(() => traffic.acknowledged(), { timeout: 60_000 }).toBeGreaterThan(KILLS);
      await traffic.stop();
    },
    PATIENCE_MS,
  );

  it(
    'answers 503 while the database is killed, loses nothing and needs no restart',
    async () => {
      const traffic = startTraffic(at, { writers: WRITERS });
      for (let i = 0; i < KILLS; i++) {
        await sleep(100 + Math.random() * 200);
        const killed = postmaster();
        process.kill(killed, 'SIGKILL');
        expect((await fetch(`${url}/healthz`)).status).toBe(200);
        await expect
          .poll(
            async () =>
              (await attempt('alerts', { device: aDevice(), alerts: [anAlert()] }))?.status,
            {
              timeout: 30_000,
              interval: 20,
            },
          )
          .toBe(202);
        // A session in the middle of a batch may still have answered, rightly: its committed data is on the disk.
        await expect
          .poll(postmaster, { timeout: 30_000, interval: 20 })
          .toSatisfy((pid: number) => pid !== 0 && pid !== killed);
        await ready();
      }
      await expect.poll(() => traffic.acknowledged(), { timeout: 60_000 }).toBeGreaterThan(KILLS);
      await traffic.stop();
      expect(hub.child.exitCode).toBeNull();
      const lossReports = hub.lines.filter((line) => line.includes('database_lost'));
      expect(lossReports.length).toBeGreaterThanOrEqual(1);
    },
    PATIENCE_MS,
  );

  it('finishes running requests on SIGTERM and exits with 0', async () => {
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
    const answers = (await Promise.all(requests)).filter((request) => request !== null);
    expect(code).toBe(0);
    expect(
      answers.map((item) => item?.status).every((status) => status === 202 || status === 503),
    ).toBe(true);
    hub = await startProgram(HUB_MAIN, ['serve'], env);
  });
});
