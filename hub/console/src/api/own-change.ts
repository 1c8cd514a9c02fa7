// What was stored and whose answer was lost, sent again: it is refused because of itself, and that is no conflict.
import { isStatus } from './client.ts';
import { isStored, mayBeStored } from './idempotency.ts';

interface Sent<T> {
  body: unknown;
  send: () => Promise<T>;
  /** Who is signed in. */
  email: string;
}

interface Change<T> extends Sent<T> {
  /** The record, which is read where it is changed. */
  url: string;
  /** The version that the person saw, verbatim. */
  ifMatch: string;
  read: () => Promise<T>;
}

/**
 * Sends a change of one record. A refusal because the record is a newer one (412) is none where it holds all that was sent
 * and the same was sent before without an answer, or the same person made it what it is (a browser repeats by itself what a
 * connection took along): the record as it stands is then the answer. Throws every other refusal as it came.
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
  /** Where it is made. */
  url: string;
  /** The records that may be it. */
  among: () => AsyncIterable<unknown>;
  /** The name under which the answer holds the record. */
  as: keyof T & string;
}

/**
 * Makes what has a name that no other has. A refusal because the name is taken is none where the record of that name holds
 * all that was sent and the same was sent before without an answer, or the same person made it (`changedOnce`).
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
  /** That it may be because of what was sent before. */
  isRefused: (error: unknown) => boolean;
  /** What holds all that was sent, as its answer, and who made it so. */
  find: (arranged: Arranged) => Promise<{ answer: T; by: unknown } | null>;
}

/** What was sent and not answered, until the page is loaded anew. */
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

/** The answer itself or the one record in it, if it holds everything that was sent. What is write-only it never holds. */
function recordOf(answer: unknown, sent: unknown, arranged: Arranged): Fields | null {
  if (!isFields(answer) || !isFields(sent)) return null;
  const names = Object.keys(sent).filter((name) => sent[name] !== undefined);
  const isHeldBy = (record: Fields): boolean =>
    names.every((name) => Object.hasOwn(record, name) && holds(record[name], sent[name], arranged));
  return [answer, ...Object.values(answer).filter(isFields)].find(isHeldBy) ?? null;
}

/** A list as it is compared with another. */
type Arranged = (list: readonly unknown[]) => readonly unknown[];

/** Words may be kept in an order of the hub's own (addresses, globs): of what was sent before that is the same. */
const sorted: Arranged = (list) =>
  list.every((item) => typeof item === 'string') ? list.toSorted() : list;

/** Of what somebody did not send before, another order may be all that they changed. */
const asTheyAre: Arranged = (list) => list;

/** Sections are merged: others may have set more of them. What is taken out is not there, null or empty. */
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
