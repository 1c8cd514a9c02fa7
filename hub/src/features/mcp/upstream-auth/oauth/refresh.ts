// Refreshes the tokens of a connection (RFC 6749 §6): a process that has the lease sends the request, others wait for its result.
import * as oidc from 'openid-client';
import { type Actor, recordAudit } from '../../../../platform/audit.ts';
import { transact } from '../../../../platform/db/database.ts';
import { type ClientDeps, configurationFor, type OAuthBackend } from './client.ts';
import { type ChangeWait, cacheKey, invalidateEverywhere } from './connection-changes.ts';
import {
  claimRefresh,
  type GrantKey,
  type GrantRow,
  markForRenewal,
  releaseRefresh,
  selectGrant,
  storeRefreshed,
} from './store.ts';
import { revokeTokens, sealTokens, tokensIn, unsealTokens } from './tokens.ts';

const GATEWAY: Actor = { kind: 'hub', id: 'mcp-gateway', email: null };
/** Longer than the timeout of a login, so that a live process never loses its lease. */
const LEASE_SECONDS = 30;
const TIMEOUT_MS = 45_000;

export interface RefreshDeps extends ClientDeps {
  startWait(key: GrantKey): ChangeWait;
  /** Invalidates the cached connection in this process. */
  invalidate(key: GrantKey): void;
}

/** Returns the connection after `from` was refreshed; null: the connection was deleted. Throws after a timeout. */
export type Refresh = (
  key: GrantKey,
  backend: OAuthBackend,
  from: GrantRow,
) => Promise<GrantRow | null>;

/** Returns the refresh of connections. Calls for the same connection share a refresh. */
export function createRefresh(deps: RefreshDeps): Refresh {
  const running = new Map<string, Promise<GrantRow | null>>();
  return (key, backend, { generation }) => {
    const name = cacheKey(key);
    const refresh =
      running.get(name) ??
      refreshOnce(deps, key, backend, generation).finally(() => running.delete(name));
    running.set(name, refresh);
    return refresh;
  };
}

/** Refreshes with the lease, or waits until the process that has the lease is done. */
async function refreshOnce(
  deps: RefreshDeps,
  key: GrantKey,
  backend: OAuthBackend,
  generation: number,
): Promise<GrantRow | null> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (Date.now() < deadline) {
    const wait = deps.startWait(key);
    const grant = await selectGrant(deps.db, key);
    const isDone = grant === null || grant.renewal !== null || grant.generation !== generation;
    if (isDone) {
      wait.stop();
      return grant;
    }
    if (await claimRefresh(deps.db, key, generation, LEASE_SECONDS)) {
      wait.stop();
      await requestTokens(deps, key, backend, grant);
      continue;
    }
    await wait.changed;
  }
  throw new Error('The refresh of the token timed out.');
}

/** Stores the next tokens, or requires a renewal after the login rejected the refresh token. Releases the lease. */
async function requestTokens(
  deps: RefreshDeps,
  key: GrantKey,
  backend: OAuthBackend,
  grant: GrantRow,
): Promise<void> {
  const { refresh } = unsealTokens(deps, key, grant);
  if (refresh === null) {
    return requireRenewal(deps, key, grant, 'The server issued no refresh token.');
  }
  const configuration = await configurationFor(deps, backend, grant.source);
  if (configuration === null) {
    return requireRenewal(deps, key, grant, "The gateway's client at the server changed.");
  }
  const { resource } = grant.source;
  try {
    const response = await oidc.refreshTokenGrant(
      configuration,
      refresh,
      resource === null ? {} : { resource },
    );
    const isStored = await storeTokens(deps, key, grant, response, refresh);
    // The connection was deleted during the request, so nobody would use the new tokens.
    if (!isStored) await revokeTokens(configuration, tokensIn(response, refresh));
  } catch (error) {
    if (!isRejection(error)) {
      await releaseRefresh(deps.db, key, grant.generation);
      throw error;
    }
    const reason = `The server’s login rejected the renewal (${error.error}).`;
    await requireRenewal(deps, key, grant, reason);
  }
}

/** Returns false if the connection was deleted or replaced. */
async function storeTokens(
  deps: RefreshDeps,
  key: GrantKey,
  grant: GrantRow,
  response: oidc.TokenEndpointResponse,
  refresh: string,
): Promise<boolean> {
  const isStored = await transact(deps.db, async (tx) => {
    const tokens = sealTokens(deps, key, response, { refresh, scope: grant.scope });
    if (!(await storeRefreshed(tx, key, grant.generation, tokens))) return false;
    await recordAudit(tx, {
      tenantId: key.tenantId,
      actor: GATEWAY,
      operation: 'mcp_grant.refresh',
      resource: { kind: 'mcp_backend', id: key.backendId },
      requestId: null,
      detail: { user_id: key.userId, issuer: grant.source.issuer, scope: tokens.scope },
    });
    await invalidateEverywhere(tx, key);
    return true;
  });
  deps.invalidate(key);
  return isStored;
}

/** Marks the connection, so that the user must connect again. */
async function requireRenewal(
  deps: RefreshDeps,
  key: GrantKey,
  grant: GrantRow,
  why: string,
): Promise<void> {
  await transact(deps.db, async (tx) => {
    if (!(await markForRenewal(tx, key, grant.generation, why))) return;
    await recordAudit(tx, {
      tenantId: key.tenantId,
      actor: GATEWAY,
      operation: 'mcp_grant.expire',
      resource: { kind: 'mcp_backend', id: key.backendId },
      requestId: null,
      detail: { user_id: key.userId, why },
    });
    await invalidateEverywhere(tx, key);
  });
  deps.invalidate(key);
}

/** Returns whether the login rejected the request for good, so that a retry is useless (RFC 6749 §5.2). */
function isRejection(error: unknown): error is oidc.ResponseBodyError {
  return error instanceof oidc.ResponseBodyError && error.status < 500 && error.status !== 429;
}
