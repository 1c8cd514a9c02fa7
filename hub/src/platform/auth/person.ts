// The user of a console request, and the order of roles. The identity feature authenticates users.

import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import type { FastifyRequest } from 'fastify';
import { type Actor, type AuditEvent, OPERATOR, recordAudit } from '../audit.ts';
import type { Tx } from '../db/database.ts';
import { HubError } from '../http/errors/errors.ts';

export interface Person {
  tenantId: string;
  /** Null for an administrator's token. */
  userId: string | null;
  subject: string;
  email: string;
  role: Role;
  /** `operator`: a command on the machine of the hub. */
  via: 'session' | 'token' | 'operator';
  /** The session of the request; null for a token and for the operator. */
  sessionId: string | null;
  /** The client's address, behind trusted proxies. */
  address: string;
  /** End of the session or the token. */
  expiresAt: Date;
}

declare module 'fastify' {
  interface FastifyRequest {
    person: Person | null;
  }
  interface FastifyContextConfig {
    /** Minimum role for this console route. A route without a role rejects everybody. */
    access?: Role;
  }
}

/** Returns whether a role includes the permissions of another role. */
export function hasRole(role: Role, atLeast: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(atLeast);
}

/** Returns the authenticated user. Throws `unauthenticated` for a route without authentication. */
export function personOf(request: FastifyRequest): Person {
  if (request.person === null) throw new HubError('unauthenticated');
  return request.person;
}

/** The operator at the command line, who may do everything in each tenant. */
export const OPERATOR_PERSON: Omit<Person, 'tenantId'> = {
  userId: null,
  subject: OPERATOR.id,
  email: 'operator',
  role: 'Admin',
  via: 'operator',
  sessionId: null,
  address: '',
  expiresAt: new Date(8.64e15),
};

/** Returns the user as the actor of audit events. */
export function actorOf(person: Person): Actor {
  if (person.via === 'operator') return OPERATOR;
  return {
    kind: person.via === 'session' ? 'person' : 'admin_token',
    id: person.userId ?? person.subject,
    email: person.email,
    address: person.address,
  };
}

/** Records the audit event of a user's console request in the transaction of the change. */
export function recordByPerson(
  tx: Tx,
  request: FastifyRequest,
  event: Pick<AuditEvent, 'operation' | 'resource' | 'detail'>,
): Promise<void> {
  return recordAudit(tx, auditEventOf(personOf(request), request.id, event));
}

/** Returns the audit event of a user's action in the user's tenant. */
export function auditEventOf(
  person: Person,
  requestId: string,
  event: Pick<AuditEvent, 'operation' | 'resource' | 'detail'>,
): AuditEvent {
  return { ...event, tenantId: person.tenantId, actor: actorOf(person), requestId };
}
