// A program that moves its own file between the decision and its termination is terminated, and the alert reports only
// the performed actions.
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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

inOwnNamespace(import.meta.filename, () => {
  test.each(['block', 'quarantine'] as const)(
    'terminates under %s a program that is moved meanwhile',
    async (policy) => {
      const hub = await startHubDouble();
      onTestFinished(() => hub.close());
      const dataDir = makeFolder();
      const path = join(makeFolder(), 'gw-mover');
      writeConfig(dataDir, hub.url);
      hub.overrides = [makeOverride({ match: { name: 'gw-mover' }, execution_policy: policy })];
      await startAgent(dataDir);
      // A shell with a name of its own that moves itself at the first signal, and ignores the last.
      copyFileSync('/bin/sh', path);
      chmodSync(path, 0o755);
      const moves = `trap 'mv ${path} ${path}-elsewhere' TERM; while :; do sleep 1; done`;
      const child = spawn(path, ['-c', moves], { stdio: 'ignore' });
      onTestFinished(() => {
        child.kill('SIGKILL');
      });
      await until(() => hasEnded(child) && hub.alerts.length === 1);
      expect(hub.alerts[0]).toMatchObject({ outcome: 'terminated' });
      expect([existsSync(path), existsSync(`${path}-elsewhere`)]).toEqual([false, true]);
      expect(hub.violations).toEqual([]);
    },
  );
});
