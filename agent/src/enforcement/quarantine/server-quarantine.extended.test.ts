// The real editor removes entries from real configurations: the breaker counts each entry once, and a withdrawn
// override removes nothing any more.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder, makeOverride } from '../../../test/agent-process.ts';
import { scan } from '../../discovery/scan/in-process-scan.ts';
import { mcpConfig } from '../../discovery/sources/mcp-config.ts';
import { openMountProbe } from '../../runtime/mount-probe.ts';
import { uuid7 } from '../../runtime/uuid7.ts';
import { openState } from '../../store/state-store.ts';
import { openStore } from '../../store/store-database.ts';
import { createBlastRadiusGuard } from '../blast-radius-guard.ts';
import { createKillBreaker } from '../kill-breaker.ts';
import { openTerminationJournal } from '../termination-journal.ts';
import { openQuarantine } from './index.ts';

const FILES = ['.cursor/mcp.json', '.kiro/settings/mcp.json', '.copilot/mcp-config.json'];
const CLOCK = { now: () => new Date(), monotonicMs: () => 0 };

async function makeWorld(limit = 20) {
  const path = join(makeFolder(), 'home');
  const text = JSON.stringify({ mcpServers: { mine: { command: 'npx', args: ['gw-demo'] } } });
  for (const file of FILES) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  const home = {
    ...{ owner: String(process.getuid?.() ?? 0), path, root: '/' },
    ...{ uid: process.getuid?.() ?? null, gid: process.getgid?.() ?? null },
  };
  const dataDir = makeFolder();
  let monotonicMs = 0;
  const [alerts, activity]: [string[], string[]] = [[], []];
  const opened: string[] = [];
  const overrides: WireOverride[] = [];
  const state = openState(openStore(dataDir).db);
  const breaker = createKillBreaker({
    ...{ limit, now: Date.now, opened: (message: string) => opened.push(message) },
    ...{ state, monotonicMs: () => performance.now() },
  });
  const quarantine = openQuarantine({
    ...{ platform: 'linux', dataDir, homes: [home], makeId: uuid7, now: Date.now, breaker },
    ...{ overrides: () => overrides, hubNow: Date.now, mountProbe: openMountProbe() },
    ...{ mode: () => 'enforce', lastingMode: () => 'enforce', isGoverned: () => true },
    ...{ blastRadius: createBlastRadiusGuard(() => undefined), log: () => undefined },
    ...{ reportRecordError: () => undefined, monotonicMs: () => monotonicMs },
    raiseAlert: ({ outcome }) => alerts.push(String(outcome)),
    sendActivity: ({ outcome }) => activity.push(outcome),
    journal: openTerminationJournal(state),
  });
  const { entities } = await scan(
    [mcpConfig],
    {
      ...{ platform: 'linux', root: '/', machine: false, homes: [home], env: {} },
      ...{ settings: { personalHomes: true, browserProfiles: true }, readRegistry: null },
    },
    CLOCK,
  );
  quarantine.applyScan(entities);
  const decide = () => {
    const match = { entity_id: entities[0]?.wire.entity_id ?? '' };
    overrides.push(makeOverride({ match, execution_policy: 'quarantine' }));
  };
  const untouched = () => FILES.filter((file) => readFileSync(join(path, file), 'utf8') === text);
  const wait = (ms: number) => {
    monotonicMs += ms;
  };
  const recorded = { opened, alerts, activity };
  return { ...recorded, quarantine, breaker, overrides, path, decide, untouched, wait };
}

test('counts each entry once when several scans see it at the same time', async () => {
  const world = await makeWorld(FILES.length);
  world.decide();
  await Promise.all([world.quarantine.tidy(), world.quarantine.tidy(), world.quarantine.tidy()]);
  expect(world.untouched()).toEqual([]);
  expect(world.quarantine.list()).toHaveLength(FILES.length);
  expect(world.opened).toEqual([]);
});

test('leaves entries in place whose override is withdrawn while they wait', async () => {
  const world = await makeWorld();
  world.decide();
  const working = world.quarantine.tidy();
  await expect.poll(() => world.untouched().length).toBeLessThan(FILES.length);
  world.overrides.pop();
  await Promise.all([working, world.quarantine.tidy()]);
  expect(world.quarantine.list()).toEqual([]);
  expect(world.untouched()).toEqual(FILES);
  // Nor was it taken for settled: wanted again, all of it is taken.
  world.decide();
  await world.quarantine.tidy();
  expect(world.untouched()).toEqual([]);
});

/** Nobody may write beside it, not even root; gives what lets them again. */
function lockedFile(folder: string): () => void {
  execFileSync('mount', ['--bind', folder, folder]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
  const remount = (how: 'ro' | 'rw') =>
    execFileSync('mount', ['-o', `remount,bind,${how}`, folder]);
  remount('ro');
  return () => void remount('rw');
}

test.runIf(process.getuid?.() === 0)(
  'restores an entry later when the first attempt failed',
  async () => {
    const world = await makeWorld();
    world.decide();
    await world.quarantine.tidy();
    expect(world.untouched()).toEqual([]);
    const [first = ''] = FILES;
    const letGo = lockedFile(dirname(join(world.path, first)));
    world.overrides.pop();
    await world.quarantine.tidy();
    expect(world.quarantine.list()).toMatchObject([{ path: join(world.path, first) }]);
    letGo();
    await world.quarantine.watch();
    expect(world.untouched()).not.toContain(first);
    world.wait(30_000);
    await world.quarantine.watch();
    expect(world.untouched()).toEqual(FILES);
    expect(world.quarantine.list()).toEqual([]);
  },
);

test.runIf(process.getuid?.() === 0)(
  'counts an entry that cannot be removed once in the breaker, and retries it after a new decision',
  async () => {
    const world = await makeWorld(FILES.length);
    const [first = ''] = FILES;
    const letGo = lockedFile(dirname(join(world.path, first)));
    world.decide();
    await world.quarantine.tidy();
    for (let tries = 0; tries < 5; tries++) {
      world.wait(6 * 60_000);
      await world.quarantine.watch();
    }
    expect(world.untouched()).toEqual([first]);
    expect(world.opened).toEqual([]);
    const withdrawn = world.overrides.splice(0);
    await world.quarantine.tidy();
    world.wait(6 * 60_000);
    await world.quarantine.watch();
    expect(world.untouched()).toEqual(FILES);
    letGo();
    world.breaker.close();
    world.overrides.push(...withdrawn);
    await world.quarantine.tidy();
    expect(world.untouched()).toEqual([]);
  },
);

test.runIf(process.getuid?.() === 0)(
  'retries a failed removal, because reverted file permissions leave the file unchanged',
  async () => {
    const world = await makeWorld();
    const [first = ''] = FILES;
    const letGo = lockedFile(dirname(join(world.path, first)));
    world.decide();
    for (let look = 0; look < 3; look++) await world.quarantine.tidy();
    expect(world.untouched()).toEqual([first]);
    world.wait(6 * 60_000);
    await world.quarantine.watch();
    expect(world.untouched()).toEqual([first]);
    letGo();
    await world.quarantine.watch();
    expect(world.untouched()).toEqual([first]);
    world.wait(6 * 60_000);
    await world.quarantine.watch();
    expect(world.untouched()).toEqual([]);
    // Three attempts lead to a single report.
    expect(world.alerts.filter((alert) => alert === 'failed')).toHaveLength(1);
    expect(world.activity.filter((outcome) => outcome === 'failed')).toHaveLength(1);
  },
);
