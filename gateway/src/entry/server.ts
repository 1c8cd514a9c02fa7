// The HTTP server of a node: a route for each client-facing API, and the pages for operators.
import type { ServerResponse } from 'node:http';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { GatewayNode } from '../node.ts';
import { CHECK_APIS, runCheck } from './check.ts';
import { describeIncoming, type Incoming } from './incoming.ts';
import { createListener, type Listener } from './listener.ts';
import { registerModels } from './models.ts';
import { CLIENT_APIS, type ClientApi } from './operations.ts';
import { runPipeline } from './pipeline.ts';
import { REALTIME_APIS, runRealtime } from './realtime.ts';
import { requestIdHeaders } from './relay.ts';

const PATH_PARAMETER_MAX = 2_048;

export interface Health {
  /** False while the node has no configuration or drains. */
  isReady: () => boolean;
  state: () => string;
}

export interface GatewayServer {
  listener: Listener;
  close(): Promise<void>;
}

/** Returns the server with all routes; it does not listen yet. */
export async function createServer(node: GatewayNode, health: Health): Promise<GatewayServer> {
  let listener: Listener | undefined;
  const server = fastify({
    logger: false,
    routerOptions: { maxParamLength: PATH_PARAMETER_MAX },
    trustProxy:
      node.settings.trustedProxies.length === 0 ? false : [...node.settings.trustedProxies],
    serverFactory: (handler) => {
      listener = createListener(handler);
      return listener.http;
    },
  });
  // The pipeline reads the body itself, after it knows the app.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  for (const api of CLIENT_APIS) {
    registerApi(server, api, (incoming, response) => runPipeline(node, incoming, response));
  }
  for (const { api, mode } of CHECK_APIS) {
    registerApi(server, api, (incoming, response) => runCheck(node, incoming, response, mode));
  }
  for (const api of REALTIME_APIS) {
    registerApi(server, api, (incoming, response) => runRealtime(node, incoming, response));
  }
  registerModels(server, node);
  registerOperatorPages(server, node, health);
  server.setNotFoundHandler((request, reply) => {
    request.raw.resume();
    const message = `${request.method} ${request.url.split('?', 1)[0]} is no API of this gateway.`;
    return reply
      .code(404)
      .headers(requestIdHeaders(request.id))
      .send({
        error: { message, type: 'invalid_request_error', param: null, code: 'unknown_api' },
      });
  });
  await server.ready();
  if (listener === undefined) throw new Error('the server has a listener');
  return { listener, close: () => server.close() };
}

type Run = (incoming: Incoming, response: ServerResponse) => Promise<void>;

function registerApi(server: FastifyInstance, api: ClientApi, run: Run): void {
  server.route({
    method: api.method,
    url: api.path,
    handler: (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack();
      const params = request.params as Record<string, string>;
      return run(describeIncoming(api, request.raw, request.ip, params), reply.raw);
    },
  });
}

function registerOperatorPages(server: FastifyInstance, node: GatewayNode, health: Health): void {
  server.get('/healthz', async () => ({ status: 'ok' }));
  server.get('/readyz', async (_request, reply) => {
    const isReady = health.isReady();
    return reply.code(isReady ? 200 : 503).send({ ready: isReady, configuration: health.state() });
  });
  server.get('/metrics', async (_request, reply) => {
    reply.type(node.metrics.contentType);
    return node.metrics.render();
  });
}
