// Changed topics, and whether the page is live. Without polling.
import { followEvents, type StreamEvent } from './event-source.ts';

/** connecting → live (connected) → lost (disconnected) → live … */
export type LiveState = 'connecting' | 'live' | 'lost';

interface Listener {
  onTopic(topic: string): void;
  /** Called after a reconnection: any topic may have changed meanwhile. */
  onGap(): void;
  onState(state: LiveState): void;
  /** Called after an error response, for example because the session ended. */
  onRefused(): void;
}

/** The minimum time between two reloads of a topic, in milliseconds. */
const CALM_MS = 1000;
/** The hub reports changes of this time before its greeting; a later greeting leaves a gap after the page's first load. */
const GREETS_WITHIN_MS = 8_000;
/** The time between the first requests of a page and its stream. */
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

/** Returns whether a page that began to load at this time may have missed the change. */
export const mayBeUnread = ({ agoMs }: { agoMs: number }, readForMs: number): boolean =>
  agoMs <= readForMs + READ_BEFORE_MS;

/** Delivers the first event of each topic at once, and one more at the end of the interval if there were more. */
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
