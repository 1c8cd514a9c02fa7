// OAuth connections of users with servers: tokens are opened for a call, and refreshed once for all calls of all hub processes.
//
// States of a connection: fresh → due (the token expired, or the server rejected it) → leased (a process refreshes it) → fresh
// with the next generation, or renewal required (the user must connect again). A lease expires if its process died.
import type { Tx } from '../../../../platform/db/database.ts';
import type { Notifications } from '../../../../platform/feed/notifications.ts';
import { createNotifiedCache } from '../../../../platform/feed/notified-cache.ts';
import type { ClientDeps, OAuthBackend } from './client.ts';
import {
  CONNECTION_CACHE,
  cacheKey,
  createChangeWaits,
  invalidateEverywhere,
} from './connection-changes.ts';
import { createRefresh } from './refresh.ts';
import { type GrantKey, type GrantRow, selectGrant } from './store.ts';
import { unsealTokens } from './tokens.ts';

/** Age below which a rejected token is not refreshed: the server rejects the user instead of the token. */
const NEW_MS = 10_000;

/** The login does not respond, and the token expired. */
export class LoginUnavailableError extends Error {}

export interface OAuthConnections {
  /** Returns the token; null: the user must connect, or connect again. Throws LoginUnavailableError. */
  tokenFor(key: GrantKey, backend: OAuthBackend): Promise<string | null>;
  /** Returns the next token after the server rejected this token; null as above. */
  tokenAfter(key: GrantKey, backend: OAuthBackend, rejected: string): Promise<string | null>;
  stateOf(
    key: GrantKey,
    backend: Pick<OAuthBackend, 'url'>,
  ): Promise<'missing' | 'connected' | 'renew'>;
  /** Invalidates the cached connection in this process. */
  invalidate(key: GrantKey): void;
  /** Invalidates the cached connection in every process, when the transaction commits. */
  invalidateEverywhere(tx: Tx, key: GrantKey): Promise<void>;
}

/** Returns the connections of all users. */
export function createOAuthConnections(
  deps: ClientDeps & { notifications: Notifications },
): OAuthConnections {
  const { db, notifications } = deps;
  const cache = createNotifiedCache<{ grant: GrantRow | null }>({
    name: CONNECTION_CACHE,
    max: 50_000,
    notifications,
  });
  const invalidate = (key: GrantKey) => cache.invalidate(cacheKey(key));
  const refresh = createRefresh({
    ...deps,
    startWait: createChangeWaits(notifications),
    invalidate,
  });

  const loadGrant = async (key: GrantKey): Promise<GrantRow | null> =>
    (await cache.get(cacheKey(key), async () => ({ grant: await selectGrant(db, key) }))).grant;
  const accessToken = (key: GrantKey, backend: OAuthBackend, grant: GrantRow | null) =>
    isConnected(grant, backend) ? unsealTokens(deps, key, grant).access : null;

  return {
    async tokenFor(key, backend) {
      const grant = await loadGrant(key);
      if (!isConnected(grant, backend)) return null;
      const { access, until } = unsealTokens(deps, key, grant);
      if (!isDue(grant)) return access;
      const refreshed = refresh(key, backend, grant);
      // A valid token is used during its refresh, because a login may take long. If the server rejects it meanwhile, the
      // call continues with `tokenAfter`.
      if (until !== null && until > Date.now()) {
        refreshed.catch(() => undefined);
        return access;
      }
      return accessToken(key, backend, await refreshed.catch(throwUnavailable));
    },
    async tokenAfter(key, backend, rejected) {
      const grant = await selectGrant(db, key);
      if (!isConnected(grant, backend)) return null;
      const { access } = unsealTokens(deps, key, grant);
      if (access !== rejected) return access;
      const isNew = Date.now() - grant.refreshed_at.getTime() < NEW_MS;
      if (isNew && !isDue(grant)) return null;
      const refreshed = await refresh(key, backend, grant).catch(throwUnavailable);
      return accessToken(key, backend, refreshed);
    },
    async stateOf(key, backend) {
      const grant = await loadGrant(key);
      if (grant === null) return 'missing';
      return isConnected(grant, backend) ? 'connected' : 'renew';
    },
    invalidate,
    invalidateEverywhere,
  };
}

const isDue = ({ refresh_at: at }: GrantRow) => at !== null && at.getTime() <= Date.now();

/** Returns whether the tokens may be sent: they belong to the server's current address, and need no renewal. */
const isConnected = (
  grant: GrantRow | null,
  backend: Pick<OAuthBackend, 'url'>,
): grant is GrantRow =>
  grant !== null && grant.renewal === null && grant.source.url === backend.url;

function throwUnavailable(cause: unknown): never {
  throw new LoginUnavailableError('The refresh of the token failed.', { cause });
}
