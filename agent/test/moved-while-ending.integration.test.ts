// A program that has itself moved between the decision and its end is ended all the same, and the alert says no more than
// what was done.
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStoreForReading } from '../src/store/database.ts';
import { openState } from '../src/store/state.ts';
import {
  hasEnded,
  makeFolder,
  makeOverride,
  startAgent,
  until,
  writeConfig,
} from './agent-process.ts';
import { startHubDouble } from './hub-double.ts';
import { inOwnNamespace } from './namespace.ts';

function isEnding(dataDir: string): boolean {
  const db = openStoreForReading(dataDir);
  try {
    return db !== null && openState(db).get('endings') !== null;
  } finally {
    db?.close();
  }
}

inOwnNamespace(import.meta.filename, () => {
  test.each(['block', 'quarantine'] as const)(
    'moved while it is ended under %s',
    async (policy) => {
      const hub = await startHubDouble();
      onTestFinished(() => hub.close());
      const dataDir = makeFolder();
      const path = join(makeFolder(), 'gw-mover');
      writeConfig(dataDir, hub.url);
      hub.overrides = [makeOverride({ match: { name: 'gw-mover' }, execution_policy: policy })];
      await startAgent(dataDir);
      copyFileSync('/usr/bin/sleep', path);
      chmodSync(path, 0o755);
      // It takes SIGKILL, so that there is a while between the first signal and the end.
      const command = `trap '' TERM; exec ${path} 600`;
      const child = spawn('/bin/sh', ['-c', command], { stdio: 'ignore' });
      onTestFinished(() => {
        child.kill('SIGKILL');
      });
      await until(() => isEnding(dataDir));
      renameSync(path, `${path}-elsewhere`);
      await until(() => hasEnded(child) && hub.alerts.length === 1);
      expect(hub.alerts[0]).toMatchObject({ outcome: 'terminated' });
      expect([existsSync(path), existsSync(`${path}-elsewhere`)]).toEqual([false, true]);
      expect(hub.violations).toEqual([]);
    },
  );
});
