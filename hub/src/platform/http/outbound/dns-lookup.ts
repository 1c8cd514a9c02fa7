// DNS lookups for outbound calls. The system's resolver runs two lookups at a time (half of Node's four threads). A lookup
// whose name servers are down occupies a thread for many seconds, and calls to known hosts must not wait for that.
import { type LookupAddress, lookup as systemLookup } from 'node:dns';

/** The signature of `dns.lookup` with `all`. */
export type Lookup = (
  host: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** A healthy resolver answers faster. */
const TIMEOUT_MS = 1_000;
/** A cached address replaces a missing answer for this long. */
const CACHE_MS = 60 * 60_000;
const CACHE_MAX = 10_000;

type Done = Parameters<Lookup>[2];

/**
 * Returns a lookup that coalesces simultaneous lookups of a name. If no answer arrives in time, the addresses of the last
 * hour are returned, and the pending lookup continues. The caller must check the addresses each time.
 */
export function createLookup(resolve: Lookup = systemLookup, timeoutMs = TIMEOUT_MS): Lookup {
  const cache = new Map<string, { addresses: LookupAddress[]; at: number }>();
  const pending = new Map<string, Set<Done>>();

  const finish = (host: string, error: Error | null, addresses: LookupAddress[]) => {
    const isTemporary = (error as NodeJS.ErrnoException | null)?.code === 'EAI_AGAIN';
    if (!isTemporary) cache.delete(host);
    if (error === null) {
      cache.set(host, { addresses, at: performance.now() });
      const [oldest] = cache.size > CACHE_MAX ? cache.keys() : [];
      if (oldest !== undefined) cache.delete(oldest);
    }
    const waiting = pending.get(host) ?? [];
    pending.delete(host);
    for (const done of waiting) done(error, addresses);
  };

  return (host, options, done) => {
    const cached = cache.get(host);
    let waiting = pending.get(host);
    const isFirst = waiting === undefined;
    waiting ??= new Set();
    pending.set(host, waiting);
    const isCached = cached !== undefined && performance.now() - cached.at < CACHE_MS;
    if (isCached) {
      const timer = setTimeout(() => {
        waiting.delete(inTime);
        done(null, cached.addresses);
      }, timeoutMs).unref();
      const inTime: Done = (error, addresses) => {
        clearTimeout(timer);
        done(error, addresses);
      };
      waiting.add(inTime);
    } else waiting.add(done);
    if (isFirst) resolve(host, options, (error, addresses) => finish(host, error, addresses));
  };
}
