// A single event stream for all tabs of a browser, because the hub limits streams per user to 16. The tab with the Web Lock is the
// leader; it opens the stream and passes on what arrives to the other tabs through a BroadcastChannel.

/**
 * connected: the stream is open. changed: something changed, `agoMs` before now. disconnected: the stream is lost, and
 * `isRefused` is true if the hub responded with an error.
 */
export type StreamEvent =
  | { kind: 'connected' }
  | { kind: 'changed'; topic: string; agoMs: number }
  | { kind: 'disconnected'; isRefused: boolean };

type TabMessage =
  | StreamEvent
  /** Sent by a new tab that requests the state of the stream. */
  | { kind: 'joined' }
  /** Sent by the leader: the stream is open, with the recent changes. */
  | { kind: 'state'; recent: { topic: string; agoMs: number }[] };

export interface StreamDeps {
  openSource(url: string): EventSource;
  locks: Pick<LockManager, 'request'> | undefined;
  openChannel: ((name: string) => BroadcastChannel) | undefined;
  nowMs(): number;
}

const BROWSER: StreamDeps = {
  openSource: (url) => new EventSource(url),
  locks: globalThis.navigator?.locks,
  openChannel:
    typeof BroadcastChannel === 'undefined' ? undefined : (name) => new BroadcastChannel(name),
  nowMs: () => performance.now(),
};

/** A page loads data while it joins, so that changes of this time before are delivered, too. */
const RECENT_MS = 10_000;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/** Delivers the events of `url` until the returned function is called. Without locks or channels, each tab has a stream. */
export function followEvents(
  url: string,
  deliver: (event: StreamEvent) => void,
  deps: StreamDeps = BROWSER,
): () => void {
  const { locks, openChannel } = deps;
  if (locks === undefined || openChannel === undefined) return openStream(url, deliver, deps);
  const name = `gatewarden-events ${url}`;
  const channel = openChannel(name);
  const post = (message: TabMessage) => channel.postMessage(message);
  const left = new AbortController();
  let hasState = false;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'joined') return;
    if (data.kind !== 'state') {
      if (data.kind === 'connected') hasState = true;
      deliver(data);
    } else if (!hasState) {
      hasState = true;
      deliver({ kind: 'connected' });
      for (const change of data.recent) deliver({ kind: 'changed', ...change });
    }
  };
  post({ kind: 'joined' });
  const lead = () =>
    new Promise<void>((resolve) => {
      const close = leadTabs(url, { channel, post, deliver }, deps);
      left.signal.addEventListener('abort', () => {
        close();
        resolve();
      });
    });
  // The lock request is rejected only if this tab closes first.
  locks.request(name, { signal: left.signal }, lead).catch(() => undefined);
  return () => {
    left.abort();
    channel.close();
  };
}

/** Opens the stream for all tabs, and reports its state to later tabs. */
function leadTabs(
  url: string,
  tab: {
    channel: BroadcastChannel;
    post(message: TabMessage): void;
    deliver(event: StreamEvent): void;
  },
  deps: StreamDeps,
): () => void {
  let isConnected = false;
  let recent: { topic: string; at: number }[] = [];
  const follow = tab.channel.onmessage;
  tab.channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind !== 'joined' || !isConnected) return;
    const now = deps.nowMs();
    recent = recent.filter(({ at }) => now - at <= RECENT_MS);
    tab.post({
      kind: 'state',
      recent: recent.map(({ topic, at }) => ({ topic, agoMs: now - at })),
    });
  };
  const close = openStream(
    url,
    (event) => {
      if (event.kind !== 'changed') isConnected = event.kind === 'connected';
      else recent.push({ topic: event.topic, at: deps.nowMs() - event.agoMs });
      if (recent.length > 1_000) recent = recent.slice(-500);
      tab.deliver(event);
      tab.post(event);
    },
    deps,
  );
  return () => {
    close();
    tab.channel.onmessage = follow;
  };
}

/** Keeps a stream open: the browser reconnects after a lost connection, this function after an error response. */
function openStream(
  url: string,
  deliver: (event: StreamEvent) => void,
  deps: StreamDeps,
): () => void {
  let source: EventSource | null = null;
  let reopen: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let isClosed = false;
  const open = () => {
    const next = deps.openSource(url);
    source = next;
    next.addEventListener('hello', () => {
      pauseMs = FIRST_PAUSE_MS;
      deliver({ kind: 'connected' });
    });
    next.addEventListener('changed', (event) => {
      const change = changeOf(event.data);
      if (change !== null) deliver({ kind: 'changed', ...change });
    });
    next.addEventListener('closed', (event) => {
      // Other browsers of this user use all streams; an immediate reconnection would displace one of them.
      if (reasonOf(event.data) !== 'too_many_streams') return;
      next.close();
      deliver({ kind: 'disconnected', isRefused: false });
      reopen = setTimeout(open, LONGEST_PAUSE_MS);
    });
    next.addEventListener('error', () => {
      if (isClosed) return;
      const isRefused = next.readyState === next.CLOSED;
      deliver({ kind: 'disconnected', isRefused });
      if (!isRefused) return;
      reopen = setTimeout(open, pauseMs * (0.75 + Math.random() / 2));
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    });
  };
  open();
  return () => {
    isClosed = true;
    clearTimeout(reopen);
    source?.close();
  };
}

interface Change {
  topic: string;
  /** Milliseconds before the start of the stream; 0 for a live change. */
  agoMs: number;
}

/** Returns the change that a `changed` event names; null for anything else. */
export function changeOf(data: unknown): Change | null {
  const parsed = objectOf(data);
  if (parsed === null || typeof parsed.topic !== 'string') return null;
  return { topic: parsed.topic, agoMs: typeof parsed.ago_ms === 'number' ? parsed.ago_ms : 0 };
}

const reasonOf = (data: unknown): unknown => objectOf(data)?.reason;

function objectOf(data: unknown): Record<string, unknown> | null {
  if (typeof data !== 'string') return null;
  try {
    const parsed: unknown = JSON.parse(data);
    return typeof parsed === 'object' ? (parsed as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
