// `npm run bench:logs`: ingest, export, metrics and redaction beside their baselines, in the same run. Prints ratios;
// nothing is asserted. BENCH_LOG_ROWS (200000) is how many rows there are.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openEmbedded } from '@gatewarden/hub/src/platform/db/embedded/server.ts';
import { redact } from '@gatewarden/shared/redaction/redact.ts';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { HUB_MAIN, jsonCommand, startProgram } from '../test/support/programs.ts';
import { cpuSeconds, residentMiB } from './cpu.ts';
import { hostileTexts, ordinaryLine } from './log-rows.ts';
import { median } from './median.ts';

const ROWS = Number(process.env.BENCH_LOG_ROWS ?? 200_000);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const BATCH = 1_000;
const PAGE = 5_000;

const folder = mkdtempSync(join(tmpdir(), 'gw-bench-logs-'));
const env = {
  HUB_DATA_DIR: folder,
  HUB_PORT: '0',
  HUB_LOG_LEVEL: 'info',
  HUB_NODE_RATE: '1000000',
};
const command = <T>(...args: string[]) => jsonCommand<T>(HUB_MAIN, args, env);
const { tenant_id: tenant } = await command<{ tenant_id: string }>(
  'tenant',
  'create',
  '--name',
  'Bench',
);
const { token } = await command<{ token: string }>(
  'token',
  'node',
  '--name',
  'bench',
  '--tenant',
  tenant,
);
const { key } = await command<{ key: string }>('key', 'export', '--tenant', tenant, '--all-apps');
const NODE_OPTIONS = process.env.BENCH_HUB_OPTIONS ?? '';
const hub = await startProgram(HUB_MAIN, ['serve'], { ...env, NODE_OPTIONS });
const ready = hub.lines.find((line) => line.includes('"event":"ready"')) ?? '{}';
const { url } = JSON.parse(ready) as { url: string };
const embedded = await openEmbedded(folder);
const connection = embedded.connection;
const sql = new pg.Client(connection);
await sql.connect();

const residentMb = () => residentMiB(hub.child.pid ?? 0);
const seconds = async (work: () => Promise<unknown>) => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
};
const report = (...parts: string[]) => console.log(parts.join(', '));

async function send(first: number): Promise<void> {
  const body = Array.from({ length: BATCH }, (_, i) =>
    JSON.stringify(ordinaryLine(first + i, ROWS)),
  ).join('\n');
  const response = await fetch(`${url}/node/v1/logs/llm-requests`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' },
    body,
  });
  if (response.status !== 202) throw new Error(await response.text());
  await response.arrayBuffer();
}

/** On two connections at once. */
async function twoAtOnce(count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < count; i = next++) await work(i);
  };
  await Promise.all([worker(), worker()]);
}

async function benchIngest(): Promise<void> {
  const bodies = ROWS / BATCH;
  const serializing = await seconds(async () => {
    for (let i = 0; i < 20; i++)
      for (let j = 0; j < BATCH; j++) JSON.stringify(ordinaryLine(j, ROWS));
  });
  const taken = await seconds(() => twoAtOnce(bodies, (i) => send(i * BATCH)));
  const lines: string[] = [];
  const columns = (
    await sql.query<{ name: string }>(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'llm_requests' ORDER BY ordinal_position",
    )
  ).rows.map(({ name }) => name);
  let rest = '';
  const collect = new Writable({
    write(piece: Buffer, _encoding, done) {
      const parts = (rest + piece.toString()).split('\n');
      rest = parts.pop() ?? '';
      for (const line of parts) lines.push(line.replace(tenant, OTHER));
      done();
    },
  });
  const sample = Math.min(ROWS, 100_000);
  await pipeline(
    sql.query(copyTo(`COPY (SELECT ${columns} FROM llm_requests LIMIT ${sample}) TO STDOUT`)),
    collect,
  );
  const clients = [new pg.Client(connection), new pg.Client(connection)];
  await Promise.all(clients.map((client) => client.connect()));
  const free = [...clients];
  const copied = await seconds(() =>
    twoAtOnce(sample / BATCH, async (i) => {
      const client = free.pop() as pg.Client;
      const text = `${lines.slice(i * BATCH, (i + 1) * BATCH).join('\n')}\n`;
      await pipeline(
        Readable.from([text]),
        client.query(copyFrom(`COPY llm_requests (${columns}) FROM STDIN`)),
      );
      free.push(client);
    }),
  );
  await Promise.all(clients.map((client) => client.end()));
  await sql.query('DELETE FROM llm_requests WHERE tenant_id = $1', [OTHER]);
  const ours = ROWS / taken;
  const baseline = sample / copied;
  report(
    `ingest ${ours.toFixed(0)} rows/s`,
    `COPY ${baseline.toFixed(0)}`,
    `ratio ${(ours / baseline).toFixed(2)}`,
    `making the lines takes ${((serializing / 20 / BATCH) * 1e6).toFixed(0)} µs of the generator a row`,
  );
}
const OTHER = '00000000-0000-4000-8000-000000000000';

