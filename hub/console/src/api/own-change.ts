// Repeated requests after a lost response. The hub rejects them because of the first request, which is no edit conflict.
import { isStatus } from './client.ts';
import { isStored, mayBeStored } from './idempotency.ts';

interface Sent<T> {
  body: unknown;
  send: () => Promise<T>;
  /** The signed-in user. */
  email: string;
}

interface Change<T> extends Sent<T> {
  /** The path of the record, for reading and changing it. */
  url: string;
  /** The version that the user saw, verbatim. */
  ifMatch: string;
  read: () => Promise<T>;
}

/**
 * Sends a change of a record. Resolves to the stored record after a 412 if the record contains everything that was sent, and
 * the same was sent before without a response or the same user made the last change (browsers repeat requests of a lost
 * connection by themselves). Throws every other error unchanged.
 */
export function changedOnce<T>({ url, ifMatch, read, ...sent }: Change<T>): Promise<T> {
  return storedOnce(`${ifMatch} ${url}`, sent, {
    isRefused: (error) => isStatus(error, 412),
    find: async (arranged) => {
      const answer = await read();
      const record = recordOf(answer, sent.body, arranged);
      return record === null ? null : { answer, by: record.updated_by };
    },
  });
}

interface Creation<T> extends Sent<T> {
  /** The path of the creation. */
  url: string;
  /** Returns the records that may be the created record. */
  among: () => AsyncIterable<unknown>;
  /** The property of the response with the record. */
  as: keyof T & string;
}

/**
 * Creates a record with a unique name. Resolves to the stored record after a name conflict if it contains everything that was
 * sent, and the same was sent before without a response or the same user created it.
 */
export function madeOnce<T>({ url, among, as, ...sent }: Creation<T>): Promise<T> {
  return storedOnce(url, sent, {
    isRefused: isStored,
    find: async () => {
      const record = await foundIn(among(), sent.body);
      return record === null ? null : { answer: { [as]: record } as T, by: record.created_by };
    },
  });
}

interface Check<T> {
  /** Returns whether the error can be the effect of an earlier attempt. */
  isRefused: (error: unknown) => boolean;
  /** Returns the record that contains everything that was sent, as a response, and its author. */
  find: (arranged: Arranged) => Promise<{ answer: T; by: unknown } | null>;
}

/** Requests without a response since the page was loaded. */
const unanswered = new Map<string, string>();

async function storedOnce<T>(which: string, sent: Sent<T>, check: Check<T>): Promise<T> {
  const what = JSON.stringify(sent.body);
  try {
    const answer = await sent.send();
    unanswered.delete(which);
    return answer;
  } catch (error) {
    if (mayBeStored(error)) unanswered.set(which, what);
    if (!check.isRefused(error)) throw error;
    const wasSent = unanswered.get(which) === what;
    const found = await check.find(wasSent ? sorted : asTheyAre).catch(() => null);
    const isMine = wasSent || found?.by === sent.email;
    if (found === null || !isMine) throw error;
    return found.answer;
  }
}

async function foundIn(records: AsyncIterable<unknown>, sent: unknown): Promise<Fields | null> {
  for await (const item of records) {
    const record = recordOf({ item }, sent, sorted);
    if (record !== null) return record;
  }
  return null;
}

type Fields = Record<string, unknown> & { updated_by?: unknown; created_by?: unknown };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the response or its record if it contains everything that was sent, except write-only fields. */
function recordOf(answer: unknown, sent: unknown, arranged: Arranged): Fields | null {
  if (!isFields(answer) || !isFields(sent)) return null;
  const names = Object.keys(sent).filter((name) => sent[name] !== undefined);
  const isHeldBy = (record: Fields): boolean =>
    names.every((name) => Object.hasOwn(record, name) && holds(record[name], sent[name], arranged));
  return [answer, ...Object.values(answer).filter(isFields)].find(isHeldBy) ?? null;
}

/** Returns a list in the order of comparison. */
type Arranged = (list: readonly unknown[]) => readonly unknown[];

/** Compares lists of texts in any order, since the hub may sort them, for a request that was sent before. */
const sorted: Arranged = (list) =>
  list.every((item) => typeof item === 'string') ? list.toSorted() : list;

/** Compares lists in order for a first request, whose only change may be the order. */
const asTheyAre: Arranged = (list) => list;

/** Compares merged sections: the record may contain more. A removed value is absent, null or empty. */
function holds(stored: unknown, sent: unknown, arranged: Arranged): boolean {
  if (typeof stored === 'string' && typeof sent === 'string') return stored.trim() === sent.trim();
  if (Array.isArray(stored) && Array.isArray(sent)) {
    const [those, these] = [arranged(stored), arranged(sent)];
    return (
      those.length === these.length && those.every((item, at) => holds(item, these[at], arranged))
    );
  }
  if (isFields(stored) && isFields(sent)) {
    return Object.entries(sent).every(([name, value]) => holds(stored[name], value, arranged));
  }
  return (stored ?? '') === (sent ?? '');
}
