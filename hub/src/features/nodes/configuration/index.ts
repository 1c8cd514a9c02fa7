// GET /node/v1/config: delivers the configuration of apps, providers, keys and prompts to gateway nodes, and then each change.
// Main types: `ItemRow` (store.ts), `LoadDocs`.
// Invariant: items arrive in commit order, and a cursor never skips an item.
// Depends on platform/feed/configuration-feed.ts, which numbers the changes, and on nodes/tokens. Start reading at
// `registerNodeConfiguration`.
import type { ConfigurationKind } from '@gatewarden/shared/wire/nodes/configuration.ts';
import { NodeConfigAnswer, NodeConfigQuery } from '@gatewarden/shared/wire/nodes/configuration.ts';
import type { Db } from '../../../platform/db/database.ts';
import { outsideTenants } from '../../../platform/db/tenant-connections.ts';
import { CONFIGURATION_TOPIC } from '../../../platform/feed/configuration-feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { authenticateNode, type Node } from '../tokens/index.ts';
import {
  countLiveInstances,
  type ItemRow,
  insertDelivery,
  type ResumePoint,
  selectItems,
  selectModelChecks,
  upsertInstance,
} from './store.ts';

export { deleteOldDeliveries } from './store.ts';

const LIMIT_DEFAULT = 100;
/** A response stops growing at this size: prompts of a megabyte are allowed, and a node could not read 500 of them. */
const RESPONSE_CHARACTERS_MAX = 4 * 2 ** 20;
const DOCS_PER_LOAD = 20;

/** Returns the documents of a kind by id; an id without a document was deleted. */
export type LoadDocs = (tenantId: string, ids: readonly string[]) => Promise<Map<string, object>>;

export interface NodeConfigurationDeps {
  db: Db;
  cursors: CursorSealer;
  /** Changes with a restore; a cursor of another epoch is answered 410. */
  feedEpoch: string;
  notifications: Notifications;
  docs: Record<ConfigurationKind, LoadDocs>;
  /** Aborts when the hub stops: a waiting poll is answered. */
  stopping: AbortSignal;
}

/** Registers `GET /node/v1/config`. */
export function registerNodeConfiguration(app: App, deps: NodeConfigurationDeps): void {
  app.get(
    '/node/v1/config',
    {
      schema: {
        tags: ['nodes'],
        summary: 'List configuration changes since the cursor; `wait` long-polls',
        querystring: NodeConfigQuery,
        response: { 200: NodeConfigAnswer },
      },
      config: { caller: 'node' },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const node = await authenticateNode(deps.db, request.headers.authorization);
      const { cursor, wait = '0', limit, instance, model_checks } = request.query;
      const binding = ['node-config', node.tenantId];
      const after = openCursor(deps, binding, cursor);
      if (instance !== undefined) {
        const hasModelChecks = model_checks === 'true';
        await upsertInstance(deps.db, { tokenId: node.tokenId, instance, hasModelChecks });
      }
      const disconnected = new AbortController();
      reply.raw.once('close', () => disconnected.abort());
      const limitRows = limit === undefined ? LIMIT_DEFAULT : Number(limit);
      const page = { after, limit: limitRows, waitMs: Number(wait) * 1000 };
      const rows = await pollItems(deps, node, page, [disconnected.signal, deps.stopping]);
      // A token that was revoked during the wait receives nothing.
      if (wait !== '0') await authenticateNode(deps.db, request.headers.authorization);
      const items = await loadItems(deps, rows.slice(0, limitRows));
      const last = rows[items.length - 1];
      if (last !== undefined) await recordDelivery(deps.db, node, items, last.revision);
      const resumePoint: ResumePoint | undefined =
        last === undefined ? after : [String(last.revision), last.tenant_id, last.kind, last.id];
      return {
        items,
        next_cursor: deps.cursors.seal(binding, [deps.feedEpoch, ...(resumePoint ?? [])]),
        has_more: rows.length > items.length,
        live_nodes: Math.max(1, await countLiveInstances(deps.db, node.tenantId)),
        request_id: request.id,
      };
    },
  );
}

/** Returns the resume point of a cursor. Throws `invalid_cursor` and `cursor_expired`. */
function openCursor(
  { cursors, feedEpoch }: NodeConfigurationDeps,
  binding: readonly unknown[],
  cursor: string | undefined,
): ResumePoint | undefined {
  if (cursor === undefined) return undefined;
  const opened = cursors.open(binding, cursor) as string[] | null;
  if (opened === null) throw new HubError('invalid_cursor');
  const [epoch, ...resumePoint] = opened;
  if (epoch !== feedEpoch) throw new HubError('cursor_expired');
  return resumePoint.length === 4 ? (resumePoint as unknown as ResumePoint) : undefined;
}

