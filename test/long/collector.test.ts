// Minutes of a hub that is killed, a collector that is killed and a network that is cut, while rows keep coming: the
// files contain each row once and in order. Run: npm run long; COLLECTOR_MINUTES (5) sets the time, SEED the faults.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openCuttingProxy } from '../support/cutting-proxy.ts';
import { aRequestLine } from '../support/logs.ts';
import {
  freePort,
  HUB_MAIN,
  jsonCommand,
  type Program,
  spawnProgram,
  startProgram,
} from '../support/programs.ts';

const MINUTES = Number(process.env.COLLECTOR_MINUTES ?? 5);
const SEED = Number(process.env.SEED ?? 11);
const COLLECT = join(import.meta.dirname, '../../collector/src/main.ts');
const BATCH = 40;

function collected(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1))
    .map((line) => JSON.parse(line).request.id as string);
}

test('delivers the source completely to the sink', {
  timeout: (MINUTES + 5) * 60_000,
}, async () => {
  let seed = SEED;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const data = mkdtempSync(join(tmpdir(), 'gw-chaos-'));
  const out = join(data, 'out');
  const port = await freePort();
  const env = { HUB_DATA_DIR: join(data, 'hub'), HUB_PORT: String(port), HUB_LOG_LEVEL: 'info' };
  const command = <T>(...args: string[]) => jsonCommand<T>(HUB_MAIN, args, env);
  const { tenant_id: tenant } = await command<{ tenant_id: string }>(
    'tenant',
    'create',
    '--name',
    'C',
  );
  const { token } = await command<{ token: string }>(
    'token',
    'node',
    '--name',
    'n',
    '--tenant',
    tenant,
  );
  const { key } = await command<{ key: string }>('key', 'export', '--tenant', tenant, '--all-apps');
  const url = `http://127.0.0.1:${port}`;
  let hub = await startProgram(HUB_MAIN, ['serve'], env);
  const proxy = await openCuttingProxy(url);
  const collector = (): Program =>
    spawnProgram(COLLECT, ['--url', proxy.url, '--out', out, '--limit', '100', '--poll', '0.2'], {
      GATEWARDEN_LOG_EXPORT_KEY: key,
    });
  let collecting = collector();

  const sent: string[] = [];
  let isOver = false;
  const feeding = (async () => {
    while (!isOver) {
      const lines = Array.from({ length: BATCH }, (_, i) => {
        const id = `${String(sent.length + i).padStart(9, '0')}`;
        // Older than the lag, and later than all before.
        const timestamp = new Date(Date.now() - 17 * 60_000 + i).toISOString();
        return aRequestLine({ id, timestamp }, { payload: { request_text: 'x'.repeat(500) } });
      });
      const body = lines.map((line) => JSON.stringify(line)).join('\n');
      for (;;) {
        const status = await fetch(`${url}/node/v1/logs/llm-requests`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
          body,
        }).then(
          async (response) => {
            await response.arrayBuffer();
            return response.status;
          },
          () => 0,
        );
        if (status === 202) break;
        await sleep(100);
      }
      sent.push(...lines.map((line) => line.request.id));
      await sleep(BATCH);
    }
  })();

  const tally = { hub: 0, collector: 0, network: 0 };
  const end = Date.now() + MINUTES * 60_000;
  while (Date.now() < end) {
    await sleep(300 + random() * 2_500);
    const what = random();
    if (what < 0.25) {
      tally.hub++;
      await hub.end('SIGKILL');
      hub = await startProgram(HUB_MAIN, ['serve'], env);
    } else if (what < 0.6) {
      tally.collector++;
      await collecting.end('SIGKILL');
      collecting = collector();
    } else {
      tally.network++;
      void proxy.cutAfter(Math.floor(random() * 100_000));
    }
  }
  isOver = true;
  await feeding;
  void proxy.cutAfter(Number.POSITIVE_INFINITY);
  await expect
    .poll(() => collected(out).length, { timeout: 180_000, interval: 500 })
    .toBe(sent.length);
  await collecting.end('SIGTERM');
  expect(collected(out)).toEqual(sent);
  await hub.end('SIGTERM');
  proxy.close();
  rmSync(data, { recursive: true, force: true });
  process.stdout.write(
    `${sent.length} rows in ${MINUTES} minutes; ended: hub ${tally.hub}, collector ${tally.collector}, network ${tally.network} times (seed ${SEED})\n`,
  );
});
