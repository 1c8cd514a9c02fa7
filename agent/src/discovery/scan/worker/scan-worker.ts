// Scan worker: becomes the home's owner before it reads anything there, writes its reports line by line, and ends.
import { isUnusedHome } from '../../homes/unused-home-check.ts';
import { openLiveRegistry } from '../../scoped-fs/windows-registry.ts';
import type { Report, Source } from '../../source-contract.ts';
import { SOURCES } from '../../sources/index.ts';
import { loadLibraries } from '../../sources/lib/format-libraries.ts';
import { chooseSources, runSources } from '../source-runner.ts';
import { findUnresponsiveMounts } from './dead-mounts.ts';
import { isReadableByAll, switchToOwner } from './owner-switch.ts';
import { HOME_LIMITS, openOutputBudget, WORKER_LIMITS } from './worker-limits.ts';
import { type Job, type Line, serializeReport } from './worker-protocol.ts';

/** True where a thread of it waits for what never comes. */
async function main(): Promise<boolean> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const job = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Job;
  if (job.become !== null) {
    // The home's owner may not be able to read the agent's program: libraries are loaded before the switch.
    if (!isReadableByAll(import.meta.dirname)) await loadLibraries();
    switchToOwner(job.become);
  }
  const platform = job.platform as 'linux' | 'darwin' | 'win32';
  const dead = job.root === '/' ? await findUnresponsiveMounts(job.homes, job.machine) : null;
  const sources = chooseSources(SOURCES, platform, job.sources);
  const reports = runSources(
    sources,
    {
      platform,
      root: job.root,
      machine: job.machine,
      homes: job.homes,
      env: job.env,
      settings: job.settings,
      stamps: job.stamps,
      hangs: dead === null ? null : dead.isOn,
      readRegistry: await openLiveRegistry(),
    },
    () => performance.now(),
  );
  await writeReports(job, sources, reports);
  for (const { owner, path } of job.others) {
    if (isUnusedHome(path)) writeLine(JSON.stringify({ is: 'unused_home', owner } satisfies Line));
  }
  await writePending();
  return dead !== null;
}

/** Writes the reports within the worker's limits: each gets a share of the output that is left. */
async function writeReports(
  job: Job,
  sources: readonly Source[],
  reports: AsyncIterable<Report>,
): Promise<void> {
  const budget = openOutputBudget(job.machine ? WORKER_LIMITS : HOME_LIMITS);
  const places = [...(job.machine ? ['machine'] : []), ...job.homes.map(() => 'home')];
  let after = places.flatMap((place) =>
    sources.filter((source) => source.scopes.some((scope) => scope === place)),
  ).length;
  for await (const report of reports) {
    const took = { found: -1, bytes: 0 };
    for (const line of serializeReport(report, budget.next(--after))) {
      took.found += 1;
      took.bytes += Buffer.byteLength(line) + 1;
      writeLine(line);
      if (pendingOutput.length > WRITE_BUFFER_BYTES) await writePending();
    }
    budget.take(took);
    await writePending();
  }
}

/** A worker is short-lived: compiling to machine code costs more than it saves, and 10 MB of its peak memory. */
function withoutCompilers(without: boolean): void {
  const v8 = process.getBuiltinModule('node:v8');
  for (const flag of ['opt', 'maglev', 'sparkplug']) {
    v8.setFlagsFromString(without ? `--no-${flag}` : `--${flag}`);
  }
}

/** Each write is a turn of who listens: line by line a scan costs the service 32 ms, like this 26. */
const WRITE_BUFFER_BYTES = 32 * 1024;
let pendingOutput = '';

function writeLine(line: string): void {
  pendingOutput += `${line}\n`;
}

function writePending(): Promise<void> | undefined {
  const text = pendingOutput;
  pendingOutput = '';
  if (process.stdout.write(text)) return;
  return new Promise((resolve) => process.stdout.once('drain', resolve));
}

withoutCompilers(true);
const isStuck = await main();
// Restores the flags: cached compiled code is valid for the same flags only.
withoutCompilers(false);
// A blocked thread keeps the process alive; its output is written.
if (isStuck) process.stdout.write('', () => process.kill(process.pid, 'SIGKILL'));
