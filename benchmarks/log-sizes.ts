// `npm run bench:log-sizes`: a page of the log export beside the same page of a table with 100 times as many rows, in turns.
// Two hubs, each with a database of its own; the rows are narrow, and made in SQL. Prints the ratio; nothing is asserted.
// BENCH_LOG_ROWS (2000000) is the size of the large table, BENCH_ROUNDS (15) the number of turns.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '@gatewarden/hub/src/platform/db/embedded/server.ts';
import pg from 'pg';
import { HUB_MAIN, jsonCommand, startProgram } from '../test/support/programs.ts';
import { median } from './median.ts';

const ROWS = Number(process.env.BENCH_LOG_ROWS ?? 2_000_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const PAGE = 5_000;
/** The rows spread over this much of the past, so that they lie in several partitions. */
const HOURS = 24 * 14;

async function openHub(rows: number) {
  const folder = mkdtempSync(join(tmpdir(), 'gw-bench-sizes-'));
  const env = { HUB_DATA_DIR: folder, HUB_PORT: '0', HUB_LOG_LEVEL: 'info' };
  const command = <T>(...args: string[]) => jsonCommand<T>(HUB_MAIN, args, env);
  const { tenant_id } = await command<{ tenant_id: string }>('tenant', 'create', '--name', 'Bench');
  const { key } = await command<{ key: string }>(
    ...['key', 'export', '--tenant', tenant_id, '--all-apps'],
  );
  const hub = await startProgram(HUB_MAIN, ['serve'], env);
  const ready = hub.lines.find((line) => line.includes('"event":"ready"')) ?? '{}';
  const { url } = JSON.parse(ready) as { url: string };
  const embedded = await openEmbedded(folder);
  const client = new pg.Client(embedded.connection);
  await client.connect();
  await client.query(
    `INSERT INTO llm_requests (tenant_id, at, request_id, app_name, is_failed, is_blocked, is_anonymized, findings,
       tokens_cache_read, received_at, redaction_version, event_bytes, event)
     SELECT $1, date_trunc('milliseconds', now() - interval '1 hour' - (i * $3::float8 / $2) * interval '1 hour'),
       md5(i::text), 'app', false, false, false, 0, 0, now(), 1000, 60,
       '{"app":{"name":"app"},"request":{"id":"' || md5(i::text) || '"}}'
     FROM generate_series(1, $2) i`,
    [tenant_id, rows, HOURS],
  );
  await client.query('VACUUM ANALYZE llm_requests');
  return {
    /** Gives the milliseconds of a page from so many hours ago on. */
    async page(hoursAgo: number): Promise<number> {
      const start = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
      const started = performance.now();
      const asked = get(`${url}/llmgateway/logs/export?limit=${PAGE}&start_time=${start}`, {
        headers: { 'x-gw-log-export-key': key },
      });
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      let tail = '';
      response.on('data', (piece: Buffer) => {
        tail = (tail + piece.toString('latin1')).slice(-1_000);
      });
      await once(response, 'end');
      const taken = performance.now() - started;
      if (!tail.includes(`"rows":${PAGE},`)) throw new Error(`no full page: ${tail}`);
      return taken;
    },
    async close() {
      await client.end();
      await embedded.release();
      await hub.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const small = await openHub(ROWS / 100);
const large = await openHub(ROWS);
try {
  // At the last position the small table still has a page.
  const places = [HOURS, HOURS / 2, HOURS / 3];
  for (const hoursAgo of places) await Promise.all([small.page(hoursAgo), large.page(hoursAgo)]);
  const taken = { small: [] as number[], large: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const hoursAgo of places) {
      taken.small.push(await small.page(hoursAgo));
      taken.large.push(await large.page(hoursAgo));
    }
  }
  const [few, many] = [median(taken.small), median(taken.large)];
  console.log(
    `page of ${PAGE} rows among ${ROWS / 100}: ${few.toFixed(1)} ms, among ${ROWS}: ${many.toFixed(1)} ms, ratio ${(many / few).toFixed(2)}`,
  );
} finally {
  await small.close();
  await large.close();
}
