// The rows that authentication reads: tokens, memberships and settings, cached until a notice invalidates them.
import { hashSecretHex, isSecret } from '@gatewarden/shared/secrets.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { createNotifiedCache } from '../../../platform/feed/notified-cache.ts';
import {
  ALL_SETTINGS,
  ALL_SETTINGS_CACHE,
  type AllowedClients,
  isAllowedAddress,
  type McpSettings,
  SETTINGS_CACHE,
  selectAllowedClients,
  settingsOf,
} from '../settings/index.ts';
import { type ApiToken, type OAuthToken, selectApiToken, selectOAuthToken } from './store.ts';

/** Cache of tokens by the hex of the secret's hash. */
const TOKENS = 'mcp-token';

export interface Membership {
  tenant_id: string;
  user_id: string;
  role: Role;
  /** Tokens from before this moment are invalid for the tenant. */
  access_valid_from: Date | null;
}

/** A user in a tenant. */
export interface PersonInTenant {
  tenantId: string;
  /** Null: the token belongs to no user, who has no access. */
  userId: string | null;
  /** Folded. */
  email: string;
}

/** The row of a secret. `none`: the secret is unknown or revoked. */
type FoundToken =
  | { kind: 'oauth'; token: OAuthToken }
  | { kind: 'api'; token: ApiToken }
  | { kind: 'none' };

export interface AccessCache {
  findToken(secret: string): Promise<FoundToken>;
  /** Returns the reason why a token that was issued at the time gives no access to the tenant; null: it gives access. */
  findAccessProblem(person: PersonInTenant, issuedAt: Date | null): Promise<string | null>;
  /** Returns whether a token that was issued at the time gives access to any tenant. */
  hasAnyMembership(emailFolded: string, issuedAt: Date): Promise<boolean>;
  settings(tenantId: string): Promise<McpSettings>;
  /** Returns the allowed clients of all tenants, for requests before the tenant is known. */
  allowedClients(): Promise<AllowedClients[]>;
  /** Invalidates the settings in this process. */
  invalidateSettings(tenantId: string): void;
  /** Invalidates a token in this process. */
  invalidateToken(hash: Buffer): void;
}

export const NO_MEMBER = 'The user no longer has access.';

/** Returns the caches of this process. `membershipsOf` returns the memberships of enabled users. */
export function createAccessCache(options: {
  db: Db;
  notifications: Notifications;
  membershipsOf(db: Db, emailFolded: string): Promise<Membership[]>;
}): AccessCache {
  const { db, notifications } = options;
  const tokens = createNotifiedCache<FoundToken>({ name: TOKENS, max: 100_000, notifications });
  const memberships = createNotifiedCache<Membership[]>({
    name: 'person',
    max: 100_000,
    notifications,
  });
  const settings = createNotifiedCache<McpSettings>({
    name: SETTINGS_CACHE,
    max: 10_000,
    notifications,
  });
  const allSettings = createNotifiedCache<AllowedClients[]>({
    name: ALL_SETTINGS_CACHE,
    max: 1,
    notifications,
  });
  const settingsFor = (tenantId: string) => settings.get(tenantId, () => settingsOf(db, tenantId));
  const membershipsOf = (email: string) =>
    memberships.get(email, () => options.membershipsOf(db, email));

  return {
    async findToken(secret) {
      const isOAuth = isSecret('gatewayOAuth', secret);
      if (!isOAuth && !isSecret('directApi', secret)) return { kind: 'none' };
      const hashHex = hashSecretHex(secret);
      return tokens.get(hashHex, () => loadToken(db, isOAuth, Buffer.from(hashHex, 'hex')));
    },
    async findAccessProblem({ tenantId, userId, email }, issuedAt) {
      const membership = (await membershipsOf(email)).find(
        (item) => item.tenant_id === tenantId && item.user_id === userId,
      );
      if (membership === undefined || !isStillValid(membership, issuedAt)) return NO_MEMBER;
      const isAllowed = isAllowedAddress(await settingsFor(tenantId), email, 'member');
      return isAllowed ? null : 'The e-mail domain is no longer allowed.';
    },
    hasAnyMembership: async (email, issuedAt) =>
      (await membershipsOf(email)).some((membership) => isStillValid(membership, issuedAt)),
    settings: settingsFor,
    allowedClients: () => allSettings.get(ALL_SETTINGS, () => selectAllowedClients(db)),
    invalidateSettings(tenantId) {
      settings.invalidate(tenantId);
      allSettings.invalidate(ALL_SETTINGS);
    },
    invalidateToken: (hash) => tokens.invalidate(hash.toString('hex')),
  };
}

/** Invalidates a token in every process, when the transaction commits. */
export function invalidateTokenEverywhere(tx: Tx, hash: Buffer): Promise<void> {
  return notify(tx, { kind: 'forget', cache: TOKENS, keys: [hash.toString('hex')] });
}

async function loadToken(db: Db, isOAuth: boolean, hash: Buffer): Promise<FoundToken> {
  if (isOAuth) {
    const token = await selectOAuthToken(db, hash);
    return token === null ? { kind: 'none' } : { kind: 'oauth', token };
  }
  const token = await selectApiToken(db, hash);
  return token === null ? { kind: 'none' } : { kind: 'api', token };
}

/** A token from before the user was disabled is invalid after the user is enabled again. */
const isStillValid = ({ access_valid_from: validFrom }: Membership, issuedAt: Date | null) =>
  validFrom === null || issuedAt === null || issuedAt >= validFrom;
