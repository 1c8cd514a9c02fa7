// A release is downloaded and unpacked over real HTTP: interrupted, swapped, too long, too short, refused. No invalid
// release is staged, and an interrupted download resumes.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ReleaseManifest } from '@gatewarden/shared/wire/sync/updates.ts';
import { expect, onTestFinished, test } from 'vitest';
import { HubUnreachable, UpdateRefused } from '../src/sync/backoff.ts';
import { createSyncClient } from '../src/sync/hub-client.ts';
import { keepStore, keptStore, openVersions } from '../src/update/installed-versions.ts';
import { downloadRelease } from '../src/update/update-download.ts';
import { makeFolder, runCommand, startAgent, TENANT, until, writeConfig } from './agent-process.ts';
import { startHubDouble } from './hub-double.ts';

interface FileServer {
  url: string;
  /** Content that it serves, and the byte after which it disconnects. */
  gives: Buffer;
  cutAfter: number;
  /** The server keeps the connection open instead of disconnecting. */
  stalls: boolean;
  ranges: boolean;
  status: number;
  asked: (string | undefined)[];
}

async function aServer(gives: Buffer): Promise<FileServer> {
  const state: FileServer = {
    url: '',
    gives,
    cutAfter: Number.POSITIVE_INFINITY,
    stalls: false,
    ranges: true,
    status: 200,
    asked: [],
  };
  const server = createServer((request, response) => {
    state.asked.push(request.headers.range);
    if (state.status !== 200) {
      response.writeHead(state.status, { 'content-type': 'application/json' });
      response.end('{"error":{"code":"not_found","message":"x"}}');
      return;
    }
    const from = state.ranges ? Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0) : 0;
    const rest = state.gives.subarray(from);
    if (state.stalls && state.cutAfter === 0) return;
    response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length });
    const part = rest.subarray(0, state.cutAfter);
    response.write(part, () => {
      if (state.stalls) return;
      if (part.length < rest.length) response.destroy();
      else response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

function aClient(url: string) {
  const client = createSyncClient({
    backend: {
      baseUrl: url,
      tenantId: TENANT,
      subscriberId: 'a',
      caFile: null,
      pin: null,
      proxy: null,
    },
    device: {
      device_id: TENANT,
      hostname: 'h',
      platform: 'linux',
      os_version: '1',
      arch: 'x64',
      agent_version: '0.1.0',
    },
    token: () => 'token',
    env: {},
    stalledMs: 500,
  });
  onTestFinished(() => client.close());
  return client;
}

function manifestOf(bytes: Buffer, over: Partial<ReleaseManifest> = {}): ReleaseManifest {
  return {
    format: 1,
    version: '0.2.0',
    channel: 'stable',
    platform: 'linux',
    arch: 'x64',
    file: 'gatewarden-agent-0.2.0-linux-x64.tar.gz',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    minimum_version: '0.1.0',
    made_at: '2026-01-01T00:00:00Z',
    expires_at: '2999-01-01T00:00:00Z',
    ...over,
  };
}

test('completes a download over twenty interruptions without a repeated byte', async () => {
  const bytes = randomBytes(2_000_000);
  const server = await aServer(bytes);
  server.cutAfter = 100_000;
  const client = aClient(server.url);
  const folder = join(makeFolder(), 'updates');
  const manifest = manifestOf(bytes);
  for (let i = 1; i < 20; i++) {
    await expect(downloadRelease(client, manifest, folder)).rejects.toThrow(HubUnreachable);
    expect(readdirSync(folder)).toEqual([`${manifest.sha256}.part`]);
  }
  server.cutAfter = Number.POSITIVE_INFINITY;
  const file = await downloadRelease(client, manifest, folder);
  expect(readFileSync(file).equals(bytes)).toBe(true);
  const starts = server.asked.map((range) => Number(/\d+/.exec(range ?? '')?.[0] ?? 0));
  expect(starts).toEqual([...starts].sort((a, b) => a - b));
  expect(new Set(starts).size).toBeGreaterThan(15);
  expect(statSync(file).mode & 0o077).toBe(0);
});

test('aborts a stalled download before or after its first byte, and resumes later', async () => {
  const bytes = randomBytes(300_000);
  const server = await aServer(bytes);
  server.stalls = true;
  const client = aClient(server.url);
  const folder = makeFolder();
  for (const cutAfter of [0, 100_000, 0]) {
    server.cutAfter = cutAfter;
    await expect(downloadRelease(client, manifestOf(bytes), folder)).rejects.toThrow(
      HubUnreachable,
    );
  }
  server.stalls = false;
  server.cutAfter = Number.POSITIVE_INFINITY;
  const file = await downloadRelease(client, manifestOf(bytes), folder);
  expect(readFileSync(file).equals(bytes)).toBe(true);
  expect(server.asked.at(-1)).toBe('bytes=100000-');
});

test('restarts a download at a hub without range requests', async () => {
  const bytes = randomBytes(500_000);
  const server = await aServer(bytes);
  const client = aClient(server.url);
  const folder = makeFolder();
  server.cutAfter = 50_000;
  await expect(downloadRelease(client, manifestOf(bytes), folder)).rejects.toThrow(HubUnreachable);
  server.cutAfter = Number.POSITIVE_INFINITY;
  server.ranges = false;
  const file = await downloadRelease(client, manifestOf(bytes), folder);
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test('rejects twenty swapped files and stores none', async () => {
  const bytes = randomBytes(100_000);
  const server = await aServer(bytes);
  const client = aClient(server.url);
  const folder = makeFolder();
  const manifest = manifestOf(bytes);
  for (let i = 0; i < 20; i++) {
    const swapped = Buffer.from(bytes);
    const at = Math.floor((i * bytes.length) / 20);
    swapped[at] = (swapped[at] ?? 0) ^ 1;
    server.gives =
      i % 4 === 3
        ? Buffer.concat([bytes, Buffer.from('more')])
        : i % 4 === 2
          ? randomBytes(bytes.length)
          : swapped;
    const error = await downloadRelease(client, manifest, folder).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(UpdateRefused);
    expect((error as UpdateRefused).forged).toBe(true);
    expect(readdirSync(folder).filter((name) => statSync(join(folder, name)).size > 0)).toEqual([]);
  }
  // A replaced beginning does not spoil the right file.
  server.gives = bytes;
  expect(readFileSync(await downloadRelease(client, manifest, folder)).equals(bytes)).toBe(true);
});

test('stores nothing of a release that was withdrawn meanwhile', async () => {
  const server = await aServer(randomBytes(10));
  server.status = 404;
  const folder = makeFolder();
  const download = downloadRelease(aClient(server.url), manifestOf(randomBytes(10)), folder);
  await expect(download).rejects.toThrow(/404 not_found/);
});

function anArchive(folder: string, version: string, without: string | null = null): string {
  const name = 'gatewarden-agent-0.2.0-linux-x64';
  const home = join(folder, name, 'usr/lib/gatewarden-agent');
  const parts = { 'bin/node': '#!/bin/sh\n', 'app/main.js': '', version: `${version}\n` };
  for (const [part, text] of Object.entries(parts)) {
    if (part === without) continue;
    mkdirSync(join(home, part, '..'), { recursive: true });
    writeFileSync(join(home, part), text, { mode: 0o755 });
  }
  const file = join(folder, `${name}.tar.gz`);
  execFileSync('tar', ['-czf', file, '-C', folder, name]);
  return file;
}

test('stages a complete agent of the signed version, or nothing', async () => {
  const wrong: [string, (folder: string) => string][] = [
    ['contains no agent', (folder) => anArchive(folder, '0.1.9')],
    ['contains no agent', (folder) => anArchive(folder, '0.2.0', 'bin/node')],
    ['contains no agent', (folder) => anArchive(folder, '0.2.0', 'app/main.js')],
    ['contains no agent', (folder) => anArchive(folder, '0.2.0', 'version')],
    [
      'cannot be unpacked',
      (folder) => {
        const file = anArchive(folder, '0.2.0');
        writeFileSync(file, readFileSync(file).subarray(0, 100));
        return file;
      },
    ],
  ];
  const versions = openVersions(join(makeFolder(), 'versions'));
  for (const [message, make] of wrong) {
    const archive = make(makeFolder());
    await expect(versions.stage(archive, manifestOf(readFileSync(archive)))).rejects.toThrow(
      message,
    );
    expect(versions.isStaged('0.2.0')).toBe(false);
    // The rest of a download is removed at once: it would take the room of this download.
    expect(readdirSync(versions.folder)).toEqual([]);
  }
  const archive = anArchive(makeFolder(), '0.2.0');
  await versions.stage(archive, manifestOf(readFileSync(archive)));
  expect(versions.isStaged('0.2.0')).toBe(true);
  expect(existsSync(join(versions.folder, 'staging'))).toBe(false);
  // Others run it: children that became the owners of homes.
  expect(statSync(versions.folder).mode & 0o777).toBe(0o755);
  expect(statSync(join(versions.folder, '0.2.0')).mode & 0o777).toBe(0o755);
});

test('stores the copy of the store until the trial is passed', () => {
  const dataDir = makeFolder();
  const folder = join(dataDir, 'versions');
  mkdirSync(join(folder, '0.2.0'), { recursive: true });
  writeFileSync(join(dataDir, 'agent.db'), 'as it was');
  const versions = openVersions(folder);
  keepStore(dataDir, folder);
  versions.swap('0.2.0', '0.1.0');
  versions.confirm('0.1.0');
  expect(readFileSync(keptStore(folder), 'utf8')).toBe('as it was');
  versions.confirm('0.2.0');
  expect(existsSync(keptStore(folder))).toBe(false);
});

test('distinguishes a full disk from an unreachable hub, and frees the partial download', async () => {
  const bytes = randomBytes(2_000_000);
  const folder = makeFolder();
  const { stdout } = spawnSync(
    'unshare',
    ['-m', process.execPath, '--input-type=module', '-e', FILLING, folder, `${bytes.length}`],
    { encoding: 'utf8', cwd: import.meta.dirname },
  );
  if (stdout === '') return process.stdout.write('skipped: mounting needs root\n');
  expect(JSON.parse(stdout)).toEqual({
    name: 'UpdateRefused',
    message: expect.stringMatching(/^the update cannot be kept here: ENOSPC/),
    left: 0,
  });
});

/** In a namespace of its own, on a small disk of its own. */
const FILLING = `
  import { execFileSync, spawnSync } from 'node:child_process';
  import { statSync } from 'node:fs';
  import { fillDisk } from './fill-disk.ts';
    import { downloadRelease } from '../src/update/update-download.ts';
  const [folder, size] = process.argv.slice(1);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder]);
  const client = {
    async download(_path, _from, taker) {
      await taker.begins(0);
      await taker.takes(Buffer.alloc(1_000_000));
      fillDisk(folder + '/filler');
      await taker.takes(Buffer.alloc(1_000_000));
    },
  };
  const sha256 = '0'.repeat(64);
  const error = await downloadRelease(client, { size: Number(size), sha256 }, folder).catch((e) => e);
  const left = statSync(folder + '/' + sha256 + '.part').size;
  console.log(JSON.stringify({ name: error.name, message: error.message, left }));
`;

test('removes leftovers of a killed rename, and nothing else', () => {
  const versions = openVersions(join(makeFolder(), 'versions'));
  mkdirSync(join(versions.folder, '0.2.0'), { recursive: true });
  versions.swap('0.2.0', '0.1.0');
  for (const name of ['trial.77.new', 'current.new'])
    writeFileSync(join(versions.folder, name), '');
  versions.clean('0.2.0');
  expect(readdirSync(versions.folder).sort()).toEqual(['0.2.0', 'current', 'trial']);
});

test('deletes a partial download of a release that is no longer offered', async () => {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  const key = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });
  const config = writeConfig(dataDir, hub.url, 'monitor');
  appendFileSync(config, `[update]\npublic_key = "${key.toString('base64')}"\n`);
  hub.intercept = ({ path }) => (path.includes('update') ? { status: 204, text: '' } : null);
  mkdirSync(join(dataDir, 'updates'));
  writeFileSync(join(dataDir, 'updates', `${'a'.repeat(64)}.part`), 'half');
  await startAgent(dataDir, {
    GATEWARDEN_LAUNCHER: '/bin/false',
    GATEWARDEN_VERSIONS: join(dataDir, 'versions'),
  });
  await until(async () => {
    await runCommand(['update', '--data-dir', dataDir]);
    return !existsSync(join(dataDir, 'updates'));
  });
});

test('reports in status and doctor that an update cannot be downloaded, whatever the cause', async () => {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  const key = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' });
  const config = writeConfig(dataDir, hub.url, 'monitor');
  appendFileSync(config, `[update]\npublic_key = "${key.toString('base64')}"\n`);
  hub.intercept = ({ path }) =>
    path.includes('/updates/') ? { status: 403, text: 'blocked by a filter' } : null;
  await startAgent(dataDir, {
    GATEWARDEN_LAUNCHER: '/bin/false',
    GATEWARDEN_VERSIONS: join(dataDir, 'versions'),
  });
  await until(async () => {
    await runCommand(['update', '--data-dir', dataDir]);
    const { stdout } = await runCommand(['status', '--data-dir', dataDir]);
    return /^Updates .*tried again: 403 /m.test(stdout) && /, reachable,/.test(stdout);
  });
  const { stdout } = await runCommand(['doctor', '--data-dir', dataDir]);
  expect(stdout).toMatch(/^BAD +updates +an update could not be requested or fetched: 403 /m);
});
