// Which topics changed, and whether the page is live. It never polls.
import { followEvents, type StreamEvent } from './event-source.ts';

/** connecting → live (connected) → lost (disconnected) → live … */
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
/** What changed this long before the hub greets is told then; one that greets later leaves a gap behind the page's reading. */
const GREETS_WITHIN_MS = 8_000;
/** The first things are asked for a little before the stream. */
const READ_BEFORE_MS = 250;

export function openEvents(basePath: string, listener: Listener): () => void {
  const openedAt = performance.now();
  let wasConnected = false;
  const calm = calmed(CALM_MS, listener.onTopic);
  const deliver = (event: StreamEvent) => {
    const openForMs = performance.now() - openedAt;
    if (event.kind === 'connected') {
      listener.onState('live');
      if (wasConnected || openForMs > GREETS_WITHIN_MS) listener.onGap();
      wasConnected = true;
    } else if (event.kind === 'changed') {
      if (mayBeUnread(event, openForMs)) calm.say(event.topic);
    } else {
      listener.onState('lost');
      if (event.isRefused) listener.onRefused();
    }
  };
  const stop = followEvents(`${basePath}/events`, deliver);
  return () => {
    stop();
    calm.stop();
  };
}

/** Whether a page that began to read this long ago may have read before the change. */
export const mayBeUnread = ({ agoMs }: { agoMs: number }, readForMs: number): boolean =>
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
