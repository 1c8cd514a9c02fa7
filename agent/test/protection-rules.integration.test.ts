// An enforcing agent receives an override for every protected process in a PID namespace of the test: no protected
// process is terminated.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import { expect, onTestFinished, test } from 'vitest';
import { NAMED_PROGRAMS } from '../src/enforcement/protection-rules.ts';
import { listPids, readProcess } from '../src/processes/process-list.ts';
import {
  hasEnded,
  makeFolder,
  makeOverride,
  startAgent,
  startHarmless,
  until,
  writeConfig,
} from './agent-process.ts';
import { startHubDouble } from './hub-double.ts';
import { inOwnNamespace } from './namespace.ts';

const SYSTEM = '/opt';

inOwnNamespace(import.meta.filename, () => {
  test('terminates no protected process whose override blocks it', async () => {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', SYSTEM]);
    onTestFinished(() => {
      execFileSync('umount', ['--lazy', SYSTEM]);
    });
    const started = new Map<string, ChildProcess>();
    const keep = (name: string, child: ChildProcess) => {
      started.set(name, child);
      onTestFinished(() => {
        child.kill('SIGKILL');
      });
    };
    // Every program that a rule names, as a harmless program in a system folder.
    const names = Object.values(NAMED_PROGRAMS).flatMap((rail) =>
      rail.names.map((name) => name.replace(/\*$/, 'x')),
    );
    for (const name of names) {
      const path = join(SYSTEM, name);
      copyFileSync('/usr/bin/sleep', path);
      chmodSync(path, 0o755);
      keep(name, spawn(path, ['600'], { stdio: 'ignore' }));
    }
    // Real programs: a shell, programs of essential packages, a bus, and a program without a known path.
    keep('bash', spawn('/bin/bash', ['-c', 'read line'], { stdio: ['pipe', 'ignore', 'ignore'] }));
    keep('sleep', spawn('/usr/bin/sleep', ['600'], { stdio: 'ignore' }));
    keep('tail', spawn('/usr/bin/tail', ['-f', '/dev/null'], { stdio: 'ignore' }));
    if (existsSync('/usr/bin/dbus-daemon')) {
      keep('bus', spawn('/usr/bin/dbus-daemon', ['--session', '--nofork'], { stdio: 'ignore' }));
    }
    // Programs of an installation, with names that no rule protects.
    copyFileSync('/bin/bash', join(SYSTEM, 'dpkg'));
    copyFileSync('/usr/bin/sleep', join(SYSTEM, 'gw-hook'));
    const dpkg = spawn(join(SYSTEM, 'dpkg'), ['-c', `${SYSTEM}/gw-hook 600; exit 7`]);
    keep('an installation', dpkg);
    const hub = await startHubDouble();
    const dataDir = makeFolder();
    writeConfig(dataDir, hub.url);
    const agent = await startAgent(dataDir);
    const before = listPids().flatMap((pid) => readProcess(pid, null) ?? []);

    const matches: OverrideMatch[] = [
      ...new Set([...names, ...before.map((process) => process.name)]),
    ].map((name) => ({ name }));
    const sha = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
    matches.push(
      { executable_sha256: sha('/bin/bash') },
      { executable_sha256: sha(process.execPath) },
    );
    matches.push(
      { kind: 'package' },
      { platform: 'linux' },
      { publisher: 'Debian' },
      { version_below: '9999' },
    );
    matches.forEach((match, at) => {
      hub.overrides.push(makeOverride({ match, revision: at + 1 }));
    });
    const refused = () =>
      new Set(hub.activity.flatMap((e) => (e.outcome === 'refused' ? [e.process.pid] : [])));
    await until(() => [...started.values()].every((child) => refused().has(child.pid ?? 0)));
    // An unprotected program ends, which proves that enforcement works.
    const isSpared = () =>
      hub.activity.some(({ process: p, outcome }) => p.name === 'gw-hook' && outcome === 'refused');
    await until(isSpared);
    const unprotected = startHarmless(makeFolder(), 'gw-unprotected');
    hub.overrides.push(makeOverride({ match: { name: 'gw-unprotected' }, revision: 1000 }));
    const isReported = () => hub.activity.some((event) => event.outcome === 'terminated');
    await until(() => hasEnded(unprotected) && isReported());

    expect([...started].filter(([, child]) => hasEnded(child)).map(([name]) => name)).toEqual([]);
    expect(agent.child.exitCode).toBeNull();
    expect(new Set(hub.activity.map((event) => event.outcome))).toEqual(
      new Set(['refused', 'terminated']),
    );
    const ended = hub.activity.filter((event) => event.outcome === 'terminated');
    expect(ended.map((event) => event.process.name)).toEqual(['gw-unprotected']);
    for (const { pid } of [{ pid: 1 }, process, { pid: process.ppid }]) {
      expect(refused()).toContain(pid);
    }
    expect(hub.violations).toEqual([]);
    await hub.close();
  });
});
