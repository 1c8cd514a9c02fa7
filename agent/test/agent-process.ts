// Runs the real agent as a child process on a data folder of its own, and waits for what it does.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { onTestFinished } from 'vitest';
import { isReadableByAll } from '../src/discovery/scan/worker/owner-switch.ts';
import { uuid7 } from '../src/runtime/uuid7.ts';
import { refuseOutside } from './namespace.ts';

export const TENANT = '01900000-0000-7000-8000-000000000001';
export const MAIN = join(import.meta.dirname, '../src/main.ts');

/** A folder that goes with the test; on a disk, for what lies in the system's memory an agent leaves alone. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(process.env.GATEWARDEN_TEST_DISK ?? tmpdir(), 'gw-agent-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes an agent.toml with short intervals; returns its path. */
export function writeConfig(dataDir: string, hubUrl: string, enforcement = 'enforce'): string {
  const file = join(dataDir, 'agent.toml');
  writeFileSync(
    file,
    `[backend]
base_url = "${hubUrl}"
tenant_id = "${TENANT}"
subscriber_id = "alice@example.org"
auth_token = "agent-token"
[agent]
data_dir = "${dataDir}"
discovery_interval = "1h"
delta_interval = "1s"
enforcement = "${enforcement}"
`,
  );
  return file;
}

export interface RunningAgent {
  child: ChildProcess;
  log(): string;
  /** Sends the signal and waits for the end; the exit code, or the signal. */
  end(signal: NodeJS.Signals): Promise<number | string | null>;
}

/** Starts `run` and waits until the loops run. One that enforces is refused outside of a namespace of its own. */
export async function startAgent(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
): Promise<RunningAgent> {
  refuseOutside(join(dataDir, 'agent.toml'));
  const child = spawn(process.execPath, [MAIN, 'run', '--data-dir', dataDir], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: '', ...env },
  });
  let log = '';
  child.stderr?.on('data', (chunk) => {
    log += chunk;
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  onTestFinished(async () => {
    await end('SIGKILL');
  });
  await until(() => log.includes('"event":"ready"') || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(`the agent did not start: ${log}`);
  return { child, log: () => log, end };
}

/** Runs a command to its end; as another account, where an account is named. */
export function runCommand(
  args: readonly string[],
  input = '',
  { uid, env = {} }: { uid?: number; env?: NodeJS.ProcessEnv } = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: '', GATEWARDEN_AGENT_CONFIG: '', ...env },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    out.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    out.stderr += chunk;
  });
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...out }));
  });
}

/** Returns whether an unprivileged account can run the agent's programs; prints the reason where it cannot. */
export function canBecomeNobody(): boolean {
  const can = process.getuid?.() === 0 && isReadableByAll(import.meta.dirname);
  if (!can) {
    process.stdout.write('skipped: asking as nobody needs root and a folder that is open to all\n');
  }
  return can;
}

/** Polls until the condition is true; the test's own time limit ends it otherwise. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await wait(20);
}

/** Starts a harmless program under a name of its own: a copy of `sleep`. */
export function startHarmless(folder: string, name: string): ChildProcess {
  const program = join(folder, name);
  copyFileSync('/usr/bin/sleep', program);
  chmodSync(program, 0o755);
  const child = spawn(program, ['600'], { stdio: 'ignore' });
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  });
  return child;
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** An override of the whole tenant. */
export function makeOverride(
  fields: Partial<WireOverride> & Pick<WireOverride, 'match'>,
): WireOverride {
  return {
    override_id: uuid7(),
    revision: 1,
    deleted: false,
    scope_kind: 'tenant',
    approval_status: 'blocked',
    execution_policy: 'block',
    severity: 'high',
    reason: 'not here',
    effective_at: null,
    expires_at: null,
    ...fields,
  };
}
