// C/mcp/grants: a person's own OAuth connections with servers: begun, seen, ended. Administrators see and end everybody's.
import { hashSecret } from '@gatewarden/shared/secrets.ts';
import { BackendParams } from '@gatewarden/shared/wire/console/mcp-backends.ts';
import {
  type Grant,
  GrantEnded,
  GrantList,
  GrantParams,
  GrantQuery,
  GrantStarted,
} from '@gatewarden/shared/wire/console/mcp-grants.ts';
import type { FastifyRequest } from 'fastify';
import * as oidc from 'openid-client';
import {
  hasRole,
  type Person,
  personOf,
  recordByPerson,
} from '../../../../platform/auth/person.ts';
import { locationOf } from '../../../../platform/crypto/sealed-columns.ts';
import { type Db, type Tx, transact } from '../../../../platform/db/database.ts';
import { HubError } from '../../../../platform/http/errors/errors.ts';
import { createRateLimiter } from '../../../../platform/http/limits/token-bucket.ts';
import { loadPage } from '../../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../../platform/http/lists/cursors.ts';
import type { App } from '../../../../platform/http/server/app.ts';
import { type SessionCookie, selectEmails, sessionHashOf } from '../../../people/identity/index.ts';
import { type BackendRow, selectBackend } from '../../backends/index.ts';
import { type ClientDeps, configurationFor, connectorOf, type OAuthBackend } from './client.ts';
import type { OAuthConnections } from './connections.ts';
import { DiscoveryError } from './discovery.ts';
import {
  deleteGrant,
  type GrantKey,
  type GrantRow,
  insertStart,
  SEALED_STARTS,
  type Source,
  selectGrants,
} from './store.ts';
import { revokeTokens, unsealTokens } from './tokens.ts';

/** Time limit of a login. */
const START_SECONDS = 600;
/** A person who disconnects does not wait longer for the server's login. */
const REVOKE_MS = 5_000;

export interface GrantRouteDeps extends ClientDeps {
  cursors: CursorSealer;
  cookie: SessionCookie;
  grants: OAuthConnections;
  /** Whether the company's rules leave the person anything of the server. */
  isForThem(person: Person, backend: Pick<BackendRow, 'backend_id' | 'auth'>): Promise<boolean>;
}

/** A started login, until the browser returns. */
export interface Pending {
  verifier: string;
  source: Source;
  hasIss: boolean;
  callback: string;
}

/** Returns the location that a started login is sealed for. */
export function startPlace(stateHash: Buffer) {
  return locationOf(SEALED_STARTS, [stateHash.toString('hex')]);
}

export function registerOAuthConnections(app: App, deps: GrantRouteDeps): void {
  const { db, cursors } = deps;
  registerConnectionStart(app, deps);
  app.get(
    '/mcp/grants',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['mcp'],
        summary: 'List the OAuth connections of users to MCP servers',
        querystring: GrantQuery,
        response: { 200: GrantList },
      },
    },
    (request) => {
      const isAll = request.query.of === 'all';
      if (isAll && !hasRole(personOf(request).role, 'Admin')) throw new HubError('forbidden');
      const owner = isAll ? null : ownId(request);
      return loadPage(request, {
        cursors,
        list: `mcp-grants/${owner ?? '*'}`,
        fetch: async (tenantId, after, limit) => {
          const found = await selectGrants(db, tenantId, owner, after, limit);
          const emails = await selectEmails(
            db,
            tenantId,
            found.map((item) => item.user_id),
          );
          return found.map((item) => ({ ...item, email: emails.get(item.user_id) ?? null }));
        },
        keyOf: (row) => [row.user_id, row.backend_id],
        item: wire,
      });
    },
  );
  app.delete(
    '/mcp/grants/:backend_id',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['mcp'],
        summary: 'End your connection to an MCP server',
        params: BackendParams,
        response: { 200: GrantEnded },
      },
    },
    (request) =>
      end(deps, request, {
        tenantId: personOf(request).tenantId,
        backendId: request.params.backend_id,
        userId: ownId(request),
      }),
  );
  app.delete(
    '/mcp/grants/:backend_id/people/:user_id',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['mcp'],
        summary: 'End the connection of a user to an MCP server',
        params: GrantParams,
        response: { 200: GrantEnded },
      },
    },
    (request) =>
      end(deps, request, {
        tenantId: personOf(request).tenantId,
        backendId: request.params.backend_id,
        userId: request.params.user_id,
      }),
  );
}

