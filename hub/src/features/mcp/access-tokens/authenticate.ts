// Authentication of requests at MCP URLs. Tokens, users and settings are cached until a notice invalidates them.
import { foldName } from '@gatewarden/shared/names.ts';
import { hashSecret, hashSecretHex, isSecret } from '@gatewarden/shared/secrets.ts';
import type { Role } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Logger } from 'pino';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { createWriteBehindBuffer } from '../../../platform/db/write-behind-buffer.ts';
import { notify } from '../../../platform/feed/feed.ts';
import type { Notifications } from '../../../platform/feed/notifications.ts';
import { createNotifiedCache, type NotifiedCache } from '../../../platform/feed/notified-cache.ts';
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
import {
  type ApiToken,
  type OAuthToken,
  recordTokenUses,
  selectApiToken,
  selectOAuthToken,
} from './store.ts';

export const TOKENS = 'mcp-token';

export interface Membership {
  tenant_id: string;
  user_id: string;
  role: Role;
  /** Tokens from before this moment open nothing here. */
  access_valid_from: Date | null;
}

/** The authenticated caller, with all attributes that policies use. */
export interface Caller {
  via: 'oauth' | 'api_token' | 'passthrough';
  tokenId: string;
  /** Null: a token of the root. */
  tenantId: string | null;
  userId: string | null;
  /** Empty for an unidentified caller: a token of a passthrough server. */
  email: string;
  agent: string | null;
  /** The client's own token, for a passthrough server only. */
  upstreamToken: string | null;
}

/** A person as what is their own knows them. */
export interface PersonInTenant {
  tenantId: string;
  /** Null: nobody's, who is nowhere. */
  userId: string | null;
  /** Folded. */
  email: string;
}

/** Why nobody passes; in words for `error_description`. */
export class InvalidTokenError extends Error {
  /** A token came, and is no good: else there was none. */
  readonly hadToken: boolean;

  constructor(problem: string, hadToken = true) {
    super(problem);
    this.hadToken = hadToken;
  }
}

export interface Door {
  /** The namespace to which an OAuth token must be bound; null: any. */
  namespace: string | null;
  /** The backend of the URL, at which direct API tokens are accepted too; null: none. */
  backend: { tenantId: string; backendId: string; passthrough: boolean } | null;
}

export interface TokenCheck {
  /** Throws NotAdmitted. */
  authenticate(
    headers: { authorization?: string; mcpuser?: string; userAgent?: string },
    door: Door,
  ): Promise<Caller>;
  /** Whether the person is an enabled member whose e-mail domain is allowed. */
  isLetIn(person: PersonInTenant): Promise<boolean>;
  settings(tenantId: string): Promise<McpSettings>;
  /** Returns the allowed clients of all tenants, for requests before the tenant is known. */
  allowedClients(): Promise<AllowedClients[]>;
  forgetSettings(tenantId: string): void;
  /** In this process at once. */
  forget(hash: Buffer): void;
  /** In every process, when the transaction commits. */
  forgetEverywhere(tx: Tx, hash: Buffer): Promise<void>;
  stop(): Promise<void>;
}

type Known =
  | { kind: 'oauth'; token: OAuthToken }
  | { kind: 'api'; token: ApiToken }
  | { kind: 'none' };

