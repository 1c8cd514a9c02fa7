// Versioned writes: If-Match, the change, its feed number and its audit event in a single transaction.
import type { PageTopic } from '@gatewarden/shared/wire/console/events.ts';
import { type AuditEvent, recordAudit } from './audit.ts';
import { type Db, type Tx, transact } from './db/database.ts';
import { advanceFeed, type FeedTopic, notify } from './feed/feed.ts';
import { HubError } from './http/errors/errors.ts';
import { parseIfMatch } from './http/server/etag.ts';

interface ChangeTarget {
  tenantId: string;
  /** Feed of the changes; null without a feed, and the revision is 0. */
  feed: FeedTopic | null;
  page: PageTopic;
}

/** Creates a resource with its feed number, audit event and page notice. `store` receives the feed number. */
export async function recordedCreation<Resource>(
  db: Db,
  write: ChangeTarget & {
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
 * Changes a resource. Order of checks: 404, 428 or malformed If-Match, 412. `change` returns null if nothing would change: the
 * version stays, and no notice is sent. `store` compares the version again in its UPDATE, and returns null if another writer
 * was faster.
 */
export async function versionedWrite<Resource extends { version: number }, Change>(
  db: Db,
  write: ChangeTarget & {
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

async function nextRevision(tx: Tx, { tenantId, feed }: ChangeTarget): Promise<number> {
  return feed === null ? 0 : advanceFeed(tx, tenantId, feed);
}
