// Quarantine restores programs and entries byte for byte after a kill of the agent at any step, and keeps changes that
// other programs made meanwhile.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { type StepsJob, type StepsOutcome, takeSteps } from '../../../test/quarantine-steps.ts';
import type { Home } from '../../discovery/homes/home-list.ts';
import { codeCacheOf } from '../../runtime/code-cache.ts';

const PROGRAM = join(import.meta.dirname, '../../../test/quarantine-steps.ts');
const isRoot = process.getuid?.() === 0;
/** Nobody's: a person that only this test knows. */
const PERSON = 54_321;

interface World {
  dataDir: string;
  home: Home;
  journal: string;
}

function makeWorld(): World {
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o711 });
  const path = join(folder, 'home');
  mkdirSync(path);
  const uid = isRoot ? PERSON : (process.getuid?.() ?? 0);
  if (isRoot) chownSync(path, PERSON, PERSON);
  const gid = isRoot ? PERSON : (process.getgid?.() ?? 0);
  return {
    dataDir,
    home: { owner: String(uid), path, uid, gid },
    journal: join(folder, 'journal'),
  };
}

/** Null where it was killed on the way, which takes a process of its own. */
async function run(world: World, job: Partial<StepsJob>): Promise<StepsOutcome | null> {
  const whole: StepsJob = {
    op: 'recover',
    dataDir: world.dataDir,
    path: '',
    owner: world.home.owner,
    container: ['mcpServers'],
    key: 'npm:demo-server',
    homes: [world.home],
    listed: null,
    killAt: null,
    journal: world.journal,
    ...job,
  };
  if (whole.killAt === null) return takeSteps(whole);
  const cache = codeCacheOf(null);
  const done = spawnSync(process.execPath, [PROGRAM, JSON.stringify(whole)], {
    encoding: 'utf8',
    env: { ...process.env, ...(cache === null ? {} : { NODE_COMPILE_CACHE: cache }) },
  });
  if (done.signal === 'SIGKILL') return null;
  if (done.status !== 0) throw new Error(done.stderr);
  return JSON.parse(done.stdout) as StepsOutcome;
}

const journalOf = (world: World) =>
  existsSync(world.journal) ? readFileSync(world.journal, 'utf8').trim().split('\n') : [];

function makeProgram(world: World): string {
  const path = join(world.home.path, 'gw-demo-program');
  writeFileSync(path, '#!/bin/sh\nexit 0\n');
  if (isRoot) chownSync(path, PERSON, PERSON);
  chmodSync(path, 0o4751);
  utimesSync(path, 1_700_000_000, 1_700_000_000.25);
  return path;
}

const facts = (path: string) => {
  const { mode, uid, gid, size, mtimeMs } = lstatSync(path);
  return { mode, uid, gid, size, mtimeMs, bytes: readFileSync(path, 'hex') };
};

