// Following of a server's stream until the caller aborts: reopened after each break, with exponential backoff.

import { setTimeout as sleep } from 'node:timers/promises';
import type { SubscriptionFilter } from '@modelcontextprotocol/client';
import { type ResumePoint, type RpcMessage, withoutSubscriptionId } from '../protocol/index.ts';
import type { SessionOwner, UpstreamTarget } from './targets.ts';
import type { Upstreams } from './upstreams.ts';

const MIN_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;
/** Duration after which a stream counts as successful, and resets the backoff. */
const STABLE_MS = 30_000;

/** The gateway itself ended the stream, so the break is no failure of the server. */
export class LocalAbortError extends Error {}

/**
 * Follows the stream. `live` is called when it opens and when it breaks. Resolves when the signal aborts, or the server has no
 * such stream.
 */
export async function followWithRetry(
  upstreams: Upstreams,
  source: { target: UpstreamTarget; owner: SessionOwner; filter: SubscriptionFilter },
  on: { message(message: RpcMessage): void | Promise<void>; live?(isLive: boolean): void },
  signal: AbortSignal,
): Promise<void> {
  const { target, owner, filter } = source;
  const resumePoint: ResumePoint = { lastEventId: null, retryMs: null };
  let delayMs = MIN_DELAY_MS;
  while (!signal.aborted) {
    const openedMs = performance.now();
    let isLocal = false;
    try {
      const stream = await upstreams.openStream(target, owner, { filter, resumePoint }, signal);
      if (stream === false) return;
      on.live?.(true);
      await deliverMessages(stream, on);
    } catch (error) {
      isLocal = error instanceof LocalAbortError;
    }
    on.live?.(false);
    if (signal.aborted) return;
    const isStable = isLocal || performance.now() - openedMs > STABLE_MS;
    delayMs = isStable ? MIN_DELAY_MS : Math.min(delayMs * 2, MAX_DELAY_MS);
    const waitMs = resumePoint.retryMs ?? delayMs;
    await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

async function deliverMessages(
  stream: AsyncGenerator<RpcMessage>,
  on: { message(message: RpcMessage): void | Promise<void> },
): Promise<void> {
  for await (const message of stream) {
    if (!isListenResponse(message)) await on.message(withoutSubscriptionId(message));
  }
}

/** Returns whether a message concerns the gateway's own `subscriptions/listen`: the acknowledgement or the result. */
const isListenResponse = ({ method }: RpcMessage) =>
  method === undefined || method === 'notifications/subscriptions/acknowledged';
