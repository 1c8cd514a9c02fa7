// How soon a blocked program ends, and what watching costs: measured on a real agent in a namespace of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  makeFolder,
  makeOverride,
  startAgent,
  startHarmless,
  until,
  writeConfig,
} from './agent-process.ts';
import { startHubDouble } from './hub-double.ts';

const TICKS_PER_SECOND = 100;

/** Starts a blocked program repeatedly, at any moment of the tick; every process must end, and be reported. */
export async function measureReaction(starts: number): Promise<number[]> {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  const config = writeConfig(dataDir, hub.url);
  appendFileSync(config, 'kills_per_minute = 1000\n');
  const program = join(makeFolder(), 'gw-reaction');
  copyFileSync('/usr/bin/sleep', program);
  chmodSync(program, 0o755);
  const override = makeOverride({ match: { name: 'gw-reaction' } });
  hub.overrides.push(override);
  const agent = await startAgent(dataDir);
  await until(
    () => agent.log().includes('"scanned"') && agent.log().includes('governance changed'),
  );
  const took: number[] = [];
  for (let start = 0; start < starts; start++) {
    await wait(Math.random() * 500);
    const began = performance.now();
    const child = spawn(program, ['600'], { stdio: 'ignore' });
    const [, signal] = await once(child, 'exit');
    took.push(performance.now() - began);
    expect(signal).toBe('SIGTERM');
  }
  await until(() => hub.alerts.length === starts);
  expect(hub.violations).toEqual([]);
  await agent.end('SIGTERM');
  await hub.close();
  return took.sort((a, b) => a - b);
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function describeReaction(took: readonly number[]): string {
  const shown = (share: number) => `${Math.round(quantile(took, share))} ms`;
  return `from start to end over ${took.length} starts: median ${shown(0.5)}, 99 % ${shown(0.99)}, longest ${shown(1)}`;
}

/** CPU of an idle service beside so many processes, in per cent of a core, and its memory. */
export async function measureWatching(processes: number, seconds: number): Promise<string> {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  const config = writeConfig(dataDir, hub.url);
  writeFileSync(config, readFileSync(config, 'utf8').replace('"1s"', '"60s"'));
  // A single policy is in force, as on any governed device.
  hub.overrides.push(makeOverride({ match: { name: 'gw-never' } }));
  const folder = makeFolder();
  for (let i = 0; i < processes; i++) startHarmless(folder, `gw-idle-${i}`);
  const agent = await startAgent(dataDir);
  await until(() => agent.log().includes('"scanned"') && hub.running.length > 0);
  const pid = agent.child.pid ?? 0;
  const before = ticksOf(pid);
  await wait(seconds * 1000);
  const used = (ticksOf(pid) - before) / TICKS_PER_SECOND;
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  await agent.end('SIGTERM');
  await hub.close();
  const share = ((used / seconds) * 100).toFixed(2);
  return `watching ${processes} processes for ${seconds} s: ${used} s of CPU (${share} % of a core), ${Math.round(Number(rss) / 1024)} MB resident`;
}

function ticksOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
