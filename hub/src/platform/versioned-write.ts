// The versioned write: If-Match, the change, its feed number and its audit event in one transaction.
import type { PageTopic } from '@gatewarden/shared/wire/console/events.ts';
import { type AuditEvent, recordAudit } from './audit.ts';
import { type Db, type Tx, transact } from './db/database.ts';
import { advanceFeed, type FeedTopic, notify } from './feed/feed.ts';
import { HubError } from './http/errors/errors.ts';
import { parseIfMatch } from './http/server/etag.ts';

interface Told {
  tenantId: string;
  /** Null where nobody follows such changes by number; the revision is then 0. */
  feed: FeedTopic | null;
  page: PageTopic;
}

/** A creation that others must learn of: `store` gets the feed number that the row carries. */
export async function recordedCreation<Resource>(
  db: Db,
  write: Told & {
    store(tx: Tx, revision: number): Promise<Resource>;
    audit(created: Resource): AuditEvent;
  },
): Promise<Resource> {
  return transact(db, async (tx) => {
    const revision = await nextRevision(tx, write);
    const created = await write.store(tx, revision);
    await recordAudit(tx, write.audit(created));
    await notify(tx, { kind: 'page', tenant: write.tenantId, topic: write.page });
    return created;
  });
}

/**
 * A change of what exists. Order of checks: 404, 428 and malformed If-Match, 412. `change` gives null where nothing
 * would change: the version stays and nobody is told. `store` compares the version once more in its UPDATE and gives
 * null where another writer was faster.
 */
export async function versionedWrite<Resource extends { version: number }, Change>(
  db: Db,
  write: Told & {
    ifMatch: string | string[] | undefined;
    load(tx: Tx): Promise<Resource | null>;
    change(before: Resource): Change | null;
    store(tx: Tx, before: Resource, change: Change, revision: number): Promise<Resource | null>;
    audit(before: Resource, after: Resource): AuditEvent;
  },
): Promise<Resource> {
  return transact(db, async (tx) => {
    const before = await write.load(tx);
    if (before === null) throw new HubError('not_found');
    if (!parseIfMatch(write.ifMatch).includes(before.version)) {
      throw new HubError('precondition_failed');
    }
    const change = write.change(before);
    if (change === null) return before;
    const revision = await nextRevision(tx, write);
    const after = await write.store(tx, before, change, revision);
    if (after === null) throw new HubError('precondition_failed');
    await recordAudit(tx, write.audit(before, after));
    await notify(tx, { kind: 'page', tenant: write.tenantId, topic: write.page });
    return after;
  });
}

async function nextRevision(tx: Tx, { tenantId, feed }: Told): Promise<number> {
  return feed === null ? 0 : advanceFeed(tx, tenantId, feed);
}