function registerConnectionStart(app: App, deps: GrantRouteDeps): void {
  // Each start sends requests to a server and its authorization server.
  const starts = createRateLimiter(
    { perSecond: 0.5, burst: 60 },
    { max: 10_000, nowMs: () => performance.now() },
  );
  app.post(
    '/mcp/grants/:backend_id/start',
    {
      config: { access: 'Member' },
      schema: {
        tags: ['mcp'],
        summary: 'Start an OAuth connection; the response has the address for the browser',
        params: BackendParams,
        response: { 200: GrantStarted },
      },
    },
    async (request) => {
      starts.consume(`${personOf(request).tenantId} ${ownId(request)}`);
      return {
        authorization_url: await begin(deps, request, request.params.backend_id),
        request_id: request.id,
      };
    },
  );
}

/** Returns the id of the signed-in user. Throws for a script's token, which has no connections. */
function ownId(request: FastifyRequest): string {
  const { userId } = personOf(request);
  if (userId === null) {
    throw new HubError('forbidden', 'Only signed-in users have connections.');
  }
  return userId;
}

/** Null where the backend is none that people connect with. */
export async function oauthBackend(
  db: Db,
  tenantId: string,
  backendId: string,
): Promise<OAuthBackend | null> {
  const found = await selectBackend(db, tenantId, backendId);
  if (found === null || found.auth.kind !== 'oauth' || found.disabled_at !== null) return null;
  return { ...found, auth: found.auth, tenantId };
}

async function begin(
  deps: GrantRouteDeps,
  request: FastifyRequest,
  backendId: string,
): Promise<string> {
  const userId = ownId(request);
  const person = personOf(request);
  const { tenantId } = person;
  const sessionHash = sessionHashOf(deps.cookie, request);
  if (sessionHash === null) throw new HubError('forbidden');
  const backend = await oauthBackend(deps.db, tenantId, backendId);
  if (backend === null || !(await deps.isForThem(person, backend))) {
    throw new HubError('not_found');
  }
  const connector = await connectorOf(deps, backend).catch((error: unknown) => {
    if (!(error instanceof DiscoveryError)) throw error;
    throw new HubError(
      'mcp_login_unavailable',
      `Couldn't connect to the server: ${error.message}.`,
    );
  });
  const state = oidc.randomState();
  const stateHash = hashSecret(state);
  const verifier = oidc.randomPKCECodeVerifier();
  const pending: Pending = {
    verifier,
    source: connector.source,
    hasIss: connector.server.authorization_response_iss_parameter_supported === true,
    callback: connector.callback,
  };
  await insertStart(deps.db, stateHash, {
    tenantId,
    backendId: backend.backend_id,
    userId,
    session_hash: sessionHash,
    sealed_pending: deps.sealer.seal(JSON.stringify(pending), startPlace(stateHash)),
    seconds: START_SECONDS,
  });
  const { resource } = connector.source;
  return oidc.buildAuthorizationUrl(connector.configuration, {
    redirect_uri: connector.callback,
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(connector.scopes.length === 0 ? {} : { scope: connector.scopes.join(' ') }),
    ...(resource === null ? {} : { resource }),
  }).href;
}

async function end(deps: GrantRouteDeps, request: FastifyRequest, key: GrantKey) {
  const gone = await transact(deps.db, async (tx) => {
    const deleted = await deleteGrant(tx, key);
    if (deleted === null) throw new HubError('not_found');
    await recordChange(tx, request, key);
    await deps.grants.invalidateEverywhere(tx, key);
    return deleted;
  });
  deps.grants.invalidate(key);
  return { grant: wire(gone), revoked: await takenBack(deps, key, gone), request_id: request.id };
}

const recordChange = (tx: Tx, request: FastifyRequest, key: GrantKey) =>
  recordByPerson(tx, request, {
    operation: 'mcp_grant.delete',
    resource: { kind: 'mcp_backend', id: key.backendId },
    detail: { user_id: key.userId },
  });

/** Deletes the connection, whatever the login responds. */
async function takenBack(deps: GrantRouteDeps, key: GrantKey, grant: GrantRow): Promise<boolean> {
  const found = await selectBackend(deps.db, key.tenantId, key.backendId);
  if (found === null || found.auth.kind !== 'oauth') return false;
  const backend = { ...found, auth: found.auth, tenantId: key.tenantId };
  const configuration = await configurationFor(deps, backend, grant.source, REVOKE_MS);
  if (configuration === null) return false;
  return revokeTokens(configuration, unsealTokens(deps, key, grant));
}

function wire(row: GrantRow & { email?: string | null }): Grant {
  return {
    backend_id: row.backend_id,
    user_id: row.user_id,
    email: row.email ?? null,
    state: row.renewal === null ? 'connected' : 'renew',
    renewal: row.renewal,
    issuer: row.source.issuer,
    scope: row.scope,
    connected_at: row.connected_at.toISOString(),
    refreshed_at: row.refreshed_at.toISOString(),
  };
}
