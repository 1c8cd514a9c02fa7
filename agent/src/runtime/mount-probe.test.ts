// Mounts are probed separately and sequentially, and no caller waits for a probe.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import { parseMounts } from '../discovery/scoped-fs/mount-table.ts';
import { openMountProbe } from './mount-probe.ts';

const line = (point: string, type: string) => `36 35 98:0 / ${point} rw - ${type} server:/x rw`;

/** Homes mounted into an automount; whatever has `dead` in its name never answers. */
function openHomes() {
  const folder = makeFolder();
  const home = join(folder, 'home');
  mkdirSync(home);
  const mounts = parseMounts(
    [
      line('/', 'ext4'),
      line(home, 'autofs'),
      ...['alice', 'bob', 'dead'].map((name) => line(join(home, name), 'nfs4')),
    ].join('\n'),
  );
  const log = join(folder, 'asked');
  const program = join(folder, 'ask');
  const script = `#!/bin/sh
echo "$4" >> ${log}
case "$4" in *dead*) exec sleep 600;; esac
printf '%s\\0' "$4"
`;
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  const asked = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  const reach = openMountProbe({ read: () => mounts, program, patienceMs: 5000 });
  return { home, reach, asked };
}

test('separates a hanging home from other homes, in either direction', async () => {
  const { home, reach, asked } = openHomes();
  expect(await reach.answers(join(home, 'bob/x'))).toBe(true);
  expect(await reach.answers(join(home, 'dead/x'))).toBe(false);
  expect(await reach.answers(join(home, 'alice/x'))).toBe(true);
  expect(await reach.answers(join(home, 'to-come/x'))).toBe(true);
  expect(asked()).toEqual(['bob', 'dead', 'alice', 'to-come'].map((name) => join(home, name, 'x')));
});

test('probes a single path of a hanging mount, and shares the result', async () => {
  const { home, reach, asked } = openHomes();
  const paths = Array.from({ length: 300 }, (_, at) => join(home, `dead/${at}`));
  const all = await Promise.all(paths.map(reach.realPath));
  expect(new Set(all)).toEqual(new Set(['hangs']));
  expect(asked()).toEqual([join(home, 'dead/0')]);
});

test('returns no real path for a missing file, and no result for a failed probe', async () => {
  const folder = makeFolder();
  const file = join(folder, 'there');
  writeFileSync(file, '');
  const reach = openMountProbe({ patienceMs: 30_000 });
  expect(await reach.realPath(file)).toBe(file);
  expect(await reach.realPath(join(folder, 'absent'))).toBeNull();
  const program = join(folder, 'no-program');
  writeFileSync(program, '');
  for (const path of [program, join(folder, 'absent')]) {
    expect(await openMountProbe({ program: path }).realPath(file)).toBe('hangs');
  }
});
