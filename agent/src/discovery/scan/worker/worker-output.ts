// Output of a worker: buffered as received, parsed and validated line by line on demand, and never trusted.
import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import type { Discovered, Report, Source } from '../../source-contract.ts';
import { type Job, type Line, MAX_LINE, readLine } from './worker-protocol.ts';

export interface WorkerReports {
  reports: Report[];
  /** Owners of other homes that nobody uses. */
  unusedHomes: ReadonlySet<string>;
}

export interface WorkerOutput {
  append(chunk: Buffer): void;
  /** How much was heard. */
  bytes(): number;
  /** Reads what was heard and not read yet; what is wrong with it, null for nothing. */
  parsePending(): string | null;
  /** Returns the parsed reports; missing reports get the reason of the worker's end. */
  outcome(end: { timedOut: boolean; reason: string }): WorkerReports;
  /** SHA-256 of all that was heard; once. */
  digest(): string;
}

export function openWorkerOutput(
  job: Job,
  sources: readonly Source[],
  limits: { maxBytes: number; maxFound: number },
): WorkerOutput {
  const expected = expectedReports(job, sources);
  const reports: Report[] = [];
  const unusedHomes = new Set<string>();
  const hash = createHash('sha256');
  const decoder = new StringDecoder('utf8');
  let unread: Buffer[] = [];
  let bytes = 0;
  let buffered = '';
  let found: Discovered[] = [];
  let foundInAll = 0;
  let violation: string | null = null;

  const acceptReport = (coverage: Omit<Report, 'found'>): boolean => {
    const report = { ...coverage, found };
    found = [];
    const at = expected.findIndex(
      (e) => e.source.name === report.source && e.owner === report.owner,
    );
    // An unexpected report, or a repeated report: the worker does not follow the protocol.
    if (at < 0) return false;
    expected.splice(at, 1);
    reports.push(report);
    return true;
  };
  const acceptLine = (line: Line | null): boolean => {
    if (line === null) return false;
    if (line.is === 'found') found.push(line.sighting);
    else if (line.is === 'unused_home') {
      unusedHomes.add(line.owner);
      return job.others.some((home) => home.owner === line.owner);
    } else {
      const { is: _, ...report } = line;
      return acceptReport(report);
    }
    return true;
  };
  const readLines = (): string | null => {
    let from = 0;
    for (let at = buffered.indexOf('\n'); at >= 0; at = buffered.indexOf('\n', from)) {
      const line = readLine(buffered.slice(from, at));
      from = at + 1;
      if (line?.is === 'found' && ++foundInAll > limits.maxFound) {
        return 'the worker reported too many entities';
      }
      if (!acceptLine(line)) return 'the worker wrote an invalid line';
    }
    buffered = buffered.slice(from);
    const isTooMuch = bytes > limits.maxBytes || buffered.length > MAX_LINE;
    return isTooMuch ? 'the worker wrote too much' : null;
  };

  return {
    append(chunk) {
      bytes += chunk.length;
      hash.update(chunk);
      unread.push(chunk);
    },
    bytes: () => bytes,
    parsePending() {
      const chunks = unread;
      unread = [];
      for (const chunk of chunks) {
        if (violation !== null) break;
        buffered += decoder.write(chunk);
        violation = readLines();
      }
      return violation;
    },
    outcome(end) {
      for (const missing of expected.splice(0)) reports.push(missingReport(missing, end));
      return { reports, unusedHomes };
    },
    digest: () => hash.digest('hex'),
  };
}

/** Returns the report of a source that the worker did not report. */
function missingReport(
  { source, owner }: ReturnType<typeof expectedReports>[number],
  { timedOut, reason }: { timedOut: boolean; reason: string },
): Report {
  const state = timedOut ? 'timed_out' : 'unreadable';
  const problems = [{ path: owner === null ? '/' : '~', reason }];
  return { source: source.name, owner, state, reason, problems, found: [] };
}

/** Returns an expected report for each source and home of a job. */
export function expectedReports(
  job: Job,
  sources: readonly Source[],
): { source: Source; owner: string | null }[] {
  const places = [...(job.machine ? [null] : []), ...job.homes.map((home) => home.owner)];
  return places.flatMap((owner) =>
    sources
      .filter((source) => source.scopes.includes(owner === null ? 'machine' : 'home'))
      .map((source) => ({ source, owner })),
  );
}
