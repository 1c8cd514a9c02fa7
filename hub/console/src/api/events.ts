// The one EventSource of a tab: says which topics changed and whether the page is live. It never polls.

/**
 * connecting → live (on `hello`) → lost (on an error) → live …
 * A refused connection closes an EventSource for good, so `lost` opens a new one after a growing pause.
 */
export type LiveState = 'connecting' | 'live' | 'lost';

interface Listener {
  onTopic(topic: string): void;
  /** Connected again after a gap: anything may have changed meanwhile. */
  onGap(): void;
  onState(state: LiveState): void;
  /** The hub refused the connection: perhaps the session has ended. */
  onRefused(): void;
}

/** Many events come together while devices report: one reload of a topic in this time is enough. */
const CALM_MS = 1000;
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;
/** What changed this long before the hub greets is told then; one that greets later leaves a gap behind the page's reading. */
const GREETS_WITHIN_MS = 8_000;
/** The first things are asked for a little before the stream. */
const READ_BEFORE_MS = 250;

export function openEvents(basePath: string, listener: Listener): () => void {
  let source: EventSource | null = null;
  let reopen: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let greeted = false;
  const openedAt = performance.now();
  let closed = false;
  const calm = calmed(CALM_MS, listener.onTopic);

  const open = () => {
    const next = new EventSource(`${basePath}/events`);
    source = next;
    next.addEventListener('hello', () => {
      pauseMs = FIRST_PAUSE_MS;
      listener.onState('live');
      if (greeted || performance.now() - openedAt > GREETS_WITHIN_MS) listener.onGap();
      greeted = true;
    });
    next.addEventListener('changed', (event) => {
      const change = changeOf(event.data);
      if (change !== null && mayBeUnread(change, performance.now() - openedAt))
        calm.say(change.topic);
    });
    next.addEventListener('error', () => {
      if (closed) return;
      listener.onState('lost');
      if (next.readyState !== EventSource.CLOSED) return;
      listener.onRefused();
      reopen = setTimeout(open, pauseMs * (0.75 + Math.random() / 2));
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    });
  };

  open();
  return () => {
    closed = true;
    clearTimeout(reopen);
    calm.stop();
    source?.close();
  };
}

interface Change {
  topic: string;
  /** How long before the stream began; nothing where it is of now. */
  agoMs: number;
}

export function changeOf(data: unknown): Change | null {
  if (typeof data !== 'string') return null;
  try {
    const parsed: unknown = JSON.parse(data);
    if (typeof parsed !== 'object' || parsed === null || !('topic' in parsed)) return null;
    if (typeof parsed.topic !== 'string') return null;
    const agoMs = 'ago_ms' in parsed && typeof parsed.ago_ms === 'number' ? parsed.ago_ms : 0;
    return { topic: parsed.topic, agoMs };
  } catch {
    return null;
  }
}

/** Whether a page that began to read this long ago may have read before the change. */
export const mayBeUnread = ({ agoMs }: Change, readForMs: number): boolean =>
  agoMs <= readForMs + READ_BEFORE_MS;

/** Passes the first word of each kind on at once, and one more at the end of the pause if there were others. */
export function calmed(pauseMs: number, pass: (word: string) => void) {
  const waiting = new Map<string, { timer: ReturnType<typeof setTimeout>; again: boolean }>();
  const say = (word: string): void => {
    const held = waiting.get(word);
    if (held) {
      held.again = true;
      return;
    }
    const entry = {
      again: false,
      timer: setTimeout(() => {
        waiting.delete(word);
        if (entry.again) say(word);
      }, pauseMs),
    };
    waiting.set(word, entry);
    pass(word);
  };
  const stop = () => {
    for (const { timer } of waiting.values()) clearTimeout(timer);
    waiting.clear();
  };
  return { say, stop };
}
