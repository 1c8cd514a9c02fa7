// Stores the overrides in force, and the inbox of received pages: cursor and page are written first, then applied.
import { appliedDigest } from '@gatewarden/shared/digests.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import { isKnownOverride, type RawOverride } from '../sync/hub-responses.ts';
import type { State } from './state-store.ts';
import { type Db, isDiskFull } from './store-database.ts';

export interface OverrideStore {
  /** A page of changes after the cursor: durable together with the next cursor. Not the last: the rest belongs to it. */
  receive(page: readonly RawOverride[], nextCursor: string, isLast: boolean): void;
  /** A page of a pull without a cursor: kept apart; the old set stays in force. */
  stage(page: readonly RawOverride[], first: boolean): void;
  /** The last page is staged: from now on this set is the set. */
  receiveStaged(nextCursor: string): void;
  /**
   * Applies what waits in the inbox, once its last page is there: pages before it need not be anything that the hub ever
   * had. True where something was.
   */
  applyInbox(): boolean;
  /** The same where a full disk is no reason to fail: what waits goes on waiting. */
  applyInboxIfRoom(): 'applied' | 'nothing' | 'no_room';
  /**
   * Applies changes for which the disk had no room: they are in force from memory until it has, together with the
   * stored pages before them. Returns whether anything changed.
   */
  applyInMemory(changes: readonly RawOverride[]): boolean;
  /** Returns every override in force that this version understands. */
  load(): WireOverride[];
  /** Returns the overrides that it does not understand. */
  notUnderstood(): RawOverride[];
  count(): number;
  /** Returns the digest of all overrides in force, understood or not. */
  digest(): string;
}

/** A full disk must not fill the memory, too: some pages of changes. */
export const MAX_UNWRITTEN = 5000;

/** Opens the store over a database of this version. */
export function openOverrides(db: Db, state: State): OverrideStore {
  /** Overrides that the disk did not take, the newest revision of each. */
  let unwritten = new Map<string, RawOverride>();
  const applyReceived = () =>
    state.get('pull_unfinished') !== true && db.transaction(() => applyInbox(db))();
  const readAll = () => mergeUnwritten(readBodies(db), unwritten);
  return {
    receive(page, nextCursor, isLast) {
      const isKnown = (state.get('pull_unfinished') ?? false) === !isLast;
      if (page.length === 0 && state.get('cursor') === nextCursor && isKnown) return;
      db.transaction(() => {
        state.set('cursor', nextCursor);
        state.set('pull_unfinished', isLast ? null : true);
        insertIntoInbox(db, page, 'merge');
      })();
    },
    stage(page, first) {
      db.transaction(() => {
        if (first) db.exec("DELETE FROM override_inbox WHERE purpose = 'staged'");
        insertIntoInbox(db, page, 'staged');
      })();
    },
    receiveStaged(nextCursor) {
      db.transaction(() => {
        state.set('cursor', nextCursor);
        state.set('pull_unfinished', null);
        // The marker lets an empty set replace the old set, too.
        db.exec(`
          DELETE FROM override_inbox WHERE purpose <> 'staged';
          UPDATE override_inbox SET purpose = 'replace';
          INSERT INTO override_inbox (position, purpose, body) VALUES (-1, 'replace', 'null');
        `);
      })();
    },
    applyInbox() {
      const isApplied = applyReceived();
      if (state.get('pull_unfinished') === true || unwritten.size === 0) return isApplied;
      // The hub sent all changes after the stored cursor again, so that the buffered changes are obsolete.
      unwritten.clear();
      return true;
    },
    applyInboxIfRoom() {
      try {
        return applyReceived() ? 'applied' : 'nothing';
      } catch (error) {
        if (!isDiskFull(error)) throw error;
        return 'no_room';
      }
    },
    applyInMemory(changes) {
      const newest = new Map(unwritten);
      let isChanged = false;
      for (const change of [...waitingChanges(db), ...changes]) {
        const id = change.override_id.toLowerCase();
        if (change.revision <= (newest.get(id)?.revision ?? -1)) continue;
        newest.set(id, change);
        isChanged = true;
      }
      // A subset of changes may be a state that the hub never had.
      if (newest.size > MAX_UNWRITTEN) return false;
      unwritten = newest;
      return isChanged;
    },
    load() {
      return readAll().filter(isKnownOverride);
    },
    notUnderstood() {
      return readAll().filter((body) => !isKnownOverride(body));
    },
    count() {
      if (unwritten.size > 0) return readAll().length;
      return db.prepare<[], { n: number }>('SELECT count(*) AS n FROM overrides').get()?.n ?? 0;
    },
    digest: () => digestOfStored(db),
  };
}

