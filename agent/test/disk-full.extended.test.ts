// The disk is full while the hub is unreachable: the agent continues, and loses no waiting data once there is room
// again.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import { expect, onTestFinished, test } from 'vitest';
import { openStoreForReading } from '../src/store/store-database.ts';
import {
  hasEnded,
  makeFolder,
  makeOverride,
  runCommand,
  startAgent,
  startHarmless,
  until,
  writeConfig,
} from './agent-process.ts';
import { fillDisk } from './fill-disk.ts';
import { startHubDouble } from './hub-double.ts';
import { inOwnNamespace } from './namespace.ts';

/** Starts a hub, and creates a data folder with its configuration on a disk of `size`. */
async function onASmallDisk(size: string) {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', dataDir]);
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', dataDir]);
  });
  return { hub, dataDir, file: writeConfig(dataDir, hub.url) };
}

function waitingInStore(dataDir: string): number {
  const db = openStoreForReading(dataDir);
  if (db === null) return -1;
  try {
    return Number(db.prepare('SELECT count(*) FROM alerts').pluck().get());
  } finally {
    db.close();
  }
}

inOwnNamespace(import.meta.filename, () => {
  test.runIf(process.getuid?.() === 0)(
    'continues enforcement and keeps its alerts on a full disk',
    { timeout: 120_000 },
    async () => {
      const { hub, dataDir, file } = await onASmallDisk('16m');
      const config = readFileSync(file, 'utf8');
      hub.overrides.push(makeOverride({ match: { name: 'gw-full' } }));
      const agent = await startAgent(dataDir);
      await until(() => agent.log().includes('governance changed'));
      await until(() => hub.batches.some((batch) => batch.scan.coverage !== undefined));
      hub.intercept = ({ path }) => (path.endsWith('/alerts') ? { status: 503 } : null);

      const filler = join(dataDir, 'filler');
      fillDisk(filler);
      for (let round = 1; round <= 5; round++) {
        const running = startHarmless(makeFolder(), 'gw-full');
        await until(() => hasEnded(running));
        await until(
          () => hub.activity.filter((event) => event.outcome === 'terminated').length === round,
        );
      }
      expect(agent.log()).toContain('the store cannot be used');
      expect(waitingInStore(dataDir)).toBeLessThan(5);

      rmSync(filler);
      await until(() => waitingInStore(dataDir) === 5);
      await agent.end('SIGKILL');
      hub.intercept = null;
      const again = await startAgent(dataDir);
      await until(() => hub.alerts.length === 5);
      expect(new Set(hub.alerts.map((alert) => alert.alert_id)).size).toBe(5);
      const kept = config.split('\n').filter((line) => !line.startsWith('auth_token'));
      const now = readFileSync(join(dataDir, 'agent.toml'), 'utf8');
      expect(kept.every((line) => now.includes(line))).toBe(true);
      expect(hub.violations).toEqual([]);
      expect(await again.end('SIGTERM')).toBe(0);
      await hub.close();
    },
  );

  test.runIf(process.getuid?.() === 0)(
    'releases quarantined programs on a full disk, and leaves no part of a program that does not fit',
    { timeout: 120_000 },
    async () => {
      const { hub, dataDir } = await onASmallDisk('32m');
      const folder = makeFolder();
      const [path, large] = [join(folder, 'gw-blocked'), join(folder, 'gw-large')];
      const quarantined = startHarmless(folder, 'gw-blocked');
      const bytes = readFileSync(path, 'hex');
      const quarantine = { execution_policy: 'quarantine' as const };
      hub.overrides.push(
        makeOverride({ match: { name: 'gw-blocked' }, ...quarantine }),
        makeOverride({ match: { name: 'gw-large' }, revision: 2, ...quarantine }),
      );
      const agent = await startAgent(dataDir);
      await until(() => hasEnded(quarantined) && !existsSync(path) && hub.alerts.length === 1);

      // On another file system it has to be copied.
      copyFileSync('/usr/bin/sleep', large);
      chmodSync(large, 0o755);
      truncateSync(large, 64 * 1024 * 1024);
      const running = spawn(large, ['600'], { stdio: 'ignore' });
      await until(() => hasEnded(running) && hub.alerts.length === 2);
      expect(hub.alerts.map((alert) => alert.outcome)).toEqual(['quarantined', 'terminated']);
      expect(statSync(large).size).toBe(64 * 1024 * 1024);
      const kept = () => readdirSync(join(dataDir, 'quarantine'), { recursive: true });
      expect(kept().map((name) => basename(String(name)))).toContain('gw-blocked');
      expect(kept()).toHaveLength(2);

      const filler = join(dataDir, 'filler');
      fillDisk(filler);
      const runIn = (command: string) => runCommand([command, '--data-dir', dataDir]);
      expect(await runIn('off')).toMatchObject({ code: 0, stderr: '' });
      await until(() => existsSync(path) && kept().length === 0);
      expect(readFileSync(path, 'hex')).toBe(bytes);
      expect((await runIn('quarantine')).stdout).not.toContain('gw-blocked');

      // The agent continues as before once there is room.
      rmSync(filler);
      expect(await runIn('on')).toMatchObject({ code: 0, stderr: '' });
      const again = spawn(path, ['600'], { stdio: 'ignore' });
      await until(() => hasEnded(again) && !existsSync(path));
      await agent.end('SIGTERM');
      await hub.close();
    },
  );

  test.runIf(process.getuid?.() === 0)(
    'releases quarantined programs at "off" without a running service on a full disk',
    { timeout: 120_000 },
    async () => {
      const { hub, dataDir } = await onASmallDisk('24m');
      const folder = makeFolder();
      const quarantined = startHarmless(folder, 'gw-blocked');
      hub.overrides.push(
        makeOverride({ match: { name: 'gw-blocked' }, execution_policy: 'quarantine' }),
      );
      const agent = await startAgent(dataDir);
      await until(() => hasEnded(quarantined) && hub.alerts.length === 1);
      // Files that a regular end removes must be created again: a lock's journal, shared memory.
      await agent.end('SIGTERM');
      fillDisk(join(dataDir, 'filler'));
      expect(await runCommand(['off', '--data-dir', dataDir])).toMatchObject({ code: 0 });
      expect(existsSync(join(folder, 'gw-blocked'))).toBe(true);
      await hub.close();
    },
  );

  test.runIf(process.getuid?.() === 0)(
    'obeys withdrawn, changed and new overrides on a full disk, and writes them once there is room',
    { timeout: 120_000 },
    async () => {
      const { hub, dataDir } = await onASmallDisk('24m');
      const folder = makeFolder();
      const quarantined = startHarmless(folder, 'gw-blocked');
      const [blocked, kept, changed] = [
        makeOverride({ match: { name: 'gw-blocked' }, revision: 1 }),
        makeOverride({
          match: { name: 'gw-blocked' },
          revision: 2,
          execution_policy: 'quarantine',
        }),
        makeOverride({ match: { name: 'gw-changed' }, revision: 3 }),
      ];
      hub.overrides.push(blocked, kept, changed);
      const agent = await startAgent(dataDir);
      await until(() => hasEnded(quarantined) && !existsSync(join(folder, 'gw-blocked')));
      const filler = join(dataDir, 'filler');
      fillDisk(filler);

      const later = makeOverride({ match: { name: 'gw-later' }, revision: 7 });
      hub.overrides = [
        { ...blocked, revision: 4, deleted: true },
        { ...kept, revision: 5, deleted: true },
        { ...changed, revision: 6, execution_policy: 'allow' },
        later,
      ];
      const ended = startHarmless(makeFolder(), 'gw-later');
      await until(() => hasEnded(ended));
      await until(() => existsSync(join(folder, 'gw-blocked')));
      const spared = ['gw-blocked', 'gw-changed'].map((name) => startHarmless(folder, name));
      const allowed = () => hub.activity.some((event) => event.outcome === 'allowed');
      await until(allowed);
      expect(spared.some(hasEnded)).toBe(false);
      expect(agent.log()).toContain('database or disk is full');

      rmSync(filler);
      const digest = appliedDigest(hub.overrides.filter((override) => !override.deleted));
      await until(() => hub.seen.some((request) => request.query.get('applied') === digest));
      expect(spared.some(hasEnded)).toBe(false);
      await agent.end('SIGKILL');
      const again = await startAgent(dataDir);
      const program = startHarmless(makeFolder(), 'gw-later');
      await until(() => hasEnded(program));
      expect(spared.some(hasEnded)).toBe(false);
      expect(hub.violations).toEqual([]);
      expect(await again.end('SIGTERM')).toBe(0);
      await hub.close();
    },
  );

  test.runIf(process.getuid?.() === 0)(
    'turns off and on with a full disk',
    { timeout: 120_000 },
    async () => {
      const { hub, dataDir } = await onASmallDisk('16m');
      const agent = await startAgent(dataDir);
      await until(() => hub.batches.some((batch) => batch.scan.coverage !== undefined));
      fillDisk(join(dataDir, 'filler'));
      const runIn = (command: string) => runCommand([command, '--data-dir', dataDir]);
      expect(await runIn('off')).toMatchObject({ code: 0, stderr: '' });
      expect((await runIn('status')).stdout).toContain('off');
      expect(readdirSync(dataDir).filter((name) => name.endsWith('.new'))).toEqual([]);
      await agent.end('SIGTERM');
      expect(readdirSync(dataDir)).toContain('kill-switch');
      const again = await startAgent(dataDir);
      expect(await runIn('on')).toMatchObject({ code: 0, stderr: '' });
      expect(readdirSync(dataDir)).not.toContain('kill-switch');
      await again.end('SIGTERM');
      await hub.close();
    },
  );
});
