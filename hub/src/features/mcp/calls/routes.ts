// The MCP URLs: POST has messages, GET opens the stream of a legacy session, DELETE ends a legacy session.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../../platform/http/errors/error-list.ts';
import { HubError, recordError, toHubError } from '../../../platform/http/errors/errors.ts';
import { stringifyLossless } from '../../../platform/http/json/lossless-numbers.ts';
import { checkUrl } from '../../../platform/http/json/parse-json.ts';
import { assignBodyBudget } from '../../../platform/http/limits/in-flight-bodies.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { errorMessage, RPC, RpcError, toRpcError } from '../protocol/index.ts';
import {
  allowOrigin,
  authenticateRequest,
  endSession,
  headerOf,
  isTenantOrigin,
  openGetStream,
  type RequestContext,
} from '../sessions/index.ts';
import type { GatewayDeps } from './context.ts';
import { postMessage } from './post.ts';

const BODY_LIMIT = 4 * 1024 * 1024;
const BODY_TOO_LARGE = new RpcError(RPC.invalidRequest, 'The body is larger than 4 MiB.', {
  status: 413,
});
const URLS = ['/gwone/mcp', '/gwone/:tenant_id/mcp', '/:backend/mcp'];
/** Some clients append a slash to the URL. */
const PATHS = URLS.flatMap((url) => [url, `${url}/`]);

declare module 'fastify' {
  interface FastifyRequest {
    mcpContext: RequestContext | null;
    /** True: the body had arrived when the token was authenticated. */
    hadBodyAtAuthentication: boolean;
  }
}

/** Registers the MCP URLs. */
export async function registerGateway(app: App, deps: GatewayDeps): Promise<void> {
  await app.register(async (scope: App) => {
    scope.setReplySerializer(stringifyLossless);
    scope.decorateRequest('mcpContext', null);
    scope.decorateRequest('hadBodyAtAuthentication', false);
    scope.addHook('onRoute', assignBodyBudget('calls'));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
      request.bodyReservation?.change(body.length);
      done(null, body);
    });
    scope.addHook('onRequest', (request, reply) => checkRequest(deps, request, reply));
    for (const url of PATHS) {
      scope.route({
        method: ['HEAD', 'PUT', 'PATCH', 'GET', 'POST', 'DELETE', 'OPTIONS'],
        url,
        bodyLimit: BODY_LIMIT,
        schema: { hide: true },
        exposeHeadRoute: false,
        handler: (request, reply) => handleRequest(deps, request, reply),
        errorHandler(error, request, reply) {
          const { code } = toHubError(error);
          if (PLAIN_ERRORS.includes(code)) throw error;
          recordError(error, request, reply);
          const failure = code === 'body_too_large' ? BODY_TOO_LARGE : toRpcError(error);
          return reply.code(failure.status).send(errorMessage(null, failure));
        },
      });
    }
  });
}

const UNSUPPORTED_METHODS = ['HEAD', 'PUT', 'PATCH'];
/** Errors of a URL that is no MCP endpoint: sent as for any other URL of the hub. */
const PLAIN_ERRORS: readonly ErrorCode[] = ['not_found', 'tenant_suspended'];

/** Runs before the body is read, so that a request without a token uses none of the memory for bodies. */
async function checkRequest(
  deps: GatewayDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  reply.header('cache-control', 'no-store');
  checkUrl(request.originalUrl, request.params, request.query);
  const namespace = await deps.namespaceOf(request.params as object);
  if (namespace === null || namespace.kind === 'root') throw new HubError('not_found');
  if (UNSUPPORTED_METHODS.includes(request.method)) {
    return reply
      .code(405)
      .header('allow', 'GET, POST, DELETE, OPTIONS')
      .send(errorMessage(null, new RpcError(RPC.upstream, 'Method not allowed.')));
  }
  if (!(await allowOrigin(deps, namespace, request, reply))) return rejectOrigin(reply);
  if (request.method === 'OPTIONS') return reply.code(204).send();
  request.mcpContext = await authenticateRequest(deps, namespace, request, reply);
  if (request.mcpContext === null) return reply;
  if (!(await isTenantOrigin(deps, request.mcpContext, request))) return rejectOrigin(reply);
  // The e-mail of a shared token is only a claim, so limits count by token.
  request.bodyClient = request.mcpContext.caller.tokenId;
  request.hadBodyAtAuthentication = request.raw.complete;
}

function rejectOrigin(reply: FastifyReply): FastifyReply {
  const error = new RpcError(
    RPC.upstream,
    'Origin not allowed (allowed_origins in the MCP gateway settings).',
  );
  return reply.code(403).send(errorMessage(null, error));
}

async function handleRequest(
  deps: GatewayDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const authenticated = request.mcpContext as RequestContext;
  // The token may have been revoked while the body arrived.
  const context = request.hadBodyAtAuthentication
    ? authenticated
    : await authenticateRequest(deps, authenticated.namespace, request, reply);
  if (context === null) return reply;
  if (request.method === 'POST') return postMessage(deps, context, request, reply);
  try {
    if (request.method === 'GET') return await openGetStream(deps, context, request, reply);
    await endSession(deps, context, headerOf(request, 'mcp-session-id'));
    return reply.code(204).send();
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return reply.code(error.status).send(errorMessage(null, error));
  }
}
