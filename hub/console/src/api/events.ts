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

export function openEvents(basePath: string, listener: Listener): () => void {
  let source: EventSource | null = null;
  let reopen: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let greeted = false;
  let closed = false;
  const calm = calmed(CALM_MS, listener.onTopic);

  const open = () => {
    const next = new EventSource(`${basePath}/events`);
    source = next;
    next.addEventListener('hello', () => {
      pauseMs = FIRST_PAUSE_MS;
      listener.onState('live');
      if (greeted) listener.onGap();
      greeted = true;
    });
    next.addEventListener('changed', (event) => {
      const topic = topicOf(event.data);
      if (topic !== null) calm.say(topic);
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

export function topicOf(data: unknown): string | null {
  if (typeof data !== 'string') return null;
  try {
    const parsed: unknown = JSON.parse(data);
    if (typeof parsed !== 'object' || parsed === null || !('topic' in parsed)) return null;
    return typeof parsed.topic === 'string' ? parsed.topic : null;
  } catch {
    return null;
  }
}

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
