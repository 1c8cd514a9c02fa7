// An agent that follows the delta page by page, as the protocol requires.
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { deviceCall, type TestHub } from './hub.ts';
import { retryUnavailable } from './waiting.ts';

export interface Follower {
  overrides: Map<string, WireOverride>;
  /** Pulls pages to the end; returns the overrides that it received. */
  pull(): Promise<WireOverride[]>;
  ids(): string[];
}

export interface Follows {
  /** At most so many on a page. */
  limit?: number;
  /** The subscriber whose device polls. */
  subscriber?: () => string;
}

export function follower(
  hub: Pick<TestHub, 'url' | 'tenantId' | 'agentToken'>,
  deviceId: string,
  { limit = 2, subscriber = () => 'alice' }: Follows = {},
): Follower {
  const overrides = new Map<string, WireOverride>();
  let cursor: string | null = null;
  return {
    overrides,
    ids: () => [...overrides.keys()].sort(),
    async pull() {
      const received: WireOverride[] = [];
      for (;;) {
        const query = `?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
        const { status, body } = await retryUnavailable(() =>
          deviceCall(hub, 'GET', `/ea/v1/sync/delta${query}`, {
            headers: { 'x-device-id': deviceId, 'x-subscriber-id': subscriber() },
          }),
        );
        if (status !== 200) throw new Error(`A poll was answered with ${status}.`);
        for (const override of body.overrides as WireOverride[]) {
          received.push(override);
          if (override.deleted) overrides.delete(override.override_id);
          else overrides.set(override.override_id, override);
        }
        cursor = body.next_cursor;
        if (!body.has_more) return received;
      }
    },
  };
}
