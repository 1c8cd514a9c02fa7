// Letters between hub processes: what a client answers may reach another process than the one that asked. A box is read
// where it is open; elsewhere a letter lies in the database, and its reader is told.
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf } from '../../../platform/crypto/sealed-columns.ts';
import type { Db } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { parseLossless, stringifyLossless } from '../../../platform/http/json/lossless-numbers.ts';
import { insertLetter, SEALED_MAIL, takeLetters } from './store.ts';

const CACHE = 'mcp-mail';
const USED = 'used';
/** Who writes to a box of this process waits for its reader where there are more. */
const UNREAD_MAX = 64;

export interface MailBox {
  /** The next letter. Throws when the signal aborts. */
  next(signal: AbortSignal): Promise<{ slot: string; message: unknown }>;
  close(): void;
}

export interface Mail {
  /** What lies there already comes first. */
  open(tenantId: string, box: string): MailBox;
  /** Slots are filled once, and read in their order where they waited. Resolves once the reader takes more. */
  put(tenantId: string, box: string, slot: string, message: unknown): Promise<void>;
  /** False where that was used before, in whichever process; known for a day. */
  use(tenantId: string, id: string): Promise<boolean>;
}

interface OpenBox {
  letters: { slot: string; message: unknown }[];
  seen: Set<string>;
  wake: (() => void) | null;
  /** Of those who write. */
  held: (() => void)[];
  fetch(): void;
}

export function createMail(db: Db, sealer: Sealer, notifications: Notifications): Mail {
  const boxes = new Map<string, OpenBox>();
  const keyOf = (tenantId: string, box: string) => `${tenantId}/${box}`;
  const placeOf = (tenantId: string, box: string, slot: string) =>
    locationOf(SEALED_MAIL, [tenantId, box, slot]);
  notifications.onNotice((notice) => {
    if (notice.kind !== 'forget' || notice.cache !== CACHE) return;
    for (const key of notice.keys) boxes.get(key)?.fetch();
  });
  notifications.onLost(() => {
    for (const one of boxes.values()) one.fetch();
  });
  const deliver = (one: OpenBox, slot: string, message: unknown) => {
    if (one.seen.has(slot)) return;
    one.seen.add(slot);
    one.letters.push({ slot, message });
    one.wake?.();
  };
  const release = (one: OpenBox) => {
    for (const go of one.held.splice(0)) go();
  };
  return {
    open(tenantId, box) {
      const key = keyOf(tenantId, box);
      const mine: OpenBox = { letters: [], seen: new Set(), wake: null, held: [], fetch };
      function fetch() {
        takeLetters(db, tenantId, box).then(
          (found) => {
            for (const { slot, sealed_message: sealed } of found) {
              deliver(
                mine,
                slot,
                parseLossless(sealer.unseal(sealed, placeOf(tenantId, box, slot))),
              );
            }
          },
          // The database is away: when it is back every box is fetched anew.
          () => undefined,
        );
      }
      boxes.set(key, mine);
      fetch();
      return {
        async next(signal) {
          for (;;) {
            const letter = mine.letters.shift();
            if (mine.letters.length <= UNREAD_MAX) release(mine);
            if (letter !== undefined) return letter;
            signal.throwIfAborted();
            await new Promise<void>((resolve) => {
              const done = () => {
                signal.removeEventListener('abort', done);
                mine.wake = null;
                resolve();
              };
              mine.wake = done;
              signal.addEventListener('abort', done, { once: true });
            });
          }
        },
        close() {
          if (boxes.get(key) === mine) boxes.delete(key);
          release(mine);
        },
      };
    },
    async put(tenantId, box, slot, message) {
      const here = boxes.get(keyOf(tenantId, box));
      if (here !== undefined) {
        deliver(here, slot, message);
        if (here.letters.length <= UNREAD_MAX) return;
        return new Promise((resolve) => here.held.push(resolve));
      }
      const sealed = sealer.seal(stringifyLossless(message), placeOf(tenantId, box, slot));
      await insertLetter(db, tenantId, box, { slot, sealed_message: sealed });
      await notify(db, { kind: 'forget', cache: CACHE, keys: [keyOf(tenantId, box)] });
    },
    use(tenantId, id) {
      const sealed = sealer.seal('', placeOf(tenantId, id, USED));
      return insertLetter(db, tenantId, id, { slot: USED, sealed_message: sealed });
    },
  };
}
