// Cost of the agent for its machine, beside fusioninventory-agent in the same run: CPU of a scan, memory, CPU while
// nothing changes. Needs Linux and `apt-get install fusioninventory-agent`. The agent only observes: no process is ended.
// Usage: node test/bench/agent.ts [--main FILE (an installed agent's main.js)] [--scans 10] [--idle-seconds 300 (0: not)] [--processes 200]
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { startHubDouble } from '../agent/test/hub-double.ts';
import { readServiceSettings } from '../agent/test/service-settings.ts';
import { cpuSeconds } from './cpu.ts';
import { median } from './median.ts';

const run = promisify(execFile);
const { values } = parseArgs({
  options: {
    main: { type: 'string', default: join(import.meta.dirname, '../agent/src/main.ts') },
    scans: { type: 'string', default: '10' },
    'idle-seconds': { type: 'string', default: '300' },
    processes: { type: 'string', default: '200' },
  },
});
const MAIN = values.main;
const scans = Number(values.scans);

interface Agent {
  pid: number;
  scanned(): number;
  end(): Promise<void>;
}

/** Starts the service in monitor mode against a hub of our own, on a data folder of its own. */
async function startAgent(sources: string[] | null, every: string): Promise<Agent> {
  const hub = await startHubDouble();
  hub.ceiling = 'monitor';
  const dataDir = mkdtempSync(join(tmpdir(), 'gw-bench-'));
  writeFileSync(
    join(dataDir, 'agent.toml'),
    `[backend]
base_url = "${hub.url}"
tenant_id = "01900000-0000-7000-8000-000000000001"
subscriber_id = "bench@example.org"
auth_token = "bench"
[agent]
data_dir = "${dataDir}"
discovery_interval = "${every}"
enforcement = "monitor"
${sources === null ? '' : `[discovery]\nsources = ${JSON.stringify(sources)}`}
`,
  );
  const { flags, env } = readServiceSettings();
  const child = spawn(process.execPath, [...flags, MAIN, 'run', '--data-dir', dataDir], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env, DBUS_SESSION_BUS_ADDRESS: '' },
  });
  let scanned = 0;
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (chunk: string) => {
    scanned += chunk.split('"msg":"scanned"').length - 1;
  });
  return {
    pid: child.pid ?? 0,
    scanned: () => scanned,
    async end() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await hub.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function statusOf(pid: number, field: string): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024;
  } catch {
    // The process ended during the measurement.
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`)
    .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' '))
    .filter(Boolean)
    .map(Number);
}

/** Returns the CPU seconds of a scan in the running service, its children included, and its largest child in MB. */
async function measureScans(sources: string[] | null): Promise<{ cpu: number; peak: number }> {
  const agent = await startAgent(sources, '1s');
  let peak = 0;
  const watching = setInterval(() => {
    for (const pid of childrenOf(agent.pid)) peak = Math.max(peak, statusOf(pid, 'VmHWM'));
  }, 5);
  // The first ones fill what is kept between scans.
  while (agent.scanned() < 2) await wait(20);
  const [from, before] = [agent.scanned(), cpuSeconds(agent.pid)];
  while (agent.scanned() < from + scans) await wait(20);
  const cpu = (cpuSeconds(agent.pid) - before) / (agent.scanned() - from);
  clearInterval(watching);
  await agent.end();
  return { cpu, peak };
}

/** The same for the baseline. */
async function measureBaseline(): Promise<{ cpu: number; peak: number }> {
  const script = `import os,subprocess
p=subprocess.Popen(['fusioninventory-inventory'],stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL)
_,_,r=os.wait4(p.pid,0)
print(r.ru_utime+r.ru_stime, r.ru_maxrss/1024)`;
  const { stdout } = await run('python3', ['-c', script]);
  const [cpu = 0, peak = 0] = stdout.trim().split(' ').map(Number);
  return { cpu, peak };
}

async function measureIdle(): Promise<void> {
  const others: ChildProcess[] = [];
  for (let i = 0; i < Number(values.processes); i++) others.push(spawn('sleep', ['3600']));
  const agent = await startAgent(null, '1h');
  while (agent.scanned() < 1) await wait(50);
  await wait(10_000);
  const seconds = Number(values['idle-seconds']);
  const before = cpuSeconds(agent.pid);
  await wait(seconds * 1000);
  const percent = ((cpuSeconds(agent.pid) - before) / seconds) * 100;
  const there = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length;
  printRow(
    'idle, CPU',
    `${percent.toFixed(2)} % of a core over ${seconds} s, ${there} processes`,
    '0.5',
  );
  await agent.end();
  for (const child of others) child.kill();
}

async function measureMemory(): Promise<void> {
  const agent = await startAgent(null, '1s');
  while (agent.scanned() < 10) await wait(50);
  await wait(3000);
  const of = (field: string) => `${statusOf(agent.pid, field).toFixed(0)} MB`;
  printRow(
    'resident after ten scans',
    `${of('VmRSS')} (own ${of('RssAnon')}, files ${of('RssFile')})`,
    '80',
  );
  printRow('largest ever', of('VmHWM'), '-');
  await agent.end();
}

function printRow(what: string, figure: string, reach: string): void {
  process.stdout.write(`${what.padEnd(32)} ${figure.padEnd(56)} reach ${reach}\n`);
}

const baselines = [await measureBaseline(), await measureBaseline()];
const all = await measureScans(null);
baselines.push(await measureBaseline());
const few = await measureScans(['dpkg', 'desktop_entry']);
baselines.push(await measureBaseline());
const yard = median(baselines.map((baseline) => baseline.cpu));
const yardPeak = Math.max(...baselines.map((baseline) => baseline.peak));
printRow('fusioninventory-inventory', `${yard.toFixed(2)} s, ${yardPeak.toFixed(0)} MB`, '-');
for (const [what, { cpu, peak }, reach] of [
  ['scan, all sources', all, '0.5'],
  ['scan, dpkg and desktop entries', few, '0.25'],
] as const) {
  printRow(what, `${cpu.toFixed(3)} s, ${(cpu / yard).toFixed(2)} of the baseline's`, reach);
  printRow('  its largest child', `${peak.toFixed(0)} MB, ${(peak / yardPeak).toFixed(2)}`, '1.2');
}
await measureMemory();
if (Number(values['idle-seconds']) > 0) await measureIdle();