describe.runIf(process.platform !== 'win32')('quarantined program', () => {
  test('moves a program aside and restores it unchanged after a kill at any step', async () => {
    for (let killAt: number | null = 1, done = false; !done; killAt++) {
      const world = makeWorld();
      const path = makeProgram(world);
      const before = facts(path);
      const listed = '/usr/bin/gw-demo-program';
      const first = await run(world, { op: 'take_file', path, listed, killAt });
      const after = await run(world, { op: 'recover' });
      // Recovery finishes what was begun.
      expect(after?.records.map((record) => record.state)).toEqual(['quarantined']);
      expect(existsSync(path)).toBe(false);
      const kept = after?.records[0]?.item;
      if (kept?.is !== 'file') throw new Error('no file');
      expect(facts(kept.storedPath)).toEqual(before);
      expect(lstatSync(join(world.dataDir, 'quarantine')).mode & 0o077).toBe(0);
      const alerts = new Set(journalOf(world).filter((line) => line.startsWith('alert')));
      expect(alerts.size).toBe(1);

      await run(world, { op: 'release', killAt });
      const released = await run(world, { op: 'recover' });
      if (released?.records.length !== 0) await run(world, { op: 'release' });
      expect(facts(path)).toEqual(before);
      expect((await run(world, { op: 'recover' }))?.records).toEqual([]);
      expect(readdirSync(join(world.dataDir, 'quarantine'))).toEqual([]);
      expect(journalOf(world).findLast((line) => line.includes('divert'))).toBe(
        `undivert ${listed}`,
      );
      done = first !== null;
    }
  });

  test('moves a program to another file system and restores it with its attributes', async (context) => {
    const here = lstatSync(makeFolder()).dev;
    const others = ['/dev/shm', '/var/tmp', '/tmp'].filter((folder) => existsSync(folder));
    const other = others.find((other) => lstatSync(other).dev !== here);
    if (other === undefined) return context.skip('this machine has a single file system only');
    const far = mkdtempSync(join(other, 'gw-agent-'));
    onTestFinished(() => rmSync(far, { recursive: true, force: true }));
    const world = makeWorld();
    world.dataDir = far;
    for (const killAt of [1, 2, 3, 4, 5, 6, null]) {
      const path = makeProgram(world);
      const before = facts(path);
      await run(world, { op: 'take_file', path, killAt });
      expect((await run(world, { op: 'recover' }))?.records).toHaveLength(1);
      expect(existsSync(path)).toBe(false);
      await run(world, { op: 'release', killAt });
      await run(world, { op: 'release' });
      expect(facts(path)).toEqual(before);
      rmSync(path);
    }
  });

  test('does not overwrite a file that was created at the original path meanwhile', async () => {
    const world = makeWorld();
    const path = makeProgram(world);
    await run(world, { op: 'take_file', path });
    writeFileSync(path, 'another');
    const [record] = (await run(world, { op: 'release' }))?.records ?? [];
    expect(record).toMatchObject({
      state: 'quarantined',
      problem: 'another file is in its place',
    });
    expect(readFileSync(path, 'utf8')).toBe('another');
    rmSync(path);
    expect((await run(world, { op: 'release' }))?.records).toEqual([]);
    expect(readFileSync(path, 'utf8')).toContain('exit 0');
  });

  test('does not touch a program behind a folder that was replaced by a link', async () => {
    const world = makeWorld();
    const folder = join(world.home.path, 'bin');
    mkdirSync(folder);
    writeFileSync(join(folder, 'x'), '1');
    renameSync(folder, `${folder}-real`);
    symlinkSync(`${folder}-real`, folder);
    expect((await run(world, { op: 'take_file', path: join(folder, 'x') }))?.outcome).toBe(
      'missing',
    );
    expect(readFileSync(join(folder, 'x'), 'utf8')).toBe('1');
  });
});

const TEXTS: Record<string, string> = {
  'c.json': `{ // mine\n  "mcpServers": {\n    "demo": { "command": "npx", "args": ["-y", "demo-server@1.0.0"] }, // it\n    "other": { "command": "x" }\n  }\n}\n`,
  'w.code-workspace': `{ // mine\n  "folders": [],\n  "settings": {\n    "mcp": { "servers": {\n      "demo": { "command": "npx", "args": ["-y", "demo-server"] },\n      "other": { "command": "x" },\n    } },\n  },\n}\n`,
  'c.toml': `# mine\n[mcp_servers.demo]\ncommand = "npx"\nargs = ["-y", "demo-server"]\n\n[mcp_servers.demo.env]\nTOKEN = "t"\n\n[other]\na = 1\n`,
  'c.yaml': `mcpServers:\n  # mine\n  - name: demo\n    command: npx\n    args: ["-y", demo-server]\n  - name: other\n    command: x\n`,
};
const CONTAINERS: Record<string, string[]> = {
  'c.toml': ['mcp_servers'],
  'w.code-workspace': ['settings', 'mcp', 'servers'],
};

function makeConfig(world: World, name: string): string {
  const path = join(world.home.path, name);
  writeFileSync(path, TEXTS[name] ?? '');
  chmodSync(path, 0o640);
  if (isRoot) chownSync(path, PERSON, PERSON);
  return path;
}