interface ExportedPage {
  cursor: string;
  hasMore: boolean;
  bytes: number;
}

/** Reads a page with the plainest client there is: the client's cost is not the hub's. */
async function page(query: string): Promise<ExportedPage> {
  const asked = get(`${url}/llmgateway/logs/export?limit=${PAGE}&${query}`, {
    headers: { 'x-gw-log-export-key': key },
  });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  let last: Buffer[] = [];
  let bytes = 0;
  response.on('data', (piece: Buffer) => {
    bytes += piece.length;
    last = [...last.slice(-1), piece];
  });
  await once(response, 'end');
  const line = Buffer.concat(last).toString().trimEnd().split('\n').at(-1) ?? '';
  const { next_cursor: cursor, has_more: hasMore } = JSON.parse(line);
  return { cursor, hasMore, bytes };
}

/** Reads all pages in sequence; returns the time of each. */
async function exportAll(): Promise<{ seconds: number; pages: number[]; bytes: number }> {
  let query = `start_time=${new Date(Date.now() - 25 * 3_600_000).toISOString()}`;
  const pages: number[] = [];
  let bytes = 0;
  for (let hasMore = true; hasMore; ) {
    const started = performance.now();
    const exported = await page(query);
    pages.push((performance.now() - started) / 1000);
    bytes += exported.bytes;
    query = `cursor=${exported.cursor}`;
    hasMore = exported.hasMore;
  }
  return { seconds: pages.reduce((sum, page) => sum + page, 0), pages, bytes };
}

/** The same rows by COPY, each made JSON. */
function copyAll(): Promise<number> {
  return seconds(async () => {
    let rest = '';
    const format = new Writable({
      write(piece: Buffer, _encoding, done) {
        const parts = (rest + piece.toString()).split('\n');
        rest = parts.pop() ?? '';
        for (const line of parts) {
          const [at, id, event] = line.split('\t');
          JSON.stringify({ type: 'llmgateway.request', schema_version: 'v1', at, id, event });
        }
        done();
      },
    });
    await pipeline(
      sql.query(
        copyTo(`COPY (SELECT at, request_id, event FROM llm_requests WHERE tenant_id = '${tenant}'
          ORDER BY at, request_id) TO STDOUT`),
      ),
      format,
    );
  });
}

async function benchExport(): Promise<void> {
  const before = residentMb();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMb());
  }, 50);
  const ours: Awaited<ReturnType<typeof exportAll>>[] = [];
  const baseline: number[] = [];
  let cpuOfHub = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = cpuSeconds(hub.child.pid ?? 0);
    ours.push(await exportAll());
    cpuOfHub += cpuSeconds(hub.child.pid ?? 0) - start;
    baseline.push(await copyAll());
  }
  clearInterval(watch);
  const exported = median(ours.map((item) => item.seconds));
  const copied = median(baseline);
  report(
    `export of ${ROWS} rows ${(ROWS / exported).toFixed(0)} rows/s (${((ours[0]?.bytes ?? 0) / exported / 1e6).toFixed(0)} MB/s)`,
    `COPY and JSON ${(ROWS / copied).toFixed(0)}`,
    `ratio ${(copied / exported).toFixed(2)}`,
    `of the rounds ${ours.map((item, i) => ((baseline[i] ?? 0) / item.seconds).toFixed(2)).join(' ')}`,
    `${((cpuOfHub / ROUNDS / ROWS) * 1e6).toFixed(1)} µs of the hub's processor time a row`,
    `hub before ${before.toFixed(0)} MB, at most ${peak.toFixed(0)} MB`,
  );
  const first = median(ours.flatMap(({ pages }) => pages.slice(0, 5)));
  const last = median(ours.flatMap(({ pages }) => pages.slice(-6, -1)));
  report(
    `first pages ${(first * 1000).toFixed(0)} ms`,
    `last ${(last * 1000).toFixed(0)} ms`,
    `ratio ${(last / first).toFixed(2)}`,
  );
}

