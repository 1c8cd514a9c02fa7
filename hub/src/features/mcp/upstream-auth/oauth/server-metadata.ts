// Metadata of the logins of passthrough servers, cached for a while.
import type { Outbound } from '../../../../platform/http/outbound/outbound.ts';
import { protectedResource, type Resource } from './discovery.ts';

const KEPT_MS = 5 * 60_000;
const KEPT_MAX = 1_000;

export interface ServerMetadata {
  /** Null where the server names no login. Throws DiscoveryFailed. */
  of(server: { backendId: string; version: number; url: string }): Promise<Resource | null>;
}

/** An answer is kept for a while; a failure is not. */
export function createServerMetadata(outbound: Outbound, nowMs: () => number): ServerMetadata {
  const kept = new Map<string, { until: number; found: Promise<Resource | null> }>();
  return {
    of({ backendId, version, url }) {
      const key = `${backendId} ${version}`;
      const known = kept.get(key);
      if (known !== undefined && known.until > nowMs()) return known.found;
      const found = protectedResource(outbound, url);
      kept.delete(key);
      kept.set(key, { until: nowMs() + KEPT_MS, found });
      found.catch(() => kept.delete(key));
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT_MAX) break;
        kept.delete(oldest);
      }
      return found;
    },
  };
}
