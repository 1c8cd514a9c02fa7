// Origins of web pages that may read responses of the OAuth endpoints (CORS).
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenCheck } from '../access-tokens/index.ts';
import { type Namespace, tenantOf } from './namespaces.ts';

/**
 * Lets a web page read the answer if its origin is allowed: by the family's tenant, or where a family has none, by any
 * tenant. Others see nothing of it.
 */
export async function allowPage(
  deps: { origin: string; check: TokenCheck },
  namespace: Namespace,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { origin } = request.headers;
  if (origin === undefined) return;
  reply.header('vary', 'Origin');
  if (!(await isAllowedOrigin(deps, tenantOf(namespace), origin))) return;
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-allow-methods', 'POST')
    .header('access-control-allow-headers', 'content-type, mcp-protocol-version');
}

/** Whether pages of this origin may call the gateway; `tenantId` null: for whichever tenant. */
export async function isAllowedOrigin(
  { origin: own, check }: { origin: string; check: TokenCheck },
  tenantId: string | null,
  origin: string,
): Promise<boolean> {
  if (origin === own) return true;
  const settings =
    tenantId === null ? await check.allowedClients() : [await check.settings(tenantId)];
  return settings.some((setting) => setting.allowed_origins.includes(origin.toLowerCase()));
}
