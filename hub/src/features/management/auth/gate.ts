// Authentication of the management API. The order of the checks is the specification's: regional, disabled, admission,
// credential, tenant, scope; headers and body follow in the route.

import { hashSecret, isSecret } from '@gatewarden/shared/secrets.ts';
import { SCOPES } from '@gatewarden/shared/wire/management/common.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { OPERATOR } from '../../../platform/audit.ts';
import { actorOf, hasRole, personOf } from '../../../platform/auth/person.ts';
import type { Config } from '../../../platform/config/config.ts';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { clientAddressOf } from '../../../platform/http/server/client-address.ts';
import type { Admission } from './admission.ts';
import { awaitBody } from './body-timer.ts';
import { linesOf } from './header-lines.ts';
import type { KeyState } from './principal.ts';

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface Doorstep {
  config: Pick<Config, 'role' | 'managementApi'>;
  admission: Admission;
}

/** The checks of both families before authentication. */
function stepUp({ config, admission }: Doorstep, request: FastifyRequest, reply: FastifyReply) {
  reply.header('cache-control', 'no-store');
  if (config.role !== 'central') throw new HubError('central_service_required');
  if (!config.managementApi.enabled) throw new HubError('not_found');
  admission.admit(reply);
  awaitBody(request, reply);
}

/** A duplicate credential counts as none: a proxy and the hub may have read different lines. */
function credentialOf(request: FastifyRequest): string {
  const [line = '', ...more] = linesOf(request, 'authorization');
  return more.length > 0 ? '' : line;
}

export interface KeyDoor extends Doorstep {
  /**
   * Queries the database for every request, so that a revocation applies at once. Null for a key that was never issued.
   */
  findKey(secretHash: Buffer): Promise<KeyState | null>;
  /** Records when and from where the key was used. */
  used(key: KeyState, from: string): void;
}

/** Authenticates a management key. */
export function createResourceGate(door: KeyDoor): Hook {
  return async (request, reply) => {
    stepUp(door, request, reply);
    const secret = /^Bearer +(\S+) *$/i.exec(credentialOf(request))?.[1];
    if (secret === undefined || !isSecret('management', secret)) {
      throw new HubError('invalid_management_key');
    }
    const key = await door.findKey(hashSecret(secret));
    if (key === null || !key.active) throw new HubError('invalid_management_key');
    if (key.tenantSuspended) {
      throw new HubError('management_disabled_for_tenant', ERRORS.tenant_suspended.message);
    }
    if (!key.tenantEnabled) throw new HubError('management_disabled_for_tenant');
    const needed = request.routeOptions.config.management?.scopes ?? [];
    const missing = needed.filter((scope) => !key.scopes.includes(scope));
    if (missing.length > 0) {
      throw new HubError(
        'insufficient_scope',
        `The key lacks these scopes: ${missing.join(', ')}.`,
      );
    }
    const address = clientAddressOf(request);
    request.principal = {
      tenantId: key.tenantId,
      id: `key:${key.keyId}`,
      actor: { kind: 'management_key', id: key.keyId, email: null, address },
      scopes: key.scopes,
    };
    request.bodyClient = key.keyId;
    door.used(key, address);
  };
}

/** Checks that an operator's tenant id is valid; an impossible id is not found. */
const TENANT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface AdminDoor extends Doorstep {
  /** Throws 401. */
  verify(token: string): Promise<{
    subject: string;
    email: string;
    tenantIds: string[];
    isAdmin: boolean;
    isOperator: boolean;
    issuedAt: Date | null;
  }>;
  /** Throws if the user was disabled in the tenant since the token was issued. */
  requireAccess(tenantId: string, claims: { email: string; issuedAt: Date | null }): Promise<void>;
  /** Throws if the tenant is suspended or never opted in. */
  requireOptIn(tenantId: string): Promise<void>;
}

/** Authenticates a tenant's administrator, or an operator of the service. Another tenant, existing or not, is a 403. */
export function createAdminGate(door: AdminDoor): Hook {
  return async (request, reply) => {
    stepUp(door, request, reply);
    const token = /^Bearer +([\w\-.~+/]+=*) *$/i.exec(credentialOf(request))?.[1];
    if (token === undefined) throw new HubError('invalid_token');
    const claims = await door.verify(token);
    // An unknown path has no tenant, so no role is wrong there.
    if (request.routeOptions.config.management === undefined) throw new HubError('not_found');
    const tenantId = (request.params as { tenant_id?: string }).tenant_id?.toLowerCase() ?? '';
    const isTheirs = claims.tenantIds.includes(tenantId) && claims.isAdmin;
    if (!isTheirs && !claims.isOperator) throw new HubError('forbidden');
    if (!TENANT_ID.test(tenantId)) throw new HubError('not_found');
    await door.requireAccess(tenantId, claims);
    request.principal = {
      tenantId,
      id: `admin:${claims.subject}`,
      actor: {
        kind: 'admin_token',
        id: claims.subject,
        email: claims.email,
        address: clientAddressOf(request),
      },
      scopes: [],
    };
    request.bodyClient = claims.subject;
    if (request.routeOptions.config.management?.optIn === true) await door.requireOptIn(tenantId);
  };
}

/** The console's authentication admitted a user: the scopes follow from their role. */
export const personGate: Hook = async (request) => {
  const person = personOf(request);
  const scopes = hasRole(person.role, 'Admin') ? SCOPES : (['read'] as const);
  request.principal = {
    tenantId: person.tenantId,
    id: `person:${person.userId ?? person.subject}`,
    actor: actorOf(person),
    scopes,
  };
};

/**
 * Principal of the command line: an operator of the installation acts for a tenant. Never behind a listening server.
 */
export function operatorGate(tenantId: string): Hook {
  return async (request) => {
    request.principal = {
      tenantId,
      id: 'operator:command-line',
      actor: OPERATOR,
      scopes: SCOPES,
    };
  };
}
