// The agent is killed between the end of a process and the move of its file into quarantine: its next start finishes
// the move.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openState } from '../src/store/state-store.ts';
import { openStoreForReading } from '../src/store/store-database.ts';
import {
  hasEnded,
  makeFolder,
  makeOverride,
  runCommand,
  startAgent,
  until,
  writeConfig,
} from './agent-process.ts';
import { startHubDouble } from './hub-double.ts';
import { inOwnNamespace } from './namespace.ts';

/** A program that only SIGKILL ends, so that time passes between the first signal and the end. */
function startStubborn(path: string): ChildProcess {
  copyFileSync('/usr/bin/sleep', path);
  chmodSync(path, 0o755);
  const child = spawn('/bin/sh', ['-c', `trap '' TERM; exec ${path} 600`], { stdio: 'ignore' });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

function isEnding(dataDir: string): boolean {
  const db = openStoreForReading(dataDir);
  try {
    return db !== null && openState(db).get('endings') !== null;
  } finally {
    db?.close();
  }
}

const quarantined = async (dataDir: string) => {
  const { stdout } = await runCommand(['quarantine', '--json', '--data-dir', dataDir]);
  return JSON.parse(stdout).quarantined as { path: string }[];
};

/** State up to the kill: the process has ended, and its file is in its place. */
async function killWhileEnding(name: string) {
  const hub = await startHubDouble();
  onTestFinished(() => hub.close());
  const dataDir = makeFolder();
  const path = join(makeFolder(), name);
  writeConfig(dataDir, hub.url);
  const agent = await startAgent(dataDir);
  const override = makeOverride({ match: { name }, execution_policy: 'quarantine' });
  hub.overrides.push(override);
  const child = startStubborn(path);
  await until(() => isEnding(dataDir));
  expect(await agent.end('SIGKILL')).toBe('SIGKILL');
  child.kill('SIGKILL');
  await until(() => hasEnded(child));
  expect(existsSync(path)).toBe(true);
  expect(hub.alerts).toEqual([]);
  return { hub, dataDir, path, override };
}

inOwnNamespace(import.meta.filename, () => {
  test('moves the file at the next start, reports it once, and restores it when allowed', async () => {
    const { hub, dataDir, path, override } = await killWhileEnding('gw-unfinished');
    const bytes = readFileSync(path, 'hex');
    await startAgent(dataDir);
    await until(async () => !existsSync(path) && (await quarantined(dataDir)).length === 1);
    await until(() => hub.alerts.length > 0);
    hub.overrides.splice(0, 1, { ...override, revision: 2, deleted: true });
    await until(() => existsSync(path));
    expect(readFileSync(path, 'hex')).toBe(bytes);
    expect(hub.alerts).toMatchObject([{ action: 'quarantine', outcome: 'quarantined' }]);
    expect(hub.violations).toEqual([]);
  });

  test.each([
    [
      'another file that was created there meanwhile',
      'gw-replaced',
      (path: string) => {
        writeFileSync(`${path}.new`, 'another');
        renameSync(`${path}.new`, path);
      },
    ],
    [
      'the same file with other content',
      'gw-rewritten',
      (path: string) => writeFileSync(path, 'another'),
    ],
  ])('leaves %s alone, and reports the process as ended', async (_, name, change) => {
    const { hub, dataDir, path } = await killWhileEnding(name);
    change(path);
    await startAgent(dataDir);
    await until(() => hub.alerts.length > 0);
    expect(hub.alerts).toMatchObject([{ action: 'quarantine', outcome: 'terminated' }]);
    expect(readFileSync(path, 'utf8')).toBe('another');
    expect(await quarantined(dataDir)).toEqual([]);
  });

  test('moves nothing under the kill switch, and reports the process as ended', async () => {
    const { hub, dataDir, path } = await killWhileEnding('gw-switched-off');
    expect((await runCommand(['off', '--data-dir', dataDir])).code).toBe(0);
    await startAgent(dataDir);
    await until(() => hub.alerts.some((alert) => alert.action === 'quarantine'));
    const quarantineAlerts = hub.alerts.filter((alert) => alert.action === 'quarantine');
    expect(quarantineAlerts).toMatchObject([{ outcome: 'terminated' }]);
    expect(existsSync(path)).toBe(true);
  });
});
