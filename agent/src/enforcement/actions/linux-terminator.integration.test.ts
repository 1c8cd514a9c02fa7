// Real processes of the test are terminated: cooperative processes, stubborn processes, children, and a reused pid.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasEnded, makeFolder, startHarmless, until } from '../../../test/agent-process.ts';
import { inOwnNamespace } from '../../../test/namespace.ts';
import { createFileHasher } from '../../processes/executable-facts.ts';
import { readProcess } from '../../processes/process-list.ts';
import { watchProcesses } from '../../processes/process-watcher.ts';
import type { RunningProcess } from '../../processes/running-process.ts';
import { terminateProcess } from './linux-terminator.ts';

function see(pid: number | undefined): RunningProcess {
  const seen = pid === undefined ? null : readProcess(pid, null);
  if (seen === null) throw new Error('it does not run');
  return seen;
}

const sparesNone = () => 'no' as const;

inOwnNamespace(import.meta.filename, () => {
  test('sends SIGTERM first, and detects the end', async () => {
    const folder = makeFolder();
    const child = startHarmless(folder, 'gw-polite');
    await until(() => see(child.pid).name === 'gw-polite');
    expect(await terminateProcess(see(child.pid), sparesNone)).toBe('terminated');
    await until(() => hasEnded(child));
    expect(child.signalCode).toBe('SIGTERM');
  });

  test('sends SIGKILL after an ignored SIGTERM, and terminates the children', async () => {
    const script =
      "process.on('SIGTERM', () => {}); const c = require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']); console.log(c.pid); setInterval(() => {}, 1e6)";
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    await until(() => text.endsWith('\n'));
    const grandchild = see(Number(text));
    expect(await terminateProcess(see(child.pid), sparesNone)).toBe('terminated');
    await until(() => hasEnded(child) && readProcess(grandchild.pid, null) === null);
    expect(child.signalCode).toBe('SIGKILL');
  });

  test('terminates children that start during the termination', async () => {
    const script = `process.on('SIGTERM', () => {});
      const start = () => console.log(require('child_process').spawn('/usr/bin/sleep', ['600'], { stdio: 'ignore' }).pid);
      process.on('SIGTERM', () => setInterval(start, 20)); start(); setInterval(() => {}, 1e6)`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    const started = () => text.split('\n').slice(0, -1).map(Number);
    onTestFinished(() => {
      for (const pid of started())
        if (readProcess(pid, null) !== null) process.kill(pid, 'SIGKILL');
      child.kill('SIGKILL');
    });
    await until(() => text.endsWith('\n'));
    expect(await terminateProcess(see(child.pid), sparesNone)).toBe('terminated');
    await until(() => hasEnded(child) && child.stdout.readableEnded);
    expect(started().length).toBeGreaterThan(1);
    expect(started().filter((pid) => readProcess(pid, null) !== null)).toEqual([]);
  });

  test('terminates a process over an exec, unless the new program is protected', async () => {
    const folder = makeFolder();
    startHarmless(folder, 'gw-next').kill('SIGKILL');
    const start = async () => {
      const script = `$SIG{TERM} = sub { exec '${join(folder, 'gw-next')}', '600' }; $| = 1; print "x"; sleep 600`;
      // Perl's handlers run outside of the signal, so that the next program is not asked in its turn.
      const child = spawn('/usr/bin/perl', ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
      onTestFinished(() => {
        child.kill('SIGKILL');
      });
      await once(child.stdout, 'data');
      return child;
    };
    const child = await start();
    expect(await terminateProcess(see(child.pid), sparesNone, { graceMs: 500 })).toBe('terminated');
    expect(readProcess(child.pid ?? 0, null)).toBeNull();
    const saved = await start();
    const sparesNext = ({ name }: RunningProcess) => (name === 'gw-next' ? 'itself' : 'no');
    expect(await terminateProcess(see(saved.pid), sparesNext, { graceMs: 60_000 })).toBe(
      'terminated',
    );
    expect(see(saved.pid).name).toBe('gw-next');
  });

  test('terminates no process below an exempt parent', async () => {
    const shell = "/bin/bash -c 'sleep 600 & echo $!; wait' & wait";
    for (const how of ['itself', 'with_children'] as const) {
      const child = spawn('/bin/bash', ['-c', shell], { stdio: ['ignore', 'pipe', 'ignore'] });
      const [line] = await once(child.stdout, 'data');
      const pid = Number(String(line));
      onTestFinished(() => {
        if (readProcess(pid, null) !== null) process.kill(pid, 'SIGKILL');
      });
      await until(() => see(pid).name === 'sleep');
      const sparesShell = ({ name }: RunningProcess) => (name === 'bash' ? how : 'no');
      await terminateProcess(see(child.pid), sparesShell);
      expect(readProcess(pid, null) === null).toBe(how === 'itself');
    }
  });

  test('terminates no process with a reused pid', async () => {
    const child = startHarmless(makeFolder(), 'gw-reused');
    await until(() => see(child.pid).name === 'gw-reused');
    const before = { ...see(child.pid), startTicks: '1' };
    const elsewhere = { ...see(child.pid), executablePath: '/usr/bin/other' };
    expect(await terminateProcess(before, sparesNone)).toBe('gone');
    expect(await terminateProcess(elsewhere, sparesNone)).toBe('gone');
    expect(hasEnded(child)).toBe(false);
  });

  test('observes a program at its start and after an exec', async () => {
    const folder = makeFolder();
    const watch = watchProcesses();
    await watch.tick();
    startHarmless(folder, 'gw-second').kill('SIGKILL');
    const child = startHarmless(folder, 'gw-first');
    const names: string[] = [];
    await until(async () => {
      for (const p of await watch.tick()) if (p.pid === child.pid) names.push(p.name);
      return names.includes('gw-first');
    });
    const shell = spawn('/bin/sh', ['-c', `read line; exec ${join(folder, 'gw-second')} 600`]);
    onTestFinished(() => {
      shell.kill('SIGKILL');
    });
    const of = new Set<string>();
    const look = async () => {
      for (const p of await watch.tick()) if (p.pid === shell.pid) of.add(p.name);
    };
    for (let ticks = 0; ticks < 12; ticks++) await look();
    shell.stdin.write('go\n');
    await until(async () => {
      await look();
      return of.has('gw-second');
    });
    expect(of.size).toBeGreaterThan(1);
  });

  test('hashes a file, and reports a missing file', async () => {
    const hash = createFileHasher();
    const expected = createHash('sha256').update(readFileSync('/usr/bin/sleep')).digest('hex');
    expect(await hash('/usr/bin/sleep')).toBe(expected);
    expect(await hash('/usr/bin/sleep')).toBe(expected);
    expect(await hash('/nowhere')).toBeNull();
  });

  test('hashes the running program, not its replacement on disk', async () => {
    const folder = makeFolder();
    const child = startHarmless(folder, 'gw-replaced');
    const path = join(folder, 'gw-replaced');
    await until(() => readlinkSync(`/proc/${child.pid}/exe`) === path);
    const running = createHash('sha256').update(readFileSync(path)).digest('hex');
    const hash = createFileHasher();
    writeFileSync(join(folder, 'other'), 'something else');
    renameSync(join(folder, 'other'), path);
    expect(await hash(path, child.pid)).toBe(running);
    expect(await hash(path)).not.toBe(running);
    rmSync(path);
    expect(await hash(path, child.pid)).toBe(running);
  });
});
