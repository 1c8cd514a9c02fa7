// Reply channels between hub processes: the client's answer may reach another process than the request that waits for it.
// A receiver in the same process gets an envelope at once. For a receiver elsewhere the envelope is stored, sealed, and the
// process is notified by a signal on the channel `reply`.
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf } from '../../../platform/crypto/sealed-columns.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { parseLossless, stringifyLossless } from '../../../platform/http/json/lossless-numbers.ts';
import { CHANNELS, onSignals, sendSignal } from '../upstream/index.ts';
import { insertEnvelope, SEALED_REPLIES, takeEnvelopes } from './store.ts';

/** Slot of a channel that only marks an id as used. */
const USED_SLOT = 'used';
/** Envelopes that a local receiver has not read; with more, a sender waits. */
const UNREAD_MAX = 64;

/** A message to a channel. Each slot of a channel is filled once; a repeated slot is ignored. */
export interface Envelope {
  slot: string;
  message: unknown;
}

export interface ReplyReceiver {
  /** Returns the next envelope. Throws when the signal aborts. */
  next(signal: AbortSignal): Promise<Envelope>;
  close(): void;
}

export interface ReplyChannel {
  /** Opens the receiving end. Envelopes that are stored already come first, in the order of their slots. */
  open(tenantId: string, channelId: string): ReplyReceiver;
  /** Sends an envelope. Resolves when the receiver has room for more. */
  send(tenantId: string, channelId: string, envelope: Envelope): Promise<void>;
  /** Marks an id as used, for a day. Returns false if any process marked it before. */
  useOnce(tenantId: string, id: string): Promise<boolean>;
}

/** Returns the reply channels of this process. */
export function createReplyChannel(
  db: Db,
  sealer: Sealer,
  notifications: Notifications,
): ReplyChannel {
  return new DatabaseReplyChannel(db, sealer, notifications);
}

const keyOf = (tenantId: string, channelId: string) => `${tenantId}/${channelId}`;
const locationIn = (tenantId: string, channelId: string, slot: string) =>
  locationOf(SEALED_REPLIES, [tenantId, channelId, slot]);

class DatabaseReplyChannel implements ReplyChannel {
  readonly #db: Db;
  readonly #sealer: Sealer;
  readonly #receivers = new Map<string, LocalReceiver>();

  constructor(db: Db, sealer: Sealer, notifications: Notifications) {
    this.#db = db;
    this.#sealer = sealer;
    onSignals(notifications, { [CHANNELS.reply]: (key) => this.#receivers.get(key)?.fetch() });
    notifications.onLost(() => {
      for (const receiver of this.#receivers.values()) receiver.fetch();
    });
  }

  open(tenantId: string, channelId: string): ReplyReceiver {
    const key = keyOf(tenantId, channelId);
    const receiver: LocalReceiver = new LocalReceiver(
      () => this.#load(tenantId, channelId),
      () => {
        if (this.#receivers.get(key) === receiver) this.#receivers.delete(key);
      },
    );
    this.#receivers.set(key, receiver);
    receiver.fetch();
    return receiver;
  }

  async send(tenantId: string, channelId: string, { slot, message }: Envelope): Promise<void> {
    const receiver = this.#receivers.get(keyOf(tenantId, channelId));
    if (receiver !== undefined) return receiver.deliver({ slot, message });
    const location = locationIn(tenantId, channelId, slot);
    const sealed = this.#sealer.seal(stringifyLossless(message), location);
    await insertEnvelope(this.#db, tenantId, channelId, { slot, sealed_message: sealed });
    await sendSignal(this.#db, CHANNELS.reply, keyOf(tenantId, channelId));
  }

  useOnce(tenantId: string, id: string): Promise<boolean> {
    const sealed = this.#sealer.seal('', locationIn(tenantId, id, USED_SLOT));
    return insertEnvelope(this.#db, tenantId, id, { slot: USED_SLOT, sealed_message: sealed });
  }

  async #load(tenantId: string, channelId: string): Promise<Envelope[]> {
    const stored = await takeEnvelopes(this.#db, tenantId, channelId);
    return stored.map(({ slot, sealed_message: sealed }) => ({
      slot,
      message: parseLossless(this.#sealer.unseal(sealed, locationIn(tenantId, channelId, slot))),
    }));
  }
}

/** The receiving end in this process. */
class LocalReceiver implements ReplyReceiver {
  readonly #load: () => Promise<Envelope[]>;
  readonly #onClose: () => void;
  readonly #unread: Envelope[] = [];
  readonly #seenSlots = new Set<string>();
  readonly #waitingSenders: (() => void)[] = [];
  #wake: (() => void) | null = null;

  constructor(load: () => Promise<Envelope[]>, onClose: () => void) {
    this.#load = load;
    this.#onClose = onClose;
  }

  /** Loads the stored envelopes. If the database is down, they are loaded when the connection is back. */
  fetch(): void {
    this.#load().then(
      (envelopes) => {
        for (const envelope of envelopes) this.#add(envelope);
      },
      () => undefined,
    );
  }

  /** Adds an envelope of this process. Resolves when the receiver has room for more. */
  deliver(envelope: Envelope): Promise<void> {
    this.#add(envelope);
    if (this.#unread.length <= UNREAD_MAX) return Promise.resolve();
    return new Promise((resolve) => this.#waitingSenders.push(resolve));
  }

  async next(signal: AbortSignal): Promise<Envelope> {
    for (;;) {
      const envelope = this.#unread.shift();
      if (this.#unread.length <= UNREAD_MAX) this.#releaseSenders();
      if (envelope !== undefined) return envelope;
      signal.throwIfAborted();
      await this.#waitForEnvelope(signal);
    }
  }

  close(): void {
    this.#onClose();
    this.#releaseSenders();
  }

  #add(envelope: Envelope): void {
    if (this.#seenSlots.has(envelope.slot)) return;
    this.#seenSlots.add(envelope.slot);
    this.#unread.push(envelope);
    this.#wake?.();
  }

  #waitForEnvelope(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        signal.removeEventListener('abort', wake);
        this.#wake = null;
        resolve();
      };
      this.#wake = wake;
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  #releaseSenders(): void {
    for (const release of this.#waitingSenders.splice(0)) release();
  }
}
