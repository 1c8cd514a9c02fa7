// OAuth connections of users with servers: tokens are opened for a call, and refreshed once for all calls of all hub processes.
//
// States of a connection: fresh → due (the token expired, or the server rejected it) → leased (a process refreshes it) → fresh
// with the next generation, or renewal required (the user must connect again). A lease expires if its process died.
import * as oidc from 'openid-client';
import { type Actor, recordAudit } from '../../../../platform/audit.ts';
import { locationOf } from '../../../../platform/crypto/sealed-columns.ts';
import { type Tx, transact } from '../../../../platform/db/database.ts';
import { notify } from '../../../../platform/feed/feed.ts';
import type { Notifications } from '../../../../platform/feed/notifications.ts';
import { createNotifiedCache } from '../../../../platform/feed/notified-cache.ts';
import { type ClientDeps, configurationFor, type OAuthBackend } from './client.ts';
import {
  claimRefresh,
  type GrantKey,
  type GrantRow,
  markForRenewal,
  type NewTokens,
  releaseRefresh,
  SEALED_GRANTS,
  selectGrant,
  storeRefreshed,
} from './store.ts';

const CACHE = 'mcp-grant';
const GATEWAY: Actor = { kind: 'hub', id: 'mcp-gateway', email: null };
/** Longer than the timeout of a login, so that a live process never loses its lease. */
const LEASE_SECONDS = 30;
/** Interval of checks while another process refreshes, because its notice may be lost. */
const LOOK_AGAIN_MS = 500;
const WAIT_MS = 45_000;
/** Age below which a rejected token is not refreshed: the server rejects the user. */
const NEW_MS = 10_000;

export interface Tokens {
  access: string;
  refresh: string | null;
  /** Milliseconds since 1970; null: unknown. */
  until: number | null;
}

/** The login does not respond, and the token expired. */
export class LoginUnavailableError extends Error {}

export interface OAuthConnections {
  /** Returns the token; null: the user must connect, or connect again. Throws LoginUnavailableError. */
  tokenFor(key: GrantKey, backend: OAuthBackend): Promise<string | null>;
  /** Returns the next token after the server rejected this token; null as above. */
  tokenAfter(key: GrantKey, backend: OAuthBackend, refused: string): Promise<string | null>;
  stateOf(
    key: GrantKey,
    backend: Pick<OAuthBackend, 'url'>,
  ): Promise<'missing' | 'connected' | 'renew'>;
  forget(key: GrantKey): void;
  /** In every process, when the transaction commits. */
  forgetEverywhere(tx: Tx, key: GrantKey): Promise<void>;
}

export const placeOf = ({ tenantId, backendId, userId }: GrantKey) =>
  locationOf(SEALED_GRANTS, [tenantId, backendId, userId]);
const nameOf = ({ tenantId, backendId, userId }: GrantKey) => `${tenantId}/${backendId}/${userId}`;

