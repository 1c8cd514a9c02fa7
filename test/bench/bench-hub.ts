// A hub of its own for a benchmark, with a tenant and an agent token, and a bare Fastify to measure it against.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HUB_MAIN, jsonCommand, startProgram } from '../support/programs.ts';

export interface BenchHub {
  folder: string;
  url: string;
  bareUrl: string;
  /** Those of every device request. */
  headers: Record<string, string>;
  close(): Promise<void>;
}

export async function openBenchHub(): Promise<BenchHub> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-bench-'));
  const env = {
    HUB_DATA_DIR: folder,
    HUB_PORT: '0',
    HUB_LOG_LEVEL: 'info',
    HUB_TOKEN_RATE: '1000000',
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
  const hub = await startProgram(HUB_MAIN, ['serve'], env);
  const ready = hub.lines.find((line) => line.includes('"event":"ready"')) ?? '{}';
  const bare = spawn(process.execPath, [join(import.meta.dirname, 'yardstick.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [bareUrl] = (await once(createInterface({ input: bare.stdout }), 'line')) as [string];
  return {
    folder,
    url: (JSON.parse(ready) as { url: string }).url,
    bareUrl,
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