describe.runIf(process.platform !== 'win32')('quarantined entry', () => {
  test.each(Object.keys(TEXTS))(
    'removes an entry of %s as its owner and restores it byte for byte after a kill at any step',
    async (name) => {
      const container = CONTAINERS[name] ?? ['mcpServers'];
      for (let killAt = 1, done = false; !done; killAt++) {
        const world = makeWorld();
        const path = makeConfig(world, name);
        const before = facts(path);
        const first = await run(world, { op: 'take_entry', path, container, killAt });
        expect(
          (await run(world, { op: 'recover' }))?.records.map((record) => record.state),
        ).toEqual(['quarantined']);
        expect(readFileSync(path, 'utf8')).not.toContain('demo');
        expect(readFileSync(path, 'utf8')).toContain('mine');
        expect(facts(path)).toMatchObject({ mode: before.mode, uid: before.uid, gid: before.gid });
        await run(world, { op: 'release', killAt });
        expect((await run(world, { op: 'release' }))?.records).toEqual([]);
        expect(readFileSync(path, 'utf8')).toBe(TEXTS[name]);
        expect(readdirSync(world.home.path)).toEqual([name]);
        done = first !== null;
      }
    },
    120_000,
  );

  test.each([
    ['does not answer', (home: Home): Home[] => [{ ...home, hangs: true }]],
    ['is not known yet', (): Home[] => []],
  ])(
    'keeps an entry whose home %s at the next start, after a kill at any step',
    async (_, homesAtStart) => {
      for (let killAt = 1, done = false; !done; killAt++) {
        const world = makeWorld();
        const path = makeConfig(world, 'c.json');
        const first = await run(world, { op: 'take_entry', path, killAt });
        expect(
          (await run(world, { op: 'recover', homes: homesAtStart(world.home) }))?.records,
        ).toHaveLength(1);
        expect((await run(world, { op: 'release' }))?.records).toEqual([]);
        expect(readFileSync(path, 'utf8')).toBe(TEXTS['c.json']);
        done = first !== null;
      }
    },
  );

  test.each(Object.keys(TEXTS))(
    'restores an entry of %s into the current content of the file',
    async (name) => {
      const container = CONTAINERS[name] ?? ['mcpServers'];
      const world = makeWorld();
      const path = makeConfig(world, name);
      expect((await run(world, { op: 'take_entry', path, container }))?.outcome).toBe(
        'quarantined',
      );
      const added = /toml|yaml/.test(name) ? '# more\n' : '// more\n';
      writeFileSync(path, added + readFileSync(path, 'utf8'));
      expect((await run(world, { op: 'release' }))?.records).toEqual([]);
      const text = readFileSync(path, 'utf8');
      expect(text.startsWith(added)).toBe(true);
      expect(text).toContain('demo-server');
      // And once more, from there.
      expect((await run(world, { op: 'take_entry', path, container }))?.outcome).toBe(
        'quarantined',
      );
      expect((await run(world, { op: 'release' }))?.records).toEqual([]);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  test.each(
    Object.keys(TEXTS).flatMap((name) => [
      [name, 'UTF-16LE'] as const,
      [name, 'UTF-16BE'] as const,
    ]),
  )(
    'removes and restores an entry of %s in %s without changing the encoding',
    async (name, encoding) => {
      const container = CONTAINERS[name] ?? ['mcpServers'];
      const encode = (text: string) => {
        const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
        return encoding === 'UTF-16BE' ? bytes.swap16() : bytes;
      };
      const decode = (bytes: Buffer) =>
        (encoding === 'UTF-16BE' ? Buffer.from(bytes).swap16() : bytes).toString('utf16le');
      const world = makeWorld();
      const path = makeConfig(world, name);
      const text = (TEXTS[name] ?? '').replace('mine', 'mine \u00e9\u{1f600}');
      writeFileSync(path, encode(text));
      expect((await run(world, { op: 'take_entry', path, container }))?.outcome).toBe(
        'quarantined',
      );
      const without = decode(readFileSync(path));
      expect(without).toMatch(/^\ufeff[\s\S]*mine \u00e9\u{1f600}/u);
      expect(without).not.toContain('demo');
      expect((await run(world, { op: 'release' }))?.records).toEqual([]);
      expect(readFileSync(path, 'hex')).toBe(encode(text).toString('hex'));
      // Into what somebody wrote meanwhile, too; and what is no text of it is left alone.
      expect((await run(world, { op: 'take_entry', path, container }))?.outcome).toBe(
        'quarantined',
      );
      const added = /toml|yaml/.test(name) ? '# more\n' : '// more\n';
      writeFileSync(path, encode(added + without.slice(1)));
      expect((await run(world, { op: 'release' }))?.records).toEqual([]);
      expect(decode(readFileSync(path))).toMatch(/^\ufeff(#|\/\/) more\n[\s\S]*demo-server/u);
      const odd = Buffer.concat([encode(text), Buffer.from([0x20])]);
      const broken = Buffer.concat([encode(text), encode('\ud800').subarray(2)]);
      for (const bytes of [odd, broken]) {
        writeFileSync(path, bytes);
        expect((await run(world, { op: 'take_entry', path, container }))?.outcome).toBe('failed');
        expect(readFileSync(path).equals(bytes)).toBe(true);
      }
    },
  );

  test('removes an entry again after a person put it back, and restores it once', async () => {
    const world = makeWorld();
    const path = makeConfig(world, 'c.yaml');
    for (let times = 0; times < 3; times++) {
      writeFileSync(path, TEXTS['c.yaml'] ?? '');
      expect((await run(world, { op: 'take_entry', path }))?.outcome).toBe('quarantined');
    }
    expect((await run(world, { op: 'release' }))?.records).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe(TEXTS['c.yaml']);
  });

  test('keeps an entry whose file was removed or does not parse', async () => {
    const world = makeWorld();
    const path = makeConfig(world, 'c.json');
    await run(world, { op: 'take_entry', path });
    const without = readFileSync(path);
    rmSync(path);
    expect((await run(world, { op: 'release' }))?.records).toMatchObject([
      { state: 'quarantined', problem: 'ENOENT' },
    ]);
    writeFileSync(path, '{ "mcpServers": ');
    expect((await run(world, { op: 'release' }))?.records).toHaveLength(1);
    writeFileSync(path, without);
    if (isRoot) chownSync(path, PERSON, PERSON);
    expect((await run(world, { op: 'release' }))?.records).toEqual([]);
    expect(readFileSync(path, 'utf8')).toBe(TEXTS['c.json']);
  });

  test.runIf(isRoot)(
    'leaves an entry alone behind a link out of the home, in a FIFO and in a file of root',
    async () => {
      const world = makeWorld();
      const outside = join(world.dataDir, 'c.json');
      writeFileSync(outside, TEXTS['c.json'] ?? '');
      const link = join(world.home.path, 'link.json');
      symlinkSync(outside, link);
      expect((await run(world, { op: 'take_entry', path: link }))?.outcome).toBe('failed');
      const fifo = join(world.home.path, 'fifo.json');
      execFileSync('mkfifo', [fifo]);
      expect((await run(world, { op: 'take_entry', path: fifo }))?.outcome).toBe('failed');
      const foreign = join(world.home.path, 'root.json');
      writeFileSync(foreign, TEXTS['c.json'] ?? '', { mode: 0o644 });
      chownSync(foreign, 0, 0);
      expect((await run(world, { op: 'take_entry', path: foreign }))?.outcome).toBe('failed');
      expect(readFileSync(foreign, 'utf8')).toBe(TEXTS['c.json']);
      expect(readFileSync(outside, 'utf8')).toBe(TEXTS['c.json']);
      expect(readdirSync(world.home.path).sort()).toEqual(['fifo.json', 'link.json', 'root.json']);
    },
  );
});
