// The MCP URLs: who comes, and what they want. POST carries messages, GET opens a stream of the older revision, DELETE
// ends a session of it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../platform/http/errors/error-list.ts';
import { HubError, recordError, toHubError } from '../../../platform/http/errors/errors.ts';
import { stringifyLossless } from '../../../platform/http/json/lossless-numbers.ts';
import { checkUrl } from '../../../platform/http/json/parse-json.ts';
import { assignBodyBudget } from '../../../platform/http/limits/in-flight-bodies.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { openStream } from './following.ts';
import { errorMessage, failureOfOurs, RPC, RpcError } from './messages.ts';
import { post } from './posting.ts';
import { endSession } from './sessions.ts';
import {
  admitted,
  type GatewayDeps,
  headerOf,
  isOriginOfTenant,
  mayComeFrom,
  type Visit,
} from './visit.ts';

const BODY_LIMIT = 4 * 1024 * 1024;
const TOO_LARGE = new RpcError(RPC.invalidRequest, 'The body is larger than 4 MiB.', {
  status: 413,
});
const URLS = ['/gwone/mcp', '/gwone/:tenant_id/mcp', '/:backend/mcp'];
/** Some clients write a slash behind the URL that they were given. */
const PATHS = URLS.flatMap((url) => [url, `${url}/`]);

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit | null;
    /** All of it was here when its token was looked at. */
    cameWhole: boolean;
  }
}

export async function registerGateway(app: App, deps: GatewayDeps): Promise<void> {
  await app.register(async (scope: App) => {
    scope.setReplySerializer(stringifyLossless);
    scope.decorateRequest('visit', null);
    scope.decorateRequest('cameWhole', false);
    scope.addHook('onRoute', assignBodyBudget('calls'));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
      request.bodyReservation?.change(body.length);
      done(null, body);
    });
    scope.addHook('onRequest', (request, reply) => letIn(deps, request, reply));
    for (const url of PATHS) {
      scope.route({
        method: ['HEAD', 'PUT', 'PATCH', 'GET', 'POST', 'DELETE', 'OPTIONS'],
        url,
        bodyLimit: BODY_LIMIT,
        schema: { hide: true },
        exposeHeadRoute: false,
        handler: (request, reply) => serve(deps, request, reply),
        errorHandler(error, request, reply) {
          if (PLAIN.includes(toHubError(error).code)) throw error;
          recordError(error, request, reply);
          const failure =
            toHubError(error).code === 'body_too_large' ? TOO_LARGE : failureOfOurs(error);
          return reply.code(failure.status).send(errorMessage(null, failure));
        },
      });
    }
  });
}

const OTHERS = ['HEAD', 'PUT', 'PATCH'];
/** Errors of the address, before there is an MCP endpoint: answered as everywhere in the hub. */
const PLAIN: readonly ErrorCode[] = ['not_found', 'tenant_suspended'];

/** Before anything of the body is read: who has no token here takes nothing of what those share who have one. */
async function letIn(
  deps: GatewayDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  reply.header('cache-control', 'no-store');
  checkUrl(request.originalUrl, request.params, request.query);
  const namespace = await deps.namespaceOf(request.params as object);
  if (namespace === null || namespace.kind === 'root') throw new HubError('not_found');
  if (OTHERS.includes(request.method)) {
    return reply
      .code(405)
      .header('allow', 'GET, POST, DELETE, OPTIONS')
      .send(errorMessage(null, new RpcError(RPC.upstream, 'Method not allowed.')));
  }
  if (!(await mayComeFrom(deps, namespace, request, reply))) return refuseOrigin(reply);
  if (request.method === 'OPTIONS') return reply.code(204).send();
  request.visit = await admitted(deps, namespace, request, reply);
  if (request.visit === null) return reply;
  if (!(await isOriginOfTenant(deps, request.visit, request))) return refuseOrigin(reply);
  // Not whom they name: with a token for several people that is the client's own word.
  request.bodyClient = request.visit.caller.tokenId;
  request.cameWhole = request.raw.complete;
}

function refuseOrigin(reply: FastifyReply): FastifyReply {
  const error = new RpcError(
    RPC.upstream,
    'Origin not allowed (allowed_origins in the MCP gateway settings).',
  );
  return reply.code(403).send(errorMessage(null, error));
}

async function serve(
  deps: GatewayDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const known = request.visit as Visit;
  // While the rest came, the token may have been taken back.
  const visit = request.cameWhole ? known : await admitted(deps, known.namespace, request, reply);
  if (visit === null) return reply;
  if (request.method === 'POST') return post(deps, visit, request, reply);
  return besides(deps, visit, request, reply);
}

async function besides(
  deps: GatewayDeps,
  visit: Visit,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    if (request.method === 'GET') return await openStream(deps, visit, request, reply);
    await endSession(deps, visit, headerOf(request, 'mcp-session-id'));
    return reply.code(204).send();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return reply.code(error.status).send(errorMessage(null, error));
  }
}