export function createOAuthConnections(
  deps: ClientDeps & { notifications: Notifications },
): OAuthConnections {
  const { db, sealer, notifications } = deps;
  const cache = createNotifiedCache<{ grant: GrantRow | null }>({
    name: CACHE,
    max: 50_000,
    notifications,
  });
  const running = new Map<string, Promise<GrantRow | null>>();
  const waiting = new Map<string, Set<() => void>>();
  notifications.onNotice((notice) => {
    if (notice.kind !== 'forget' || notice.cache !== CACHE) return;
    for (const key of notice.keys) for (const go of waiting.get(key) ?? []) go();
  });

  const known = async (key: GrantKey): Promise<GrantRow | null> =>
    (await cache.get(nameOf(key), async () => ({ grant: await selectGrant(db, key) }))).grant;
  const tokensOf = (key: GrantKey, grant: GrantRow) =>
    JSON.parse(sealer.unseal(grant.sealed_tokens, placeOf(key))) as Tokens;

  /** Refreshes once at a time in this process. The lease excludes other processes. */
  function next(key: GrantKey, backend: OAuthBackend, from: GrantRow): Promise<GrantRow | null> {
    const name = nameOf(key);
    let going = running.get(name);
    if (going === undefined) {
      going = refreshedFrom(key, backend, from.generation).finally(() => running.delete(name));
      running.set(name, going);
    }
    return going;
  }

  async function refreshedFrom(
    key: GrantKey,
    backend: OAuthBackend,
    generation: number,
  ): Promise<GrantRow | null> {
    const until = Date.now() + WAIT_MS;
    while (Date.now() < until) {
      const changed = nextWord(nameOf(key));
      const grant = await selectGrant(db, key);
      const isOver = grant === null || grant.renewal !== null || grant.generation !== generation;
      if (isOver) {
        changed.stop();
        return grant;
      }
      if (await claimRefresh(db, key, generation, LEASE_SECONDS)) {
        changed.stop();
        await refresh(key, backend, grant);
        continue;
      }
      await changed.come;
    }
    throw new Error('the next token did not come in time');
  }

  /** Begun before the row is read, so that no word between the two is missed. */
  function nextWord(name: string): { come: Promise<void>; stop(): void } {
    let stop: () => void = () => undefined;
    const come = new Promise<void>((resolve) => {
      const all = waiting.get(name) ?? new Set();
      const timer = setTimeout(() => stop(), LOOK_AGAIN_MS);
      stop = () => {
        clearTimeout(timer);
        all.delete(stop);
        if (all.size === 0) waiting.delete(name);
        resolve();
      };
      waiting.set(name, all.add(stop));
    });
    return { come, stop: () => stop() };
  }

  async function refresh(key: GrantKey, backend: OAuthBackend, grant: GrantRow): Promise<void> {
    const { refresh: old } = tokensOf(key, grant);
    if (old === null) return toBeRenewed(key, grant, 'The server issued no refresh token.');
    const configuration = await configurationFor(deps, backend, grant.source);
    if (configuration === null) {
      return toBeRenewed(key, grant, "The gateway's client at the server changed.");
    }
    try {
      const { resource } = grant.source;
      const answer = await oidc.refreshTokenGrant(
        configuration,
        old,
        resource === null ? {} : { resource },
      );
      const stored = await transact(db, async (tx) => {
        const made = newTokens(deps, key, answer, { refresh: old, scope: grant.scope });
        const isStored = await storeRefreshed(tx, key, grant.generation, made);
        if (!isStored) return false;
        await recordAudit(tx, {
          tenantId: key.tenantId,
          actor: GATEWAY,
          operation: 'mcp_grant.refresh',
          resource: { kind: 'mcp_backend', id: key.backendId },
          requestId: null,
          detail: { user_id: key.userId, issuer: grant.source.issuer, scope: made.scope },
        });
        await forgetEverywhere(tx, key);
        return true;
      });
      cache.invalidate(nameOf(key));
      // Nobody keeps it: the person went while it was fetched.
      if (!stored) await revokeTokens(configuration, tokensIn(answer, old));
    } catch (error) {
      if (!isRefusal(error)) {
        await releaseRefresh(db, key, grant.generation);
        throw error;
      }
      await toBeRenewed(key, grant, `The server’s login rejected the renewal (${error.error}).`);
    }
  }

  async function toBeRenewed(key: GrantKey, grant: GrantRow, why: string): Promise<void> {
    await transact(db, async (tx) => {
      if (!(await markForRenewal(tx, key, grant.generation, why))) return;
      await recordAudit(tx, {
        tenantId: key.tenantId,
        actor: GATEWAY,
        operation: 'mcp_grant.expire',
        resource: { kind: 'mcp_backend', id: key.backendId },
        requestId: null,
        detail: { user_id: key.userId, why },
      });
      await forgetEverywhere(tx, key);
    });
    cache.invalidate(nameOf(key));
  }

  const forgetEverywhere = (tx: Tx, key: GrantKey) =>
    notify(tx, { kind: 'forget', cache: CACHE, keys: [nameOf(key)] });
  const isGood = (grant: GrantRow | null, backend: Pick<OAuthBackend, 'url'>): grant is GrantRow =>
    grant !== null && grant.renewal === null && grant.source.url === backend.url;

  return {
    async tokenFor(key, backend) {
      const grant = await known(key);
      if (!isGood(grant, backend)) return null;
      const { access, until } = tokensOf(key, grant);
      if (!isDue(grant)) return access;
      const coming = next(key, backend, grant);
      // While it is good nobody waits for the next one: a login may take long, and a server that refuses it meanwhile
      // is given the one after.
      if (until !== null && until > Date.now()) {
        coming.catch(() => undefined);
        return access;
      }
      const fresh = await coming.catch((cause: unknown) => {
        throw new LoginUnavailableError('the next token did not come', { cause });
      });
      return isGood(fresh, backend) ? tokensOf(key, fresh).access : null;
    },
    async tokenAfter(key, backend, refused) {
      const grant = await selectGrant(db, key);
      if (!isGood(grant, backend)) return null;
      const { access } = tokensOf(key, grant);
      if (access !== refused) return access;
      const isNew = Date.now() - grant.refreshed_at.getTime() < NEW_MS;
      if (isNew && !isDue(grant)) return null;
      const fresh = await next(key, backend, grant).catch((cause: unknown) => {
        throw new LoginUnavailableError('the next token did not come', { cause });
      });
      return isGood(fresh, backend) ? tokensOf(key, fresh).access : null;
    },
    async stateOf(key, backend) {
      const grant = await known(key);
      if (grant === null) return 'missing';
      return isGood(grant, backend) ? 'connected' : 'renew';
    },
    forget: (key) => cache.invalidate(nameOf(key)),
    forgetEverywhere,
  };
}

