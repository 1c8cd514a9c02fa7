// What a child of a scan says: kept as it came, checked line by line when somebody wants to know it, and trusted never.
import { createHash } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
import type { Discovered, Report, Source } from '../../source-contract.ts';
import { type Job, type Line, MAX_LINE, readLine } from './worker-protocol.ts';

export interface ChildOutcome {
  reports: Report[];
  /** Of the others, those in whose homes is nothing to look at. */
  bare: ReadonlySet<string>;
  /** What it would have said with stamps in the place of what they stand for; null where it did not come to tell. */
  short: Digest | null;
}

/** Words, as far as they are compared. */
export interface Digest {
  digest: string;
  bytes: number;
}

export interface Words {
  hear(chunk: Buffer): void;
  /** How much was heard. */
  bytes(): number;
  /** Reads what was heard and not read yet; what is wrong with it, null for nothing. */
  readOn(): string | null;
  /** What was read, with what is missing said in the words of the child's end. */
  outcome(end: { timedOut: boolean; reason: string }): ChildOutcome;
  /** SHA-256 of all that was heard; once. */
  digest(): string;
}

export function openWords(
  job: Job,
  sources: readonly Source[],
  limits: { maxBytes: number; maxFound: number },
): Words {
  const expected = expectedReports(job, sources);
  const reports: Report[] = [];
  const bare = new Set<string>();
  const hash = createHash('sha256');
  const decoder = new StringDecoder('utf8');
  let unread: Buffer[] = [];
  let bytes = 0;
  let buffered = '';
  let found: Discovered[] = [];
  let foundInAll = 0;
  let complaint: string | null = null;
  let short: Digest | null = null;

  const takeReport = (said: Omit<Report, 'found'>): boolean => {
    const report = { ...said, found };
    found = [];
    const at = expected.findIndex(
      (e) => e.source.name === report.source && e.owner === report.owner,
    );
    // A report nobody asked for, or a second one: not from a child that does what it was told.
    if (at < 0) return false;
    expected.splice(at, 1);
    reports.push(report);
    return true;
  };
  const isTaken = (line: Line | null): boolean => {
    if (line === null) return false;
    if (line.is === 'found') found.push(line.one);
    else if (line.is === 'bare') {
      bare.add(line.owner);
      return job.others.some((home) => home.owner === line.owner);
    } else if (line.is === 'short') {
      if (job.stamps !== 'beside' || short !== null) return false;
      short = { digest: line.digest, bytes: line.bytes };
    } else {
      const { is: _, ...said } = line;
      return takeReport(said);
    }
    return true;
  };
  const readLines = (): string | null => {
    let from = 0;
    for (let at = buffered.indexOf('\n'); at >= 0; at = buffered.indexOf('\n', from)) {
      const line = readLine(buffered.slice(from, at));
      from = at + 1;
      if (line?.is === 'found' && ++foundInAll > limits.maxFound) {
        return 'the reader found too much';
      }
      if (!isTaken(line)) return 'the reader said what it must not say';
    }
    buffered = buffered.slice(from);
    const isTooMuch = bytes > limits.maxBytes || buffered.length > MAX_LINE;
    return isTooMuch ? 'the reader said too much' : null;
  };

  return {
    hear(chunk) {
      bytes += chunk.length;
      hash.update(chunk);
      unread.push(chunk);
    },
    bytes: () => bytes,
    readOn() {
      const chunks = unread;
      unread = [];
      for (const chunk of chunks) {
        if (complaint !== null) break;
        buffered += decoder.write(chunk);
        complaint = readLines();
      }
      return complaint;
    },
    outcome({ timedOut, reason }) {
      for (const { source, owner } of expected.splice(0)) {
        const state = timedOut ? 'timed_out' : 'unreadable';
        const problems = [{ path: owner === null ? '/' : '~', reason }];
        reports.push({ source: source.name, owner, state, reason, problems, found: [] });
      }
      return { reports, bare, short };
    },
    digest: () => hash.digest('hex'),
  };
}

/** One for each source and place of a job. */
export function expectedReports(
  job: Job,
  sources: readonly Source[],
): { source: Source; owner: string | null }[] {
  const places = [...(job.machine ? [null] : []), ...job.homes.map((home) => home.owner)];
  return places.flatMap((owner) =>
    sources
      .filter((source) => source.looksAt.includes(owner === null ? 'machine' : 'home'))
      .map((source) => ({ source, owner })),
  );
}
