// Who a console request comes from, and what a role may do. How people are recognised is the identity feature's work.

import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import type { FastifyRequest } from 'fastify';
import { type Actor, type AuditEvent, OPERATOR, recordAudit } from '../audit.ts';
import type { Tx } from '../db/database.ts';
import { HubError } from '../http/errors.ts';

export interface Person {
  tenantId: string;
  /** Null for an administrator's token. */
  userId: string | null;
  subject: string;
  email: string;
  role: Role;
  /** `operator`: a command on the machine of the hub. */
  via: 'session' | 'token' | 'operator';
  /** Of the request's own session; null for a token. */
  sessionId: string | null;
  /** The client's address, behind trusted proxies. */
  address: string;
  /** When the session or the token ends. */
  expiresAt: Date;
}

declare module 'fastify' {
  interface FastifyRequest {
    person: Person | null;
  }
  interface FastifyContextConfig {
    /** The least role that may call this console route; a route without one refuses everybody. */
    access?: Role;
  }
}

export function holdsRole(role: Role, atLeast: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(atLeast);
}

/** The person the gate let in; a route outside the gate is a programming error. */
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

export function actorOf(person: Person): Actor {
  if (person.via === 'operator') return OPERATOR;
  return {
    kind: person.via === 'session' ? 'person' : 'admin_token',
    id: person.userId ?? person.subject,
    email: person.email,
    address: person.address,
  };
}

/** The audit event of a person's console request, in the transaction of what they did. */
export function recordByPerson(
  tx: Tx,
  request: FastifyRequest,
  event: Pick<AuditEvent, 'operation' | 'resource' | 'detail'>,
): Promise<void> {
  return recordAudit(tx, actOf(personOf(request), request.id, event));
}

/** A person's act in their tenant, as the audit trail holds it. */
export function actOf(
  person: Person,
  requestId: string,
  event: Pick<AuditEvent, 'operation' | 'resource' | 'detail'>,
): AuditEvent {
  return { ...event, tenantId: person.tenantId, actor: actorOf(person), requestId };
}
