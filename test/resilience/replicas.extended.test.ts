// Two hubs share a database behind a load balancer: each is killed in turn and upgraded in turn while devices push, an
// administrator decides and a device polls. GATEWARDEN_REPLICA_KILLS=12 GATEWARDEN_REPLICA_PAUSE=10 is the long run: a
// kill every ten seconds for two minutes.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { emptyDatabase } from '../support/hub.ts';
import { type Installation, newInstallation } from '../support/installation.ts';
import { isCheckout, NEXT_MIGRATION, unpackNextRelease } from '../support/next-release.ts';
import {
  freePort,
  HUB_MAIN,
  jsonCommand,
  type Program,
  startProgram,
} from '../support/programs.ts';
import { openReplicaProxy, type ReplicaProxy } from '../support/replica-proxy.ts';
import { startTraffic, type Traffic } from '../support/traffic.ts';

const KILLS = Number(process.env.GATEWARDEN_REPLICA_KILLS ?? 2);
const PAUSE_MS = Number(process.env.GATEWARDEN_REPLICA_PAUSE ?? 0.5) * 1_000;

/** Two hub processes on one database, behind a proxy. */
class Replicas {
  readonly programs: Program[] = [];
  #env: NodeJS.ProcessEnv = {};
  #ports: number[] = [];
  #proxy: ReplicaProxy | null = null;

  /** Prepares a database that has a schema but no rows, and starts no hub yet. */
  static async open(main: string): Promise<Replicas> {
    const opened = new Replicas();
    opened.#ports = [await freePort(), await freePort()];
    opened.#proxy = await openReplicaProxy(opened.#ports.map((_, i) => opened.urlOf(i)));
    opened.#env = {
      DATABASE_URL: await emptyDatabase(),
      HUB_MASTER_KEY: randomBytes(32).toString('hex'),
      BASE_URL: opened.proxy.url,
    };
    await jsonCommand(main, ['migrate'], opened.#env);
    return opened;
  }

  get proxy(): ReplicaProxy {
    if (this.#proxy === null) throw new Error('not open');
    return this.#proxy;
  }

  get env(): NodeJS.ProcessEnv {
    return this.#env;
  }

  urlOf(i: number): string {
    return `http://127.0.0.1:${this.#ports[i]}`;
  }

  async start(main: string, i: number): Promise<void> {
    const env = { ...this.#env, HUB_PORT: String(this.#ports[i]) };
    this.programs[i] = await startProgram(main, ['serve'], env);
    await this.proxy.putIn(this.urlOf(i));
  }

  installation(main: string): Promise<Installation> {
    return newInstallation({ main, env: this.#env, url: this.proxy.url }, 'Replicas');
  }

  async close(): Promise<void> {
    await Promise.all(this.programs.map((program) => program.end('SIGTERM')));
    await this.proxy.close();
  }
}

/** Waits until `count` more writes were acknowledged, so that writes begun before have their answers. */
async function more(traffic: Traffic, count = 20): Promise<void> {
  const target = traffic.acknowledged() + count;
  await expect
    .poll(() => traffic.acknowledged(), { timeout: 60_000, interval: 50 })
    .toBeGreaterThan(target);
}

it(`loses no acknowledged data when two hubs are killed in turn (${KILLS} kills)`, async () => {
  const replicas = await Replicas.open(HUB_MAIN);
  await Promise.all([replicas.start(HUB_MAIN, 0), replicas.start(HUB_MAIN, 1)]);
  const traffic = startTraffic(await replicas.installation(HUB_MAIN), { decides: true });
  for (let i = 0; i < KILLS; i++) {
    await more(traffic);
    await sleep(PAUSE_MS);
    expect(await replicas.programs[i % 2]?.end('SIGKILL')).toBe('SIGKILL');
    // The remaining hub serves in the meantime.
    await more(traffic);
    await replicas.start(HUB_MAIN, i % 2);
  }
  await more(traffic);
  await traffic.stop();
  // A kill may break only the requests in flight: five clients have one request each at a time.
  expect(traffic.failures.broken).toBeLessThanOrEqual(KILLS * 6);
  expect(replicas.proxy.served.every((count) => count > 0)).toBe(true);
  await replicas.close();
}, 600_000);

it.skipIf(!isCheckout())(
  'fails no request during a rolling upgrade',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gw-next-'));
    const next = unpackNextRelease(folder);
    const replicas = await Replicas.open(HUB_MAIN);
    for (const i of [0, 1]) await replicas.start(HUB_MAIN, i);
    // Programs that start need the processor more than the traffic does.
    const installation = await replicas.installation(HUB_MAIN);
    const traffic = startTraffic(installation, { decides: true, pauseMs: 400 });
    await more(traffic);
    const { migrated } = await jsonCommand<{ migrated: string[] }>(next, ['migrate'], replicas.env);
    expect(migrated).toEqual([NEXT_MIGRATION]);
    // Hubs of this release work on the new schema.
    await more(traffic);
    for (const i of [0, 1]) {
      await replicas.proxy.takeOut(replicas.urlOf(i));
      expect(await replicas.programs[i]?.end('SIGTERM')).toBe(0);
      await replicas.start(next, i);
      // Both releases run side by side.
      await more(traffic);
    }
    expect(traffic.failures).toEqual({ broken: 0, unavailable: 0 });
    await traffic.stop();
    await replicas.close();
    rmSync(folder, { recursive: true, force: true });
  },
  600_000,
);

if (!isCheckout()) console.warn('skipped: this copy of the source is no git checkout');
