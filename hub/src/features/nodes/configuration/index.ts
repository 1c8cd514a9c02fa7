// GET /node/v1/config: gateway nodes follow what is configured, in commit order; a poll may wait for news.
import type { ConfigurationKind } from '@gatewarden/shared/wire/nodes/configuration.ts';
import { NodeConfigAnswer, NodeConfigQuery } from '@gatewarden/shared/wire/nodes/configuration.ts';
import type { Db } from '../../../platform/db/database.ts';
import { CONFIGURATION_TOPIC } from '../../../platform/feed/configuration-feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { type Node, nodeOf } from '../tokens/index.ts';
import { type ItemRow, insertDelivery, type Position, selectItems } from './store.ts';

export { deleteOldDeliveries } from './store.ts';

const LIMIT_DEFAULT = 100;
/** Where an answer stops growing: prompts of a megabyte are allowed, and 500 of them are no answer. */
const ANSWER_CHARACTERS = 4 * 2 ** 20;
const LOADED_AT_ONCE = 20;

/** Documents of one kind by id; what is not among them is gone. */
export type LoadDocs = (tenantId: string, ids: readonly string[]) => Promise<Map<string, object>>;

export interface NodeConfigurationDeps {
  db: Db;
  cursors: CursorSealer;
  /** New after a restore: cursors of before are 410. */
  feedEpoch: string;
  notifications: Notifications;
  docs: Record<ConfigurationKind, LoadDocs>;
  /** The hub stops: whoever waits is answered. */
  stopping: AbortSignal;
}

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
      const node = await nodeOf(deps.db, request.headers.authorization);
      const { cursor, wait = '0', limit } = request.query;
      const binding = ['node-config', node.tenantId];
      const after = positionOf(deps, binding, cursor);
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const size = limit === undefined ? LIMIT_DEFAULT : Number(limit);
      const found = await itemsOrNews(deps, node, { after, size, waitMs: Number(wait) * 1000 }, [
        gone.signal,
        deps.stopping,
      ]);
      // What came while it waited is not for a token that ended meanwhile.
      if (wait !== '0') await nodeOf(deps.db, request.headers.authorization);
      const items = await withinAnswer(deps, found.slice(0, size));
      const last = found[items.length - 1];
      if (last !== undefined) await record(deps.db, node, items, last.revision);
      const position: Position | undefined =
        last === undefined ? after : [String(last.revision), last.tenant_id, last.kind, last.id];
      return {
        items,
        next_cursor: deps.cursors.seal(binding, [deps.feedEpoch, ...(position ?? [])]),
        has_more: found.length > items.length,
        request_id: request.id,
      };
    },
  );
}

function positionOf(
  { cursors, feedEpoch }: NodeConfigurationDeps,
  binding: readonly unknown[],
  cursor: string | undefined,
): Position | undefined {
  if (cursor === undefined) return undefined;
  const opened = cursors.open(binding, cursor) as string[] | null;
  if (opened === null) throw new HubError('invalid_cursor');
  const [epoch, ...position] = opened;
  if (epoch !== feedEpoch) throw new HubError('cursor_expired');
  return position.length === 4 ? (position as unknown as Position) : undefined;
}

/** What is there, or what comes within the wait. Listens before it looks, so that nothing falls in between. */
async function itemsOrNews(
  { db, notifications }: NodeConfigurationDeps,
  node: Node,
  asked: { after: Position | undefined; size: number; waitMs: number },
  ends: readonly AbortSignal[],
): Promise<ItemRow[]> {
  const until = AbortSignal.any([AbortSignal.timeout(asked.waitMs), ...ends]);
  for (;;) {
    const news = nextNews(notifications, node, until);
    const found = await selectItems(db, node.tenantId, asked.after, asked.size + 1);
    if (found.length > 0 || asked.waitMs === 0 || until.aborted) {
      news.cancel();
      return found;
    }
    await news.came;
  }
}

function nextNews(notifications: Notifications, node: Node, until: AbortSignal) {
  const { promise: came, resolve } = Promise.withResolvers<void>();
  const cancel = () => {
    unsubscribe();
    unsubscribeLoss();
    until.removeEventListener('abort', cancel);
    resolve();
  };
  const unsubscribe = notifications.onNotice(
    (notice) => {
      if (notice.kind !== 'feed' || notice.topic !== CONFIGURATION_TOPIC) return;
      if (node.tenantId === null || notice.tenant === node.tenantId) cancel();
    },
    { again: true },
  );
  // What was told while the connection was lost was missed: looking again costs one query.
  const unsubscribeLoss = notifications.onLost(cancel);
  until.addEventListener('abort', cancel);
  return { came, cancel };
}

/** As many of the first as an answer holds; one at least. */
async function withinAnswer(deps: NodeConfigurationDeps, page: readonly ItemRow[]) {
  const items: Awaited<ReturnType<typeof withDocs>> = [];
  let characters = 0;
  for (let at = 0; at < page.length; at += LOADED_AT_ONCE) {
    for (const item of await withDocs(deps, page.slice(at, at + LOADED_AT_ONCE))) {
      characters += JSON.stringify(item.doc).length;
      if (items.length > 0 && characters > ANSWER_CHARACTERS) return items;
      items.push(item);
    }
  }
  return items;
}

async function withDocs({ docs }: NodeConfigurationDeps, page: readonly ItemRow[]) {
  const wanted = new Map<string, { tenantId: string; kind: ConfigurationKind; ids: string[] }>();
  for (const { tenant_id: tenantId, kind, id, deleted } of page) {
    if (deleted) continue;
    const key = `${tenantId}/${kind}`;
    const group = wanted.get(key) ?? { tenantId, kind, ids: [] };
    group.ids.push(id);
    wanted.set(key, group);
  }
  const loaded = new Map<string, Map<string, object>>();
  for (const [key, { tenantId, kind, ids }] of wanted) {
    loaded.set(key, await docs[kind](tenantId, ids));
  }
  return page.map(({ tenant_id, kind, id, revision, deleted }) => {
    const doc = deleted ? null : (loaded.get(`${tenant_id}/${kind}`)?.get(id) ?? null);
    return { kind, tenant_id, id, revision, deleted: doc === null, doc };
  });
}

async function record(
  db: Db,
  node: Node,
  items: readonly { kind: ConfigurationKind; doc: object | null }[],
  revision: number,
): Promise<void> {
  const credentials = items.reduce((sum, { kind, doc }) => sum + credentialsIn(kind, doc), 0);
  await insertDelivery(db, { tokenId: node.tokenId, revision, items: items.length, credentials });
}

/** A provider is one; a legacy app brings its own along. */
function credentialsIn(kind: ConfigurationKind, doc: object | null): number {
  if (doc === null) return 0;
  if (kind === 'provider') return 1;
  return 'inline_providers' in doc && Array.isArray(doc.inline_providers)
    ? doc.inline_providers.length
    : 0;
}
