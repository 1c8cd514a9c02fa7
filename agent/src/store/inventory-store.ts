// Stores the inventory that the hub has confirmed, and the batches that are to be sent.
import { EMPTY_INVENTORY, xorHash } from '@gatewarden/shared/digests.ts';
import type { KnownEntity } from '../discovery/scan/snapshot-diff.ts';
import type { Db } from './store-database.ts';

/** Changes of the confirmed set once the hub has accepted a batch with 202. */
export interface BatchEffects {
  scan_id: string;
  upserts: (Omit<KnownEntity, 'hash'> & { hash: string })[];
  removals: string[];
  /** Set in the last batch of a scan. */
  ends: { kind: 'full' | 'delta'; coverage: string; epoch: string | null } | null;
}

export interface OutgoingBatch {
  batchId: string;
  body: string;
  effects: BatchEffects;
}

export interface SetAside {
  entity_id: string;
  hash: Buffer;
  source: string;
  reason: string;
}

export interface InventoryStore {
  confirmed(): Map<string, KnownEntity>;
  /** XOR of the hashes of all that is confirmed; null before anything ever was. */
  digest(): string | null;
  /** Replaces whatever is on its way. */
  replaceOutgoing(batches: OutgoingBatch[]): void;
  nextOutgoing(): OutgoingBatch | null;
  /** Confirms a batch: its effects, its end and the writes of `also` are a single transaction. */
  confirm(batch: OutgoingBatch, also: () => void): void;
  setAside(): SetAside[];
  putAside(entity: SetAside): void;
  takeBack(entityId: string): void;
}

/** Opens the store over a database of this version. */
export function openInventory(db: Db): InventoryStore {
  let digest: string | null | undefined;
  return {
    confirmed: () => new Map(readConfirmed(db).map((entity) => [entity.entity_id, entity])),
    digest() {
      if (digest === undefined) {
        const all = readConfirmed(db);
        digest =
          all.length === 0
            ? null
            : all.reduce((sum, e) => xorHash(sum, e.hash), EMPTY_INVENTORY).toString('hex');
      }
      return digest;
    },
    replaceOutgoing(batches) {
      db.transaction(() => {
        db.exec('DELETE FROM outgoing_batches');
        const insert = db.prepare(
          'INSERT INTO outgoing_batches (batch_id, body, effects) VALUES (?, ?, ?)',
        );
        for (const b of batches) insert.run(b.batchId, b.body, JSON.stringify(b.effects));
      })();
    },
    nextOutgoing() {
      const row = db
        .prepare<[], { batch_id: string; body: string; effects: string }>(
          'SELECT batch_id, body, effects FROM outgoing_batches ORDER BY position LIMIT 1',
        )
        .get();
      if (row === undefined) return null;
      return {
        batchId: row.batch_id,
        body: row.body,
        effects: JSON.parse(row.effects),
      };
    },
    confirm(batch, also) {
      digest = undefined;
      db.transaction(() => {
        applyEffects(db, batch.effects);
        // The batch is removed by its id: a newer plan may have stored another batch under this number meanwhile.
        db.prepare('DELETE FROM outgoing_batches WHERE batch_id = ?').run(batch.batchId);
        also();
      })();
    },
    setAside: () => db.prepare<[], SetAside>('SELECT * FROM set_aside ORDER BY entity_id').all(),
    putAside(entity) {
      db.prepare(
        'INSERT OR REPLACE INTO set_aside (entity_id, hash, source, reason) VALUES (?, ?, ?, ?)',
      ).run(entity.entity_id, entity.hash, entity.source, entity.reason);
    },
    takeBack(entityId) {
      db.prepare('DELETE FROM set_aside WHERE entity_id = ?').run(entityId);
    },
  };
}

function readConfirmed(db: Db): KnownEntity[] {
  return db
    .prepare<[], Omit<KnownEntity, 'owners'> & { owners: string }>(
      'SELECT entity_id, hash, kind, source, name, owners FROM confirmed_entities',
    )
    .all()
    .map((row) => ({ ...row, owners: JSON.parse(row.owners) }));
}

function applyEffects(db: Db, effects: BatchEffects): void {
  const upsert = db.prepare(
    `INSERT OR REPLACE INTO confirmed_entities (entity_id, hash, kind, source, name, owners)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  for (const e of effects.upserts) {
    const hash = Buffer.from(e.hash, 'hex');
    upsert.run(e.entity_id, hash, e.kind, e.source, e.name, JSON.stringify(e.owners));
  }
  const remove = db.prepare('DELETE FROM confirmed_entities WHERE entity_id = ?');
  for (const id of effects.removals) remove.run(id);
}