function digestOfStored(db: Db): string {
  const select = db.prepare<[], { override_id: string; revision: number }>(
    'SELECT override_id, revision FROM overrides',
  );
  return appliedDigest(select.iterate());
}

function insertIntoInbox(
  db: Db,
  overrides: readonly RawOverride[],
  purpose: 'merge' | 'staged',
): void {
  const insert = db.prepare('INSERT INTO override_inbox (purpose, body) VALUES (?, ?)');
  for (const override of overrides) insert.run(purpose, JSON.stringify(override));
}

/** Returns the stored overrides with the changes that the disk did not take, without deleted overrides. */
function mergeUnwritten(
  stored: RawOverride[],
  unwritten: ReadonlyMap<string, RawOverride>,
): RawOverride[] {
  if (unwritten.size === 0) return stored;
  const all = new Map(stored.map((override) => [override.override_id.toLowerCase(), override]));
  for (const [id, change] of unwritten) {
    if (change.revision >= (all.get(id)?.revision ?? 0)) all.set(id, change);
  }
  return [...all.values()].filter((override) => !override.deleted);
}

function applyInbox(db: Db): boolean {
  const waiting = db
    .prepare<[], { purpose: string; body: string }>(
      "SELECT purpose, body FROM override_inbox WHERE purpose <> 'staged' ORDER BY position",
    )
    .all();
  if (waiting.length === 0) return false;
  if (waiting.some((row) => row.purpose === 'replace')) db.exec('DELETE FROM overrides');
  const upsert = db.prepare(
    `INSERT INTO overrides (override_id, revision, body) VALUES (?, ?, ?)
     ON CONFLICT (override_id) DO UPDATE SET revision = excluded.revision, body = excluded.body
     WHERE excluded.revision >= overrides.revision`,
  );
  const remove = db.prepare('DELETE FROM overrides WHERE override_id = ? AND revision <= ?');
  for (const { body } of waiting) {
    const override = JSON.parse(body) as RawOverride | null;
    if (override === null) continue;
    const id = override.override_id.toLowerCase();
    if (override.deleted) remove.run(id, override.revision);
    else upsert.run(id, override.revision, body);
  }
  db.exec("DELETE FROM override_inbox WHERE purpose <> 'staged'");
  return true;
}

/** Returns the pages of the inbox that are applied over the present set; none where they replace it. */
function waitingChanges(db: Db): RawOverride[] {
  const waiting = db
    .prepare<[], { purpose: string; body: string }>(
      "SELECT purpose, body FROM override_inbox WHERE purpose <> 'staged' ORDER BY position",
    )
    .all();
  if (waiting.some((row) => row.purpose === 'replace')) return [];
  return waiting.map((row) => JSON.parse(row.body) as RawOverride);
}

function readBodies(db: Db): RawOverride[] {
  return db
    .prepare<[], { body: string }>('SELECT body FROM overrides ORDER BY override_id')
    .all()
    .map((row) => JSON.parse(row.body) as RawOverride);
}

/** The next moment at which an override begins or ends, by the hub's time. */
export function nextPolicyChangeMs(overrides: readonly WireOverride[], nowMs: number): number {
  const turns = overrides.flatMap((o) => [o.effective_at, o.expires_at]);
  const times = turns.flatMap((t) => (t === null ? [] : Date.parse(t)));
  return Math.min(Infinity, ...times.filter((t) => t > nowMs));
}
