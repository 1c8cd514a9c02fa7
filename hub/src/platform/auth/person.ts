// Who a console request comes from, and what a role may do. How people are recognised is the identity feature's work.

import { ROLES, type Role } from '@gatewarden/shared/wire/vocabulary.ts';
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../audit.ts';
import { HubError } from '../http/errors.ts';

export interface Person {
  tenantId: string;
  /** Null for an administrator's token. */
  userId: string | null;
  subject: string;
  email: string;
  role: Role;
  via: 'session' | 'token';
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

export function actorOf(person: Person): Actor {
  return {
    kind: person.via === 'session' ? 'person' : 'admin_token',
    id: person.userId ?? person.subject,
    email: person.email,
  };
}