export function createTokenCheck(options: {
  db: Db;
  log: Logger;
  notifications: Notifications;
  membershipsOf(db: Db, emailFolded: string): Promise<Membership[]>;
}): TokenCheck {
  const { db, notifications } = options;
  const tokens = createNotifiedCache<Known>({ name: TOKENS, max: 100_000, notifications });
  const people: NotifiedCache<Membership[]> = createNotifiedCache({
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
  const uses = createWriteBehindBuffer<{ token_id: string; at: string }>({
    log: options.log,
    description: 'uses of tokens',
    write: (values) => recordTokenUses(db, values),
  });
  const settingsFor = (tenantId: string) => settings.get(tenantId, () => settingsOf(db, tenantId));

  async function known(secret: string): Promise<Known> {
    const isOAuth = isSecret('gatewayOAuth', secret);
    if (!isOAuth && !isSecret('directApi', secret)) return { kind: 'none' };
    const key = hashSecretHex(secret);
    return tokens.get(key, async (): Promise<Known> => {
      const hash = Buffer.from(key, 'hex');
      if (isOAuth) {
        const token = await selectOAuthToken(db, hash);
        return token === null ? { kind: 'none' } : { kind: 'oauth', token };
      }
      const token = await selectApiToken(db, hash);
      return token === null ? { kind: 'none' } : { kind: 'api', token };
    });
  }

  const membershipsOf = (email: string) =>
    people.get(email, () => options.membershipsOf(db, email));

  /** Returns the reason why a user has no access, or null. */
  async function problemWith(
    { tenantId, userId, email }: PersonInTenant,
    issuedAt: Date | null,
  ): Promise<string | null> {
    const membership = (await membershipsOf(email)).find(
      (item) => item.tenant_id === tenantId && item.user_id === userId,
    );
    if (membership === undefined || !isStillValid(membership, issuedAt)) return NO_MEMBER;
    const isAllowed = isAllowedAddress(await settingsFor(tenantId), email, 'member');
    return isAllowed ? null : 'The e-mail domain is no longer allowed.';
  }

  async function callerOfOAuth(token: OAuthToken, door: Door, agent: string | null) {
    if (door.namespace !== null && token.namespace !== door.namespace) {
      throw new InvalidTokenError('The token is for another endpoint.');
    }
    const { tenant_id: tenantId, user_id: userId, email_folded: email } = token;
    const problem =
      tenantId === null
        ? (await membershipsOf(email)).some((item) => isStillValid(item, token.created_at))
          ? null
          : NO_MEMBER
        : await problemWith({ tenantId, userId, email }, token.created_at);
    if (problem !== null) throw new InvalidTokenError(problem);
    return {
      via: 'oauth' as const,
      tokenId: token.token_id,
      tenantId: token.tenant_id,
      userId: token.user_id,
      email: token.email,
      agent,
      upstreamToken: null,
    };
  }

  async function callerOfApi(
    token: ApiToken,
    door: Door,
    { mcpuser, userAgent }: { mcpuser?: string | undefined; userAgent?: string | undefined },
  ): Promise<Caller> {
    const isHere =
      door.backend !== null &&
      door.backend.tenantId === token.tenant_id &&
      door.backend.backendId === token.backend_id;
    if (!isHere) throw new InvalidTokenError('The token is for another endpoint.');
    if (token.expires_at !== null && token.expires_at.getTime() <= Date.now()) {
      throw new InvalidTokenError('The token has expired.');
    }
    if (mcpuser === undefined || !EMAIL.test(mcpuser)) {
      throw new InvalidTokenError("The header mcpuser must be a user's e-mail address.");
    }
    if (!isAllowedAddress(await settingsFor(token.tenant_id), mcpuser, 'mcpuser')) {
      throw new InvalidTokenError('The e-mail domain of mcpuser is not allowed.');
    }
    if (!isAgent(token, userAgent)) throw new InvalidTokenError('The token is for another agent.');
    return {
      via: 'api_token',
      tokenId: token.token_id,
      tenantId: token.tenant_id,
      // A claim, not a sign-in: nothing that is that person's own is opened by it.
      userId: null,
      email: foldName(mcpuser),
      agent: userAgent ?? null,
      upstreamToken: null,
    };
  }

  return {
    async authenticate({ authorization, mcpuser, userAgent }, door) {
      const secret = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
      if (secret === undefined) {
        throw new InvalidTokenError('A bearer token is required.', isBearer(authorization));
      }
      if (door.backend?.passthrough === true) {
        return callerWith(secret, door.backend.tenantId, userAgent ?? null);
      }
      const found = await known(secret);
      if (found.kind === 'none') throw new InvalidTokenError('The token is not valid.');
      const caller =
        found.kind === 'oauth'
          ? await callerOfOAuth(found.token, door, userAgent ?? null)
          : await callerOfApi(found.token, door, { mcpuser, userAgent });
      uses.put(caller.tokenId, { token_id: caller.tokenId, at: new Date().toISOString() });
      return caller;
    },
    isLetIn: async (person) => (await problemWith(person, null)) === null,
    settings: settingsFor,
    allowedClients: () => allSettings.get(ALL_SETTINGS, () => selectAllowedClients(db)),
    forgetSettings(tenantId) {
      settings.invalidate(tenantId);
      allSettings.invalidate(ALL_SETTINGS);
    },
    forget: (hash) => tokens.invalidate(hash.toString('hex')),
    forgetEverywhere: (tx, hash) =>
      notify(tx, { kind: 'forget', cache: TOKENS, keys: [hash.toString('hex')] }),
    stop: uses.stop,
  };
}

/** A token from before the user was disabled is invalid after the user is enabled again. */
const isStillValid = ({ access_valid_from: validFrom }: Membership, issuedAt: Date | null) =>
  validFrom === null || issuedAt === null || issuedAt >= validFrom;

const NO_MEMBER = 'The user no longer has access.';

/** Returns whether the scheme is Bearer. Another scheme counts as no token (RFC 6750 §3.1). */
const isBearer = (authorization: string | undefined) => /^Bearer( |$)/i.test(authorization ?? '');

/** Returns the caller of a passthrough server. Only the server can validate the token. */
function callerWith(secret: string, tenantId: string, agent: string | null): Caller {
  if (OWN_TOKEN.test(secret)) throw new InvalidTokenError('The token is for another endpoint.');
  return {
    via: 'passthrough',
    tokenId: uuidOf(hashSecret(secret)),
    tenantId,
    userId: null,
    email: '',
    agent,
    upstreamToken: secret,
  };
}

/** A secret with a prefix of the gateway is never sent to a server, also if it is invalid. */
const OWN_TOKEN = /^gw[a-z]_/i;

/** Returns an id that is equal for equal tokens. */
function uuidOf(hash: Buffer): string {
  const hex = hash.toString('hex');
  return [8, 12, 16, 20, 32].map((end, i) => hex.slice([0, 8, 12, 16, 20][i], end)).join('-');
}

const EMAIL = /^[^\s@<>",;:()[\]\\]{1,64}@[^\s@<>",;:()[\]\\]{1,253}$/;

/** Returns whether the user agent matches: its product before the `/`, or the complete header if the token requires it. */
export function isAgent(
  token: Pick<ApiToken, 'agent' | 'whole_header'>,
  userAgent: string | undefined,
): boolean {
  if (userAgent === undefined) return false;
  if (token.whole_header) return userAgent === token.agent;
  return userAgent.split('/')[0] === token.agent && /^[^\s/]+\//.test(userAgent);
}
