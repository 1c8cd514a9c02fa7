// The principal of a device request. The enrolment feature authenticates agents.
import type { FastifyRequest } from 'fastify';
import { HubError } from '../http/errors/errors.ts';

export interface AgentPrincipal {
  tenantId: string;
  subscriberId: string;
  /** Value of X-Device-ID, if it was sent. */
  deviceId: string | null;
  token: {
    enrolOnly: boolean;
    /** The device that the token is restricted to; null for an enrolment token. */
    deviceId: string | null;
    subscriberId: string | null;
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    agent: AgentPrincipal | null;
    /** SHA-256 of the decompressed body, which distinguishes a repeated batch from a changed batch. */
    bodyHash: Buffer | null;
  }
  interface FastifyContextConfig {
    /** Requirements of a device route beyond the common headers. */
    sync?: 'enroll' | 'get' | 'post';
    /** Parses a decompressed body instead of `parseJson`, equally strictly, and sets `bodyHash`. */
    readBody?(request: FastifyRequest, bytes: Buffer): unknown;
  }
}

/** Returns the authenticated principal. Throws `invalid_agent_token` for a route without authentication. */
export function agentOf(request: FastifyRequest): AgentPrincipal {
  if (request.agent === null) throw new HubError('invalid_agent_token');
  return request.agent;
}
