// A hub of its own for a benchmark, with a tenant and an agent token, and a bare Fastify to measure it against.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HUB_MAIN, jsonCommand, startProgram } from '../test/support/programs.ts';
import { cpuSeconds } from './cpu.ts';

export interface BenchHub {
  folder: string;
  /** Process id of the hub. */
  pid: number;
  url: string;
  /** A bare Fastify that inflates, parses and answers. */
  bareUrl: string;
  /** URL of a server that checks, sets headers and logs as the hub, and answers a constant. */
  constantUrl: string;
  /** Processor seconds so far of the hub, and of its database. */
  cpu(): { hub: number; database: number; baseline: number };
  /** Headers that every device request carries. */
  headers: Record<string, string>;
  close(): Promise<void>;
}

export async function openBenchHub(more: Record<string, string> = {}): Promise<BenchHub> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-bench-'));
  const env = {
    HUB_DATA_DIR: folder,
    HUB_PORT: '0',
    HUB_LOG_LEVEL: 'info',
    HUB_TOKEN_RATE: '1000000',
    ...more,
  };
  const { tenant_id: tenantId } = await jsonCommand<{ tenant_id: string }>(
    HUB_MAIN,
    ['tenant', 'create', '--name', 'Bench'],
    env,
  );
  const { token } = await jsonCommand<{ token: string }>(
    HUB_MAIN,
    ['token', 'agent', '--tenant', tenantId, '--name', 'bench'],
    env,
  );
  // BENCH_HUB_OPTIONS='--cpu-prof --cpu-prof-dir=/tmp/prof' shows where the hub's time goes.
  const NODE_OPTIONS = process.env.BENCH_HUB_OPTIONS ?? '';
  const hub = await startProgram(HUB_MAIN, ['serve'], { ...env, NODE_OPTIONS });
  const ready = hub.lines.find((line) => line.includes('"event":"ready"')) ?? '{}';
  const bare = spawn(process.execPath, [join(import.meta.dirname, 'baseline.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: bare.stdout }), 'line')) as [string];
  const [bareUrl = '', constantUrl = ''] = line.split(' ');
  const postmaster = Number(
    readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0],
  );
  return {
    folder,
    pid: hub.child.pid ?? 0,
    cpu: () => ({
      hub: cpuSeconds(hub.child.pid ?? 0),
      database: cpuSeconds(postmaster),
      baseline: cpuSeconds(bare.pid ?? 0),
    }),
    url: (JSON.parse(ready) as { url: string }).url,
    bareUrl,
    constantUrl,
    headers: {
      authorization: `Bearer ${token}`,
      'x-tenant-id': tenantId,
      'x-subscriber-id': 'bench',
    },
    async close() {
      bare.kill();
      await hub.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
