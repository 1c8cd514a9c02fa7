// Who a device request comes from. How agents are recognised is the enrolment feature's work.
import type { FastifyRequest } from 'fastify';
import { HubError } from '../http/errors/errors.ts';

export interface AgentPrincipal {
  tenantId: string;
  subscriberId: string;
  /** Of X-Device-ID where it was sent. */
  deviceId: string | null;
  token: {
    enrolOnly: boolean;
    /** Set: the token is this device's own and good for no other. */
    deviceId: string | null;
    subscriberId: string | null;
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    agent: AgentPrincipal | null;
    /** A SHA-256 over the inflated body: what tells a repeated batch from a changed one. */
    bodyHash: Buffer | null;
  }
  interface FastifyContextConfig {
    /** What a device route asks beyond the common headers. */
    sync?: 'enroll' | 'get' | 'post';
    /** Reads an inflated body in place of `parseJson`, as strictly, and sets `bodyHash`. */
    readBody?(request: FastifyRequest, bytes: Buffer): unknown;
  }
}

/** The principal the gate let in; a route outside the gate is a programming error. */
export function agentOf(request: FastifyRequest): AgentPrincipal {
  if (request.agent === null) throw new HubError('invalid_agent_token');
  return request.agent;
}
