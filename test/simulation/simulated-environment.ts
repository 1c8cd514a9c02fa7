// Virtual time and seeded chance: events run in sequence, each with all that it triggers, so that a seed is a history.
import { seededRandom } from '@gatewarden/agent/test/random.ts';

/** Turns of the microtask queue after each event: more than the longest chain of awaits that needs no other event. */
const TURNS = 60;

interface Event {
  at: number;
  order: number;
  work: (() => void | Promise<void>) | null;
}

export class SimulatedEnvironment {
  /** The true time, which is the hubs'. */
  now: number;
  private readonly events: Event[] = [];
  private order = 0;
  private failure: { error: unknown } | null = null;

  constructor(start: number) {
    this.now = start;
  }

  /** Calls it after so many milliseconds; the function that it gives takes that back. */
  after(ms: number, work: () => void | Promise<void>): () => void {
    const event: Event = { at: this.now + Math.max(0, ms), order: this.order++, work };
    push(this.events, event);
    return () => {
      event.work = null;
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /** Runs events up to that time, or until `isOver` returns true after an event. */
  async run(until: number, isOver: () => boolean = () => false): Promise<void> {
    for (let next = this.events[0]; next !== undefined && next.at <= until; next = this.events[0]) {
      pop(this.events);
      if (next.work === null) continue;
      this.now = next.at;
      // The work may wait for a later event; its immediate effects are over when the microtasks are.
      Promise.resolve(next.work()).catch((error: unknown) => {
        this.failure ??= { error };
      });
      await settle();
      if (this.failure !== null) throw this.failure.error;
      if (isOver()) return;
    }
    this.now = Math.max(this.now, until);
  }
}

/** Lets what is resolved go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await null;
}

const precedes = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order);

function push(heap: Event[], event: Event): void {
  let at = heap.length;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as Event;
    if (!precedes(event, above)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = event;
}

function pop(heap: Event[]): void {
  const last = heap.pop() as Event;
  if (heap.length === 0) return;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const isRight = right < heap.length && precedes(heap[right] as Event, heap[left] as Event);
    const child = isRight ? right : left;
    if (!precedes(heap[child] as Event, last)) break;
    heap[at] = heap[child] as Event;
    at = child;
  }
  heap[at] = last;
}

/** Chance by a seed: the same seed gives the same throws. */
export class SeededRandom {
  /** From 0 up to, without, 1. */
  readonly next: () => number;

  constructor(seed: number) {
    // Seeds that follow each other are to have nothing in common.
    this.next = seededRandom(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b));
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  isHit(chance: number): boolean {
    return this.next() < chance;
  }

  of<T>(some: readonly T[]): T {
    return some[this.below(some.length)] as T;
  }

  /** Returns a random name of a table of weights. */
  weighted<Name extends string>(weights: Partial<Record<Name, number>>): Name {
    const all = Object.entries(weights) as [Name, number][];
    let left = this.next() * all.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of all) {
      left -= weight;
      if (left < 0) return name;
    }
    return (all.at(-1) as [Name, number])[0];
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.below(256));
  }
}