const isDue = ({ refresh_at: at }: GrantRow) => at !== null && at.getTime() <= Date.now();

/** Returns whether the login rejected the request for good, so that a retry is useless. */
function isRefusal(error: unknown): error is oidc.ResponseBodyError {
  return error instanceof oidc.ResponseBodyError && error.status < 500 && error.status !== 429;
}

export const tokensIn = (answer: oidc.TokenEndpointResponse, before: string | null): Tokens => ({
  access: answer.access_token,
  refresh: answer.refresh_token ?? before,
  until: answer.expires_in === undefined ? null : Date.now() + answer.expires_in * 1000,
});

/** What is stored of an answer. A token is refreshed a little before its end: what is under way must still arrive. */
export function newTokens(
  { sealer }: Pick<ClientDeps, 'sealer'>,
  key: GrantKey,
  answer: oidc.TokenEndpointResponse,
  before: { refresh: string | null; scope: string | null },
): NewTokens {
  const lifeMs = answer.expires_in === undefined ? null : answer.expires_in * 1000;
  return {
    sealed_tokens: sealer.seal(
      JSON.stringify(tokensIn(answer, before.refresh) satisfies Tokens),
      placeOf(key),
    ),
    scope: answer.scope ?? before.scope,
    refresh_at:
      lifeMs === null ? null : new Date(Date.now() + lifeMs - Math.min(60_000, lifeMs / 4)),
  };
}

/** RFC 7009, as far as the login offers it; true where it took them back. */
export async function revokeTokens(
  configuration: oidc.Configuration,
  tokens: Tokens,
): Promise<boolean> {
  if (configuration.serverMetadata().revocation_endpoint === undefined) return false;
  try {
    if (tokens.refresh !== null) {
      await oidc.tokenRevocation(configuration, tokens.refresh, {
        token_type_hint: 'refresh_token',
      });
    }
    await oidc.tokenRevocation(configuration, tokens.access, { token_type_hint: 'access_token' });
    return true;
  } catch {
    // The connection is deleted, whatever the login responds.
    return false;
  }
}
