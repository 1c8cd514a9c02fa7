// Authentication of the console API: a session cookie or an administrator's token becomes a Person, or the request
// fails.
import { createHash, timingSafeEqual } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasRole, type Person } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { clientAddressOf } from '../../../platform/http/server/client-address.ts';
import { findTenant } from '../tenants/index.ts';
import type { AdminClaims, AdminTokenVerifier } from './admin-token.ts';
import type { SessionCookie } from './session-cookie.ts';
import {
  recordUseInTenant,
  type Session,
  selectSessionTenants,
  useSession,
} from './session-store.ts';
import { isInSuspended, selectAccess, selectMemberships } from './store.ts';

/** Returns the SHA-256 hash under which a session's token is stored. */
export function hashSession(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * Returns the hash of the token in the request's cookie, whether or not the session is valid; null without a cookie.
 */
export function sessionHashOf(cookie: SessionCookie, request: FastifyRequest): Buffer | null {
  const token = request.cookies[cookie.name];
  return token === undefined || token.length > 200 ? null : hashSession(token);
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns the session of the request's cookie, with its CSRF token checked on writes; null without a session. */
export async function sessionOf(
  db: Db,
  cookie: SessionCookie,
  request: FastifyRequest,
): Promise<Session | null> {
  const hash = sessionHashOf(cookie, request);
  if (hash === null) return null;
  const session = await useSession(db, hash);
  if (session === null) return null;
  if (!SAFE_METHODS.has(request.method)) {
    const sent = request.headers['x-csrf-token'];
    if (typeof sent !== 'string' || !equalText(sent, session.csrf_token)) {
      throw new HubError('csrf_required');
    }
  }
  return session;
}

/**
 * Returns the hook of every console route below a tenant. A tenant without access for this person, existing or not, is
 * a 403; a tenant that the person's token lists and that does not exist is a 404.
 */
export function createConsoleAuth(options: {
  db: Db;
  cookie: SessionCookie;
  verifyAdminToken: AdminTokenVerifier;
}): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const tenantId = (request.params as { tenant_id?: string }).tenant_id?.toLowerCase() ?? '';
    const person =
      (await personOfToken(request, tenantId, options)) ??
      (await personOfSession(request, tenantId, options));
    if (person === null) throw new HubError('unauthenticated');
    const access = request.routeOptions.config.access;
    if (access === undefined || !hasRole(person.role, access)) throw new HubError('forbidden');
    request.person = person;
    request.bodyClient = person.userId ?? person.subject;
  };
}

async function personOfToken(
  request: FastifyRequest,
  tenantId: string,
  options: { db: Db; verifyAdminToken: AdminTokenVerifier },
): Promise<Person | null> {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  const token = /^Bearer ([\w\-.~+/]+=*)$/i.exec(header)?.[1];
  if (token === undefined) throw new HubError('invalid_token');
  const claims = await options.verifyAdminToken(token);
  if (!claims.tenantIds.includes(tenantId)) throw new HubError('forbidden');
  await requireAccess(options.db, tenantId, claims);
  // A login provider may list ids that are no tenants of this hub.
  const tenant = await findTenant(options.db, tenantId);
  if (tenant === null) throw new HubError('not_found');
  if (tenant.suspended_at !== null) throw new HubError('tenant_suspended');
  return {
    tenantId,
    userId: null,
    subject: claims.subject,
    email: claims.email,
    role: claims.role,
    via: 'token',
    sessionId: null,
    address: clientAddressOf(request),
    expiresAt: claims.expiresAt,
  };
}

async function personOfSession(
  request: FastifyRequest,
  tenantId: string,
  options: { db: Db; cookie: SessionCookie },
): Promise<Person | null> {
  const session = await sessionOf(options.db, options.cookie, request);
  if (session === null) return null;
  const tenants = await selectSessionTenants(options.db, session);
  const membership = tenants.find((tenant) => tenant.tenant_id === tenantId);
  if (membership === undefined) {
    const memberships = await selectMemberships(options.db, session.email_folded);
    const isMember = memberships.some((tenant) => tenant.tenant_id === tenantId);
    if (!isMember && (await isInSuspended(options.db, session.email_folded, tenantId))) {
      throw new HubError('tenant_suspended');
    }
    // A member may sign in again, but this session has no access any more.
    throw new HubError(isMember ? 'unauthenticated' : 'forbidden');
  }
  await recordUseInTenant(options.db, session, membership);
  return {
    tenantId,
    userId: membership.user_id,
    subject: membership.user_id,
    email: session.email,
    role: membership.role,
    via: 'session',
    sessionId: session.session_id,
    address: clientAddressOf(request),
    expiresAt: session.expires_at,
  };
}

/**
 * Rejects an administrator's token of a person who is disabled in the tenant, or was disabled after the token was
 * issued. A login provider may also issue tokens to people whom the hub does not know. Throws `invalid_token`.
 */
export async function requireAccess(
  db: Db,
  tenantId: string,
  { email, issuedAt }: Pick<AdminClaims, 'email' | 'issuedAt'>,
): Promise<void> {
  const access = await selectAccess(db, tenantId, foldName(email));
  if (access === null) return;
  const { disabled_at: disabledAt, access_valid_from: validFrom } = access;
  const isFromBefore = validFrom !== null && (issuedAt === null || issuedAt < validFrom);
  if (disabledAt !== null || isFromBefore) throw new HubError('invalid_token');
}

function equalText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
