// An agent that follows the delta: it keeps what it holds, page by page, as the protocol says.
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { deviceCall, type TestHub } from './hub.ts';

export interface Follower {
  held: Map<string, WireOverride>;
  /** To the end; gives what it heard. */
  pull(): Promise<WireOverride[]>;
  ids(): string[];
}

export function follower(
  hub: Pick<TestHub, 'url' | 'tenantId' | 'agentToken'>,
  deviceId: string,
  limit = 2,
): Follower {
  const held = new Map<string, WireOverride>();
  let cursor: string | null = null;
  return {
    held,
    ids: () => [...held.keys()].sort(),
    async pull() {
      const heard: WireOverride[] = [];
      for (;;) {
        const query = `?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
        const { status, body } = await deviceCall(hub, 'GET', `/ea/v1/sync/delta${query}`, {
          headers: { 'x-device-id': deviceId },
        });
        if (status !== 200) throw new Error(`a poll was answered with ${status}`);
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
