// The offer of the company's MCP gateway: requested from the hub when a user opens it, and cached for a minute.
import type { OfferedMcpServer } from '@gatewarden/shared/wire/sync/mcp-offer.ts';
import { HubRefused } from '../sync/backoff.ts';
import type { SyncClient } from '../sync/hub-client.ts';
import { readAnswer } from '../sync/hub-responses.ts';

export interface Offer {
  servers: readonly OfferedMcpServer[];
  /** `unreachable`: it could not be asked; `none`: the hub is older than this. */
  problem: 'unreachable' | 'none' | null;
}

const REMEMBERED_MS = 60_000;

/** Requests within a minute share an answer. */
export function createOffer(
  client: Pick<SyncClient, 'get'>,
  now: () => number,
): () => Promise<Offer> {
  let latest: { at: number; offer: Promise<Offer> } | null = null;
  const ask = async (): Promise<Offer> => {
    try {
      const { value } = await client.get('mcpOffer', {}, null, (body) =>
        readAnswer('mcpOffer', body),
      );
      return { servers: value?.servers ?? [], problem: null };
    } catch (error) {
      if (error instanceof HubRefused && error.status === 404) {
        return { servers: [], problem: 'none' };
      }
      // Asked anew by the next who looks.
      latest = null;
      return { servers: [], problem: 'unreachable' };
    }
  };
  return () => {
    const at = now();
    if (latest === null || at - latest.at > REMEMBERED_MS) latest = { at, offer: ask() };
    return latest.offer;
  };
}
