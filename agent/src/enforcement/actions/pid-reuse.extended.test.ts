// The kernel reuses a pid while the agent is about to terminate it: a thousand repetitions with the same pid never
// terminate the wrong process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasEnded, makeFolder, until } from '../../../test/agent-process.ts';
import { inOwnNamespace } from '../../../test/namespace.ts';
import { readProcess } from '../../processes/process-list.ts';
import type { RunningProcess } from '../../processes/running-process.ts';
import { terminateProcess } from './linux-terminator.ts';

const LAST_PID = '/proc/sys/kernel/ns_last_pid';
const ROUNDS = 1000;

function mayChoosePids(): boolean {
  try {
    accessSync(LAST_PID, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

inOwnNamespace(import.meta.filename, () => {
  test.runIf(mayChoosePids())(
    'terminates only the intended process in a thousand reuses of its pid',
    async () => {
      const folder = makeFolder();
      for (const name of ['gw-meant', 'gw-innocent']) {
        copyFileSync('/usr/bin/sleep', join(folder, name));
        chmodSync(join(folder, name), 0o755);
      }
      const start = async (name: string): Promise<ChildProcess> => {
        const child = spawn(join(folder, name), ['600'], { stdio: 'ignore' });
        await until(() => hasEnded(child) || readProcess(child.pid ?? 0, null)?.name === name);
        return child;
      };
      const running = new Set<ChildProcess>();
      onTestFinished(() => {
        for (const child of running) child.kill('SIGKILL');
      });
      let reused = 0;
      let harmed = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const meant = await start('gw-meant');
        const seen = readProcess(meant.pid ?? 0, null);
        if (seen === null) throw new Error('it does not run');
        const target: RunningProcess = seen;
        // Before the first signal, or between the first and the second.
        const early = round % 2 === 0;
        const ending = early
          ? null
          : terminateProcess(target, () => 'no' as const, { graceMs: 20 });
        if (early) meant.kill('SIGKILL');
        await once(meant, 'exit');
        writeFileSync(LAST_PID, String(target.pid - 1));
        const innocent = await start('gw-innocent');
        running.add(innocent);
        if (innocent.pid === target.pid) reused++;
        const outcome = await (ending ??
          terminateProcess(target, () => 'no' as const, { graceMs: 20 }));
        expect(outcome).toBe(early ? 'gone' : 'terminated');
        if (hasEnded(innocent)) harmed++;
        innocent.kill('SIGKILL');
        await once(innocent, 'exit');
        running.delete(innocent);
      }
      expect(harmed).toBe(0);
      expect(reused).toBeGreaterThan(ROUNDS * 0.9);
    },
  );
});
