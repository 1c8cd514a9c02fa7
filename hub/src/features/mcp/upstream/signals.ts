// Signals between hub processes on named channels. A signal has a key and no content: its receiver loads what changed.
// Signals may be lost with the database connection, so each receiver also has a timeout or a way to recover.
import type { Db } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';

/** The channels, with the key of their signals. */
export const CHANNELS = {
  /** An envelope was stored for a channel of replies: tenant and channel id. */
  reply: 'mcp-reply',
  /** A client canceled a request: session owner and request id. */
  cancel: 'mcp-cancel',
  /** A client ended its session, with all of its requests: session owner. */
  cancelAll: 'mcp-cancel-all',
  /** The gateway began a session with a server: session owner. */
  upstreamSessionBegun: 'mcp-upstream-session',
  /** A client opened its stream, which replaces an earlier stream: session and stream id. */
  streamOpened: 'mcp-stream-opened',
  /** A client is about to open its stream: session. */
  streamOpening: 'mcp-stream-opening',
  /** A client has no stream any more, in any process: session. */
  streamClosed: 'mcp-stream-closed',
  /** A server's stream is followed for a session, or the server has none: session and backend. */
  serverFollowed: 'mcp-server-followed',
  /** A session subscribed to a resource, or unsubscribed: session. */
  subscriptionsChanged: 'mcp-subscriptions',
  /** An event of a detached response was stored: session owner and stream id. */
  eventStored: 'mcp-stream-event',
  /** A client resumes a response, so its first connection is abandoned: session owner and stream id. */
  streamResumed: 'mcp-stream-resumed',
} as const;

export type Channel = (typeof CHANNELS)[keyof typeof CHANNELS];

/** Sends a signal to every hub process, including this process. */
export function sendSignal(db: Db, channel: Channel, key: string): Promise<void> {
  return notify(db, { kind: 'signal', channel, keys: [key] });
}

/** Calls the handler of a channel for each key that is signaled. */
export function onSignals(
  notifications: Notifications,
  handlers: Partial<Record<Channel, (key: string) => void>>,
): void {
  notifications.onNotice((notice) => {
    if (notice.kind !== 'signal') return;
    const handler = handlers[notice.channel as Channel];
    for (const key of handler === undefined ? [] : notice.keys) handler?.(key);
  });
}