async function benchMetrics(): Promise<void> {
  const window = [new Date(Date.now() - 25 * 3_600_000), new Date(Date.now() - 15 * 60_000)];
  const ours: number[] = [];
  const bare: number[] = [];
  let isDone = false;
  let extra = ROWS;
  const ingest = (async () => {
    while (!isDone) {
      await send(extra);
      extra += BATCH;
    }
  })();
  for (let i = 0; i < 5; i++) {
    ours.push(
      await seconds(async () => {
        const response = await fetch(
          `${url}/llmgateway/logs/export?view=metrics&start_time=${window[0]?.toISOString()}&end_time=${window[1]?.toISOString()}`,
          { headers: { 'x-gw-log-export-key': key } },
        );
        await response.text();
      }),
    );
    bare.push(
      await seconds(() =>
        sql.query(
          `SELECT count(*), count(app_name), count(findings), count(is_blocked), count(is_anonymized),
            count(categories), count(extra_email) FROM llm_requests
            WHERE tenant_id = $1 AND at >= $2 AND at < $3`,
          [tenant, ...window],
        ),
      ),
    );
  }
  isDone = true;
  await ingest;
  report(
    `metrics over ${Math.min(ROWS, 250_000)} rows ${(median(ours) * 1000).toFixed(0)} ms while ingest goes on`,
    `bare count ${(median(bare) * 1000).toFixed(0)} ms`,
    `ratio ${(median(ours) / median(bare)).toFixed(2)}`,
  );
}

function benchRedaction(): void {
  const rows = Array.from({ length: 2_000 }, (_, i) => ordinaryLine(i, 1));
  const bytes = rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
  const rates = Array.from({ length: 7 }, () => {
    const started = performance.now();
    for (const row of rows) redact(row);
    return bytes / 1e6 / ((performance.now() - started) / 1000);
  });
  const timed = (text: string) => {
    const started = performance.now();
    redact(text);
    return performance.now() - started;
  };
  // Other work of the machine only adds time: the least of alternating rounds is nearest to the work itself.
  const worst = hostileTexts().map(({ seed, of }) => {
    const rounds = Array.from({ length: 9 }, () => [timed(of(1 << 20)), timed(of(1 << 21))]);
    const [first, second] = [0, 1].map((i) => Math.min(...rounds.map((round) => round[i] ?? 0)));
    return { seed, first: first ?? 0, ratio: (second ?? 0) / (first ?? 1) };
  });
  const slowest = worst.toSorted((a, b) => b.first - a.first)[0];
  // A ratio of measurements below 5 ms means nothing.
  const steepest = worst.filter(({ first }) => first > 5).toSorted((a, b) => b.ratio - a.ratio)[0];
  report(
    `redaction ${median(rates).toFixed(0)} MB/s on ordinary rows`,
    `hostile 1 MB at most ${slowest?.first.toFixed(0)} ms (${JSON.stringify(slowest?.seed)})`,
    `2 MB to 1 MB at most ${steepest?.ratio.toFixed(2)} (${JSON.stringify(steepest?.seed)})`,
  );
}

benchRedaction();
await benchIngest();
await sql.query('ANALYZE llm_requests');
await benchExport();
await benchMetrics();
await sql.end();
await embedded.release();
await hub.end('SIGTERM');
rmSync(folder, { recursive: true, force: true });
