// C/mcp/connections: the users' own keys for backends. A user stores and deletes a key; no API returns it.
import { JustPaged } from '@gatewarden/shared/wire/console/common.ts';
import { BackendParams } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import {
  type Connection,
  ConnectionAnswer,
  ConnectionInput,
  ConnectionList,
} from '@gatewarden/shared/wire/console/mcp-connections.ts';
import type { FastifyRequest } from 'fastify';
import { personOf, recordByPerson } from '../../../../platform/auth/person.ts';
import type { Sealer } from '../../../../platform/crypto/seal.ts';
import { locationOf } from '../../../../platform/crypto/sealed-columns.ts';
import { type Db, type Tx, transact } from '../../../../platform/db/database.ts';
import { notify } from '../../../../platform/feed/feed.ts';
import type { Notifications } from '../../../../platform/feed/notifications.ts';
import { createNotifiedCache } from '../../../../platform/feed/notified-cache.ts';
import { HubError } from '../../../../platform/http/errors/errors.ts';
import { loadPage } from '../../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../../platform/http/lists/cursors.ts';
import type { App } from '../../../../platform/http/server/app.ts';
import { backendWith } from '../../backends/index.ts';
import {
  type ConnectionKey,
  type ConnectionRow,
  deleteSecret,
  SEALED_CONNECTIONS,
  selectConnections,
  selectSecret,
  storeSecret,
} from './store.ts';

const CACHE = 'mcp-connection';

export interface UserKeys {
  /** Returns the user's key for the backend at `url`, or null. */
  secretOf(key: ConnectionKey, url: string): Promise<string | null>;
  forget(key: ConnectionKey): void;
}

const nameOf = ({ tenantId, backendId, userId }: ConnectionKey) =>
  `${tenantId}/${backendId}/${userId}`;
const placeOf = ({ tenantId, backendId, userId }: ConnectionKey) =>
  locationOf(SEALED_CONNECTIONS, [tenantId, backendId, userId]);

/**
 * Keys are remembered sealed, until a notice names them, and for one origin: who knows already that the backend moved finds
 * none that was given for the place before, however late that notice is.
 */
export function createUserKeys(db: Db, sealer: Sealer, notifications: Notifications): UserKeys {
  const cache = createNotifiedCache<{ sealed: string | null; origin: string }>({
    name: CACHE,
    max: 50_000,
    notifications,
  });
  return {
    async secretOf(key, url) {
      const { origin } = new URL(url);
      const name = nameOf(key);
      if ((cache.getIfCached(name)?.origin ?? origin) !== origin) cache.invalidate(name);
      const load = async () => ({ sealed: await selectSecret(db, key), origin });
      const known = await cache.get(name, load);
      const { sealed } = known.origin === origin ? known : await load();
      return sealed === null ? null : sealer.unseal(sealed, placeOf(key));
    },
    forget: (key) => cache.invalidate(nameOf(key)),
  };
}

export interface ConnectionDeps {
  db: Db;
  sealer: Sealer;
  cursors: CursorSealer;
  connections: UserKeys;
}

export function registerUserKeys(app: App, deps: ConnectionDeps): void {
  const { db, sealer, cursors, connections } = deps;
  app.get(
    '/mcp/connections',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['mcp'],
        summary: 'List your keys for MCP servers',
        querystring: JustPaged,
        response: { 200: ConnectionList },
      },
    },
    (request) => {
      const userId = ownId(request);
      return loadPage(request, {
        cursors,
        list: `mcp-connections/${userId}`,
        fetch: (tenantId, after, limit) => selectConnections(db, tenantId, userId, after, limit),
        keyOf: (row) => [row.backend_id],
        item: wire,
      });
    },
  );
  app.put(
    '/mcp/connections/:backend_id',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['mcp'],
        summary: 'Save your key for an MCP server',
        params: BackendParams,
        body: ConnectionInput,
        response: { 200: ConnectionAnswer },
      },
    },
    async (request) => {
      const key = keyOf(request, request.params.backend_id);
      const stored = await transact(db, async (tx) => {
        if ((await backendWith(tx, key.tenantId, key.backendId)) === null) {
          throw new HubError('not_found');
        }
        const made = await storeSecret(tx, key, sealer.seal(request.body.secret, placeOf(key)));
        await recordChange(tx, request, 'store', key);
        return made;
      });
      connections.forget(key);
      return { connection: wire(stored), request_id: request.id };
    },
  );
  app.delete(
    '/mcp/connections/:backend_id',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['mcp'],
        summary: 'Delete your key for an MCP server',
        params: BackendParams,
        response: { 200: ConnectionAnswer },
      },
    },
    async (request) => {
      const key = keyOf(request, request.params.backend_id);
      const gone = await transact(db, async (tx) => {
        const deleted = await deleteSecret(tx, key);
        if (deleted === null) throw new HubError('not_found');
        await recordChange(tx, request, 'delete', key);
        return deleted;
      });
      connections.forget(key);
      return { connection: wire(gone), request_id: request.id };
    },
  );
}

/** A token of a script is no person: it has no key of its own. */
function ownId(request: FastifyRequest): string {
  const { userId } = personOf(request);
  if (userId === null) throw new HubError('forbidden', 'Only signed-in users have keys.');
  return userId;
}

function keyOf(request: FastifyRequest, backendId: string): ConnectionKey {
  return { tenantId: personOf(request).tenantId, backendId, userId: ownId(request) };
}

/** In every hub process when the transaction commits. */
export const forgetSecretEverywhere = (tx: Tx, key: ConnectionKey): Promise<void> =>
  notify(tx, { kind: 'forget', cache: CACHE, keys: [nameOf(key)] });

async function recordChange(
  tx: Tx,
  request: FastifyRequest,
  verb: 'store' | 'delete',
  key: ConnectionKey,
): Promise<void> {
  await recordByPerson(tx, request, {
    operation: `mcp_connection.${verb}`,
    resource: { kind: 'mcp_backend', id: key.backendId },
    detail: {},
  });
  await forgetSecretEverywhere(tx, key);
}

function wire(row: ConnectionRow): Connection {
  return {
    backend_id: row.backend_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
