// Authentication of requests at MCP URLs with a bearer token (RFC 6750).
import type { Logger } from 'pino';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { createWriteBehindBuffer } from '../../../platform/db/write-behind-buffer.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import type { AllowedClients, McpSettings } from '../settings/index.ts';
import {
  createAccessCache,
  invalidateTokenEverywhere,
  type Membership,
  type PersonInTenant,
} from './access-cache.ts';
import { validateApiToken } from './api-token-caller.ts';
import { type AcceptedTokens, type Caller, InvalidTokenError } from './caller.ts';
import { validateOAuthToken } from './oauth-caller.ts';
import { passThroughToken } from './passthrough-caller.ts';
import { recordTokenUses } from './store.ts';

export interface TokenCheck {
  /** Returns the caller. Throws InvalidTokenError. */
  authenticate(
    headers: { authorization?: string; mcpuser?: string; userAgent?: string },
    accepted: AcceptedTokens,
  ): Promise<Caller>;
  /** Returns whether the person is an enabled member whose e-mail domain is allowed. */
  hasAccess(person: PersonInTenant): Promise<boolean>;
  settings(tenantId: string): Promise<McpSettings>;
  /** Returns the allowed clients of all tenants, for requests before the tenant is known. */
  allowedClients(): Promise<AllowedClients[]>;
  /** Invalidates the settings of a tenant in this process. */
  invalidateSettings(tenantId: string): void;
  /** Invalidates a token in this process. */
  invalidate(hash: Buffer): void;
  /** Invalidates a token in every process, when the transaction commits. */
  invalidateEverywhere(tx: Tx, hash: Buffer): Promise<void>;
  /** Writes the buffered uses of tokens. */
  stop(): Promise<void>;
}

/** Returns the check of bearer tokens. `membershipsOf` returns the memberships of enabled users. */
export function createTokenCheck(options: {
  db: Db;
  log: Logger;
  notifications: Notifications;
  membershipsOf(db: Db, emailFolded: string): Promise<Membership[]>;
}): TokenCheck {
  const { db, log } = options;
  const cache = createAccessCache(options);
  const uses = createWriteBehindBuffer<{ token_id: string; at: string }>({
    log,
    description: 'uses of tokens',
    write: (values) => recordTokenUses(db, values),
  });
  return {
    async authenticate({ authorization, mcpuser, userAgent }, accepted) {
      const secret = readBearerToken(authorization);
      const agent = userAgent ?? null;
      if (accepted.backend?.passthrough === true) {
        return passThroughToken(secret, accepted.backend.tenantId, agent);
      }
      const found = await cache.findToken(secret);
      if (found.kind === 'none') throw new InvalidTokenError('The token is not valid.');
      const caller =
        found.kind === 'oauth'
          ? await validateOAuthToken(cache, found.token, accepted, agent)
          : await validateApiToken(cache, found.token, accepted, { mcpuser, userAgent });
      uses.put(caller.tokenId, { token_id: caller.tokenId, at: new Date().toISOString() });
      return caller;
    },
    hasAccess: async (person) => (await cache.findAccessProblem(person, null)) === null,
    settings: cache.settings,
    allowedClients: cache.allowedClients,
    invalidateSettings: cache.invalidateSettings,
    invalidate: cache.invalidateToken,
    invalidateEverywhere: invalidateTokenEverywhere,
    stop: uses.stop,
  };
}

/** Returns the token of the header (RFC 6750 §2.1). Another scheme counts as no token (RFC 6750 §3.1). */
function readBearerToken(authorization = ''): string {
  const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  if (token !== undefined) return token;
  throw new InvalidTokenError('A bearer token is required.', /^Bearer( |$)/i.test(authorization));
}
