// The reference collector writes each row once and in order, through every interruption and every kill.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openCuttingProxy } from '../support/cutting-proxy.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { aNode, anExportKey, aRequestLine, minutesAgo } from '../support/logs.ts';

const MAIN = join(import.meta.dirname, '../../collector/src/main.ts');
const ROWS = 4_000;
const CUTS = Number(process.env.COLLECTOR_CUTS ?? 25);

let hub: TestHub;
let key: string;
let folder: string;
const ids: string[] = [];
beforeAll(async () => {
  hub = await startTestHub();
  const node = await aNode(hub, hub.tenantId);
  key = (await anExportKey(hub, { scope: 'all_apps' })).secret;
  const timestamp = minutesAgo(60);
  for (let i = 0; i < ROWS; i += 500) {
    const lines = Array.from({ length: 500 }, (_, j) =>
      aRequestLine(
        { id: String(i + j).padStart(6, '0'), timestamp },
        { payload: { request_text: 'x'.repeat((i + j) % 400) } },
      ),
    );
    ids.push(...lines.map((line) => line.request.id));
    await node.send('llm-requests', lines);
  }
  folder = mkdtempSync(join(tmpdir(), 'gw-collector-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await hub.stop();
});

function run(
  url: string,
  ...more: string[]
): { child: ChildProcess; ended: Promise<number | null> } {
  const child = spawn(
    process.execPath,
    [MAIN, '--url', url, '--out', folder, '--limit', '90', '--once', ...more],
    { env: { ...process.env, GATEWARDEN_LOG_EXPORT_KEY: key }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  return { child, ended: once(child, 'exit').then(([code]) => code as number | null) };
}

/** Returns the ids of all complete lines; a line that a kill cut short has no end of line. */
function collected(): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1))
    .map((line) => JSON.parse(line).request.id);
}

it('collects every row once through repeated kills and disconnects', async () => {
  const proxy = await openCuttingProxy(hub.url);
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  for (let i = 0; i < CUTS; i++) {
    const cut = proxy.cutAfter(1 + Math.floor(random() * 200_000));
    const { child, ended } = run(proxy.url);
    const finished = await Promise.race([cut.then(() => false), ended.then(() => true)]);
    if (finished) break;
    child.kill('SIGKILL');
    await ended;
    const so_far = collected();
    expect(so_far).toEqual(ids.slice(0, so_far.length));
  }
  // Only the network is cut: the collector continues without a restart.
  const cut = proxy.cutAfter(20_000);
  const { ended } = run(proxy.url);
  await Promise.race([cut, ended]);
  expect(await ended).toBe(0);
  expect(collected()).toEqual(ids);
  // A second run finds no new rows and appends none.
  expect(await run(proxy.url).ended).toBe(0);
  expect(collected()).toEqual(ids);
  proxy.close();
}, 240_000);

it('exits immediately with 4 when the hub refuses', async () => {
  const child = spawn(process.execPath, [MAIN, '--url', hub.url, '--once'], {
    env: { ...process.env, GATEWARDEN_LOG_EXPORT_KEY: `gwl_${'a'.repeat(46)}` },
    stdio: 'ignore',
  });
  expect((await once(child, 'exit'))[0]).toBe(4);
});

it('writes to standard output and stores its position in a file', async () => {
  const state = join(folder, 'stdout-state.json');
  const child = spawn(process.execPath, [MAIN, '--url', hub.url, '--once', '--state', state], {
    env: { ...process.env, GATEWARDEN_LOG_EXPORT_KEY: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  await once(child, 'close');
  expect(text.trim().split('\n')).toHaveLength(ROWS);
  expect(JSON.parse(readFileSync(state, 'utf8')).cursor).toBeTypeOf('string');
});

/** Runs in a folder of its own, after a shell ran `first`. Returns the exit code and the text of stderr. */
async function runAlone(own: string, first: string, then: string): Promise<[number, string]> {
  const command = `${first}"${process.execPath}" "${MAIN}" --url ${hub.url} --once ${then}`;
  const child = spawn('sh', ['-c', command], {
    cwd: own,
    env: { ...process.env, GATEWARDEN_LOG_EXPORT_KEY: key },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece;
  });
  const [code] = await once(child, 'close');
  return [code as number, stderr];
}

it('exits with 1 where rows cannot be written, also within a page, and resumes later', async () => {
  const own = mkdtempSync(join(folder, 'full-'));
  const [code, stderr] = await runAlone(own, 'ulimit -f 200; exec ', '--out . --limit 5000');
  expect([code, stderr]).toEqual([1, expect.stringContaining('EFBIG')]);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(await runAlone(own, 'exec ', '--out .')).toEqual([0, '']);
  const written = readFileSync(join(own, 'logs-00000001.ndjson'), 'utf8').trim().split('\n');
  expect(written.map((line) => JSON.parse(line).request.id)).toEqual(ids);
});

it('exits with a clear message when the reader of its output closed the pipe', async () => {
  const state = join(folder, 'unread-state.json');
  const command = `"${process.execPath}" "${MAIN}" --url ${hub.url} --once --state "${state}" | head -c 1`;
  const child = spawn('sh', ['-c', command], {
    env: { ...process.env, GATEWARDEN_LOG_EXPORT_KEY: key },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    output += piece;
  });
  await once(child, 'close');
  expect(output).toMatch(/^gatewarden collect: write EPIPE\n$/);
  expect(existsSync(state)).toBe(false);
});

it('ignores a lock whose process id belongs to another program by now', async () => {
  const own = mkdtempSync(join(folder, 'lock-'));
  const poll = spawn(process.execPath, [MAIN, '--url', hub.url, '--out', own], {
    env: { ...process.env, GATEWARDEN_LOG_EXPORT_KEY: key },
    stdio: 'ignore',
  });
  const lock = join(own, 'lock');
  const state = join(own, 'state.json');
  await expect.poll(() => existsSync(state), { timeout: 60_000 }).toBe(true);
  const [code, stderr] = await runAlone(own, 'exec ', '--out .');
  expect([code, stderr]).toEqual([1, expect.stringContaining(`in use by process ${poll.pid}`)]);
  poll.kill('SIGKILL');
  await once(poll, 'exit');
  const lockText = readFileSync(lock, 'utf8');
  writeFileSync(lock, lockText.replace(String(poll.pid), String(process.pid)));
  expect(await runAlone(own, 'exec ', '--out .')).toEqual([0, '']);
});

it('ignores an empty lock after a full disk or a kill', async () => {
  const own = mkdtempSync(join(folder, 'empty-lock-'));
  const [code, stderr] = await runAlone(own, 'ulimit -f 0; exec ', '--out .');
  expect([code, stderr]).toEqual([1, expect.stringContaining('EFBIG')]);
  expect(await runAlone(own, 'exec ', '--out .')).toEqual([0, '']);
  writeFileSync(join(own, 'lock'), '');
  expect(await runAlone(own, 'exec ', '--out .')).toEqual([0, '']);
  // The clock was wrong then, and is right by now.
  writeFileSync(join(own, 'lock'), '');
  const tomorrow = Date.now() / 1_000 + 86_400;
  utimesSync(join(own, 'lock'), tomorrow, tomorrow);
  expect(await runAlone(own, 'exec timeout -s KILL 60 ', '--out .')).toEqual([0, '']);
});

it('keeps collected rows when its state was deleted, and starts a new file', async () => {
  const own = mkdtempSync(join(folder, 'stateless-'));
  expect(await runAlone(own, 'exec ', '--out .')).toEqual([0, '']);
  const first = readFileSync(join(own, 'logs-00000001.ndjson'), 'utf8');
  writeFileSync(join(own, 'logs-00000007.ndjson'), first);
  rmSync(join(own, 'state.json'));
  expect(await runAlone(own, 'exec ', '--out .')).toEqual([0, '']);
  for (const number of [1, 7, 8]) {
    const rows = readFileSync(join(own, `logs-0000000${number}.ndjson`), 'utf8')
      .trim()
      .split('\n');
    expect(rows.map((line) => JSON.parse(line).request.id)).toEqual(ids);
  }
});
