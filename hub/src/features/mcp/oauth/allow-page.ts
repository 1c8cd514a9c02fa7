// Which web pages may read what the OAuth endpoints answer.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenCheck } from '../tokens/index.ts';
import { type Namespace, tenantOf } from './namespaces.ts';

/** A client that is a web page of an origin that the company names may read the answers; others see nothing of them. */
export async function allowPage(
  deps: { origin: string; check: TokenCheck },
  namespace: Namespace,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { origin } = request.headers;
  if (origin === undefined) return;
  const tenantId = tenantOf(namespace);
  const named = tenantId === null ? [] : (await deps.check.settings(tenantId)).allowed_origins;
  reply.header('vary', 'Origin');
  if (origin !== deps.origin && !named.includes(origin.toLowerCase())) return;
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-methods', 'POST')
    .header('access-control-allow-headers', 'content-type, mcp-protocol-version');
}
