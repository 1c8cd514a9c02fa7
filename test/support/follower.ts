// An agent that follows the delta: it keeps what it holds, page by page, as the protocol says.
import { setTimeout as sleep } from 'node:timers/promises';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { deviceCall, type TestHub } from './hub.ts';

/** A hub that has too much to do is asked again, as agents do; not for ever. */
const BUSY_MAX = 30;

export interface Follower {
  held: Map<string, WireOverride>;
  /** To the end; gives what it heard. */
  pull(): Promise<WireOverride[]>;
  ids(): string[];
}

export interface Follows {
  /** At most so many on a page. */
  limit?: number;
  /** Whose device it is when it polls. */
  subscriber?: () => string;
}

export function follower(
  hub: Pick<TestHub, 'url' | 'tenantId' | 'agentToken'>,
  deviceId: string,
  { limit = 2, subscriber = () => 'alice' }: Follows = {},
): Follower {
  const held = new Map<string, WireOverride>();
  let cursor: string | null = null;
  return {
    held,
    ids: () => [...held.keys()].sort(),
    async pull() {
      const heard: WireOverride[] = [];
      let busy = 0;
      for (;;) {
        const query = `?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
        const { status, body } = await deviceCall(hub, 'GET', `/ea/v1/sync/delta${query}`, {
          headers: { 'x-device-id': deviceId, 'x-subscriber-id': subscriber() },
        });
        if (status === 503 && busy++ < BUSY_MAX) {
          await sleep(1_000);
          continue;
        }
        if (status !== 200) throw new Error(`a poll was answered with ${status}`);
        busy = 0;
        for (const override of body.overrides as WireOverride[]) {
          heard.push(override);
          if (override.deleted) held.delete(override.override_id);
          else held.set(override.override_id, override);
        }
        cursor = body.next_cursor;
        if (!body.has_more) return heard;
      }
    },
  };
}