/**
 * Returns the next items, after a wait if there are none yet. The subscription begins before the query, so that a change
 * between the two is not missed.
 */
async function pollItems(
  { db, notifications }: NodeConfigurationDeps,
  node: Node,
  page: { after: ResumePoint | undefined; limit: number; waitMs: number },
  ends: readonly AbortSignal[],
): Promise<ItemRow[]> {
  const end = AbortSignal.any([AbortSignal.timeout(page.waitMs), ...ends]);
  for (;;) {
    const change = subscribeOnce(notifications, node, end);
    const items = await selectItems(db, node.tenantId, page.after, page.limit + 1);
    if (items.length > 0 || page.waitMs === 0 || end.aborted) {
      change.cancel();
      return items;
    }
    await change.notified;
  }
}

/** Waits for the next change of the node's configuration, or for the end. */
function subscribeOnce(notifications: Notifications, node: Node, end: AbortSignal) {
  const { promise: notified, resolve } = Promise.withResolvers<void>();
  const cancel = () => {
    unsubscribe();
    unsubscribeLoss();
    end.removeEventListener('abort', cancel);
    resolve();
  };
  const unsubscribe = notifications.onNotice(
    (notice) => {
      if (notice.kind !== 'feed' || notice.topic !== CONFIGURATION_TOPIC) return;
      if (node.tenantId === null || notice.tenant === node.tenantId) cancel();
    },
    { again: true },
  );
  // Notifications during a lost connection are missed; another query finds their changes.
  const unsubscribeLoss = notifications.onLost(cancel);
  end.addEventListener('abort', cancel);
  return { notified, cancel };
}

/** Loads the documents of the first items, up to the maximum size of a response; at least one item. */
async function loadItems(deps: NodeConfigurationDeps, page: readonly ItemRow[]) {
  const items: Awaited<ReturnType<typeof loadDocs>> = [];
  let characters = 0;
  for (let start = 0; start < page.length; start += DOCS_PER_LOAD) {
    for (const item of await loadDocs(deps, page.slice(start, start + DOCS_PER_LOAD))) {
      characters += JSON.stringify(item.doc).length;
      if (items.length > 0 && characters > RESPONSE_CHARACTERS_MAX) return items;
      items.push(item);
    }
  }
  return items;
}

async function loadDocs({ docs }: NodeConfigurationDeps, page: readonly ItemRow[]) {
  const groups = new Map<string, { tenantId: string; kind: ConfigurationKind; ids: string[] }>();
  for (const { tenant_id: tenantId, kind, id, deleted } of page) {
    if (deleted) continue;
    const key = `${tenantId}/${kind}`;
    const group = groups.get(key) ?? { tenantId, kind, ids: [] };
    group.ids.push(id);
    groups.set(key, group);
  }
  const loaded = new Map<string, Map<string, object>>();
  for (const [key, { tenantId, kind, ids }] of groups) {
    loaded.set(key, await docs[kind](tenantId, ids));
  }
  return page.map(({ tenant_id, kind, id, revision, deleted }) => {
    const doc = deleted ? null : (loaded.get(`${tenant_id}/${kind}`)?.get(id) ?? null);
    return { kind, tenant_id, id, revision, deleted: doc === null, doc };
  });
}

async function recordDelivery(
  db: Db,
  node: Node,
  items: readonly { kind: ConfigurationKind; doc: object | null }[],
  revision: number,
): Promise<void> {
  const credentials = items.reduce((sum, { kind, doc }) => sum + countCredentials(kind, doc), 0);
  await insertDelivery(db, { tokenId: node.tokenId, revision, items: items.length, credentials });
}

/** Counts the credentials of a document: a provider has one, an app those of its own providers. */
function countCredentials(kind: ConfigurationKind, doc: object | null): number {
  if (doc === null) return 0;
  if (kind === 'provider') return 1;
  return 'inline_providers' in doc && Array.isArray(doc.inline_providers)
    ? doc.inline_providers.length
    : 0;
}

/** Returns whether every running node of the tenant has a guardian; false without a running node. */
export function hasModelChecks(db: Db, tenantId: string): Promise<boolean> {
  return outsideTenants(() => selectModelChecks(db, tenantId));
}
