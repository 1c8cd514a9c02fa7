// Names of endpoints, asked of the system's resolver. It takes two at a time in one process (half of Node's four threads),
// and one whose servers are dead holds its place for many seconds: whoever was reached before does not wait for that.
import { type LookupAddress, lookup as systemLookup } from 'node:dns';

/** As `dns.lookup` with `all`. */
export type Lookup = (
  host: string,
  options: { all: true },
  done: (error: Error | null, found: LookupAddress[]) => void,
) => void;

/** Longer than a resolver takes that is well. */
const PATIENCE_MS = 1_000;
/** So long an address may stand in for an answer that does not come. */
const KNOWN_MS = 60 * 60_000;
const KNOWN_MAX = 10_000;

type Done = Parameters<Lookup>[2];

/**
 * Asks once for all who ask for a name at the same time. Where no answer comes in time, what the name led to within the last
 * hour is the answer; the question goes on, and is not asked twice. Addresses are for the caller to check, each time.
 */
export function createLookup(ask: Lookup = systemLookup, patienceMs = PATIENCE_MS): Lookup {
  const known = new Map<string, { found: LookupAddress[]; at: number }>();
  const asked = new Map<string, Set<Done>>();

  const answer = (host: string, error: Error | null, found: LookupAddress[]) => {
    const isForNow = (error as NodeJS.ErrnoException | null)?.code === 'EAI_AGAIN';
    if (!isForNow) known.delete(host);
    if (error === null) {
      known.set(host, { found, at: performance.now() });
      const [oldest] = known.size > KNOWN_MAX ? known.keys() : [];
      if (oldest !== undefined) known.delete(oldest);
    }
    const waiting = asked.get(host) ?? [];
    asked.delete(host);
    for (const done of waiting) done(error, found);
  };

  return (host, options, done) => {
    const before = known.get(host);
    let waiting = asked.get(host);
    const isFirst = waiting === undefined;
    waiting ??= new Set();
    asked.set(host, waiting);
    const isKnown = before !== undefined && performance.now() - before.at < KNOWN_MS;
    if (isKnown) {
      const timer = setTimeout(() => {
        waiting.delete(inTime);
        done(null, before.found);
      }, patienceMs).unref();
      const inTime: Done = (error, found) => {
        clearTimeout(timer);
        done(error, found);
      };
      waiting.add(inTime);
    } else waiting.add(done);
    if (isFirst) ask(host, options, (error, found) => answer(host, error, found));
  };
}
