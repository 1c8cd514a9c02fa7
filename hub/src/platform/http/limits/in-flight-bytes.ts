// Limit on the bytes of request bodies in flight (`InFlightBytesLimiter`), with fair sharing between clients.
// Main types: `InFlightBytesLimiter`, `IncomingBody`.
// Invariants: the sum never exceeds the limit, except for a single body; a client reserves at most three quarters of it;
// a stalled body is aborted only for a client that has reserved less than its owner, and only if that makes enough room.
// The memory limits of each kind of route are in app/body-budgets.ts.
// Depends on linked-list.ts and the error list. Start reading at `createInFlightBytesLimiter`.
import { performance } from 'node:perf_hooks';
import { HubError } from '../errors/errors.ts';
import { createLinkedList, type LinkedList } from './linked-list.ts';

export interface InFlightBytesLimiter {
  /**
   * Reserves the bytes of a body for a client and returns a function that releases them once. Throws `overloaded` if
   * they do not fit, or if the client would exceed its share. `arriving` is the body while it is still being received:
   * when room is needed, stalled bodies are aborted, those of the largest client first and its oldest body first, but
   * never those of a client that has reserved less than the requesting client.
   */
  reserve(bytes: number, client: string, arriving?: IncomingBody): () => void;
  used(): number;
}

export interface IncomingBody {
  /** Returns whether the whole body has arrived. */
  isComplete(): boolean;
  abort(): void;
}

interface Reservation {
  since: number;
  bytes: number;
  client: string;
  body: IncomingBody;
  release(): void;
  /** Removes the body from the arriving bodies: it has arrived, or its request has ended. */
  stopTracking(): void;
}

/** A healthy client delivers its body faster than this; an aborted client sends it again. */
const STALLED_AFTER_MS = 500;
/** The share of a single client. Complete bodies are being processed and cannot be aborted in favor of another client. */
const CLIENT_SHARE = 0.75;
/** Stalled bodies that a reservation examines. Without a bound, a full limiter would cost most under the highest load. */
const STALLED_EXAMINED_MAX = 256;

/**
 * Returns a limiter of `maxBytes`. Without eviction of stalled bodies, a few hundred clients that announce large bodies
 * and send nothing would lock out everybody else.
 */
export function createInFlightBytesLimiter(
  maxBytes: number,
  nowMs: () => number = () => performance.now(),
): InFlightBytesLimiter {
  return new BodyReservations(maxBytes, nowMs);
}

class BodyReservations implements InFlightBytesLimiter {
  readonly #maxBytes: number;
  readonly #nowMs: () => number;
  readonly #bytesByClient = new Map<string, number>();
  readonly #arriving: LinkedList<Reservation> = createLinkedList();
  #used = 0;

  constructor(maxBytes: number, nowMs: () => number) {
    this.#maxBytes = maxBytes;
    this.#nowMs = nowMs;
  }

  readonly used = (): number => this.#used;

  reserve(bytes: number, client: string, body?: IncomingBody): () => void {
    if (!this.#fits(bytes, this.#used, this.#reservedBy(client))) this.#makeRoom(bytes, client);
    if (!this.#fits(bytes, this.#used, this.#reservedBy(client))) throw new HubError('overloaded');
    this.#add(client, bytes);
    let isReserved = true;
    let stopTracking: (() => void) | null = null;
    const release = () => {
      if (isReserved) this.#add(client, -bytes);
      isReserved = false;
      stopTracking?.();
    };
    if (body !== undefined) {
      stopTracking = this.#arriving.add({
        ...{ since: this.#nowMs(), bytes, client, body, release },
        stopTracking: () => stopTracking?.(),
      });
    }
    return release;
  }

  #reservedBy(client: string): number {
    return this.#bytesByClient.get(client) ?? 0;
  }

  #add(client: string, bytes: number): void {
    this.#used += bytes;
    const sum = this.#reservedBy(client) + bytes;
    if (sum === 0) this.#bytesByClient.delete(client);
    else this.#bytesByClient.set(client, sum);
  }

  /** A single body always fits, or a small limit would refuse every body. */
  #fitsTotal(bytes: number, used: number): boolean {
    return used === 0 || used + bytes <= this.#maxBytes;
  }

  #fits(bytes: number, used: number, usedByClient: number): boolean {
    const fitsShare = usedByClient === 0 || usedByClient + bytes <= this.#maxBytes * CLIENT_SHARE;
    return this.#fitsTotal(bytes, used) && fitsShare;
  }

  /** Returns the stalled bodies that may be aborted for `requester`, in the order of eviction. */
  #evictionCandidates(requester: string): Reservation[] {
    const candidates: { reservation: Reservation; clientBytes: number }[] = [];
    const remaining = new Map<string, number>();
    for (const reservation of this.#arriving) {
      const { body, since, client, bytes } = reservation;
      if (body.isComplete()) {
        reservation.stopTracking();
        continue;
      }
      const isRecent = this.#nowMs() - since < STALLED_AFTER_MS;
      if (isRecent || candidates.length === STALLED_EXAMINED_MAX) break;
      const clientBytes = remaining.get(client) ?? this.#reservedBy(client);
      // A flooding client displaces its own bodies only.
      if (clientBytes >= this.#reservedBy(requester) || client === requester) {
        candidates.push({ reservation, clientBytes });
      }
      remaining.set(client, clientBytes - bytes);
    }
    candidates.sort((a, b) => b.clientBytes - a.clientBytes);
    return candidates.map(({ reservation }) => reservation);
  }

  #makeRoom(bytes: number, requester: string): void {
    let used = this.#used;
    let usedByRequester = this.#reservedBy(requester);
    const evicted: Reservation[] = [];
    for (const reservation of this.#evictionCandidates(requester)) {
      if (this.#fits(bytes, used, usedByRequester)) break;
      const isOwn = reservation.client === requester;
      if (this.#fitsTotal(bytes, used) && !isOwn) continue;
      evicted.push(reservation);
      used -= reservation.bytes;
      if (isOwn) usedByRequester -= reservation.bytes;
    }
    // No body is aborted in vain.
    if (!this.#fits(bytes, used, usedByRequester)) return;
    for (const { release, body } of evicted) {
      body.abort();
      release();
    }
  }
}
