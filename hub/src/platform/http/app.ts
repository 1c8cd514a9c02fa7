// The Fastify application: limits, validation, ids, errors and timing of every request. Knows no feature.
import type { RequestListener, Server } from 'node:http';
import fastifyCookie from '@fastify/cookie';
import fastifySwagger from '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { ANNOTATIONS } from '@gatewarden/shared/wire/management/app-config.ts';
import { BODY_LIMIT_BYTES } from '@gatewarden/shared/wire/sync/limits.ts';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { Logger } from 'pino';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Metrics } from '../telemetry/metrics.ts';
import { isInNetworks, type Network } from './client-address.ts';
import { earlyAnswers, HubError, sendBrokenRequestError, sendError } from './errors.ts';
import { type RouteBudgets, reserveAnnouncedBody } from './held-bodies.ts';
import { checkUrl, findableUrl, parseJson } from './json.ts';
import { lazyCompilers } from './lazy-schemas.ts';
import { documentRoute, SECURITY_SCHEMES } from './openapi.ts';
import { requestIdOf } from './request-id.ts';
import { RequestLog } from './request-log.ts';
import { rejectDuplicateHeaders } from './said-once.ts';
import { securityHeadersFor } from './security-headers.ts';
import { closeQuery } from './strict-query.ts';

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers a person's browser with a page, which itself says what an address that is none is: any text may stand there. */
    isPage?: boolean;
  }
}

/** Bodies of this type are JSON, in this scope and those below it. */
export function takeJson(scope: App, type: string): void {
  scope.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
    // Many clients name the type whether there is a body or not.
    if (body.length === 0 && request.routeOptions.schema?.body === undefined) {
      return done(null, undefined);
    }
    try {
      request.bodyReservation?.change(body.length);
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** An application on a server that listens already; the caller attaches and closes that server. */
export async function createApp(options: {
  log: Logger;
  metrics: Metrics;
  version: string;
  /** The canonical origin. */
  origin: string;
  /** Proxies whose `X-Forwarded-For` names the client. */
  trustedProxies?: readonly Network[];
  /** Takes the request handler once, when Fastify is made. */
  attach(handler: RequestListener): Server;
  /** Of the bodies of all routes that have no budget of their own; null where requests come from this process alone. */
  bodyBudgets: RouteBudgets | null;
  /** In tests: every answer is checked against its schema. */
  checkAnswers?: boolean;
}): Promise<App> {
  const app = Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    childLoggerFactory: (parent, bindings, childOptions) =>
      new RequestLog(parent, bindings, childOptions) as unknown as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: trustedBy(options.trustedProxies ?? []),
    requestTimeout: 30_000,
    routerOptions: { maxParamLength: 2_048, ignoreTrailingSlash: false },
    genReqId: requestIdOf,
    rewriteUrl: (request) => findableUrl(request.url ?? '/'),
    serverFactory: (handler: RequestListener) => options.attach(handler),
    ajv: {
      // Fastify's defaults silently drop unknown fields and turn "5" into 5.
      customOptions: {
        removeAdditional: false,
        coerceTypes: false,
        useDefaults: false,
        allErrors: false,
        // Complaints carry the schema, whose description says in words what a pattern wants.
        verbose: true,
        // What our own schemas say beyond JSON Schema; `x-` is no keyword to the validator.
        keywords: [...ANNOTATIONS],
      },
    },
    schemaController: { compilersFactory: lazyCompilers() },
    clientErrorHandler: sendBrokenRequestError,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>();

  app.removeAllContentTypeParsers();
  takeJson(app, 'application/json');
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => {
    sendError(new HubError('not_found'), request, reply);
  });
  app.addHook('onRoute', closeQuery);
  const securityHeaders = Object.entries(securityHeadersFor(options.origin));
  // With callbacks: a promise for each hook of each request is what the quiet requests would mostly cost.
  app.addHook('onRequest', (request, reply, done) => {
    earlyAnswers.delete(request.raw.socket);
    reply.header('x-request-id', request.id);
    for (const [name, value] of securityHeaders) reply.header(name, value);
    // Before the body is read: what is not there is not there, whatever was sent to it.
    done(
      request.is404
        ? new HubError('not_found')
        : (rejectDuplicateHeaders(request.raw) ?? undefined),
    );
  });
  app.decorateRequest('held', null);
  app.decorateRequest('holder', null);
  if (options.bodyBudgets !== null) {
    app.addHook('preParsing', reserveAnnouncedBody(options.bodyBudgets));
  }
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.routeOptions.config.isPage === true) return done();
    try {
      checkUrl(request.originalUrl, request.params, request.query);
    } catch (error) {
      return done(error as Error);
    }
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.raw.complete) earlyAnswers.set(request.raw.socket, request.raw);
    const route = request.routeOptions.url ?? 'unmatched';
    const status = String(reply.statusCode);
    options.metrics.requestSeconds.observe(
      { route, method: request.method, status },
      reply.elapsedTime / 1000,
    );
    if (options.log.isLevelEnabled('debug')) {
      request.log.debug(
        { route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
        'answered',
      );
    }
    done();
  });
  if (options.checkAnswers === true) {
    app.addHook('preSerialization', async (request, reply, payload) => {
      checkAnswer(request.routeOptions, reply.statusCode, payload);
      return payload;
    });
  }
  await app.register(fastifyCookie);
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Gatewarden hub', version: options.version },
      servers: [{ url: '/', description: 'The origin of the hub.' }],
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    transform: documentRoute,
  });
  return app;
}

/** Fastify reads forwarded headers only if this returns something else than false. */
function trustedBy(proxies: readonly Network[]): false | ((address: string) => boolean) {
  return proxies.length === 0 ? false : (address) => isInNetworks(address, proxies);
}

/** An answer that its own schema refuses is a bug of ours; only tests pay for finding it. */
function checkAnswer(
  route: FastifyRequest['routeOptions'],
  status: number,
  payload: unknown,
): void {
  const responses = route.schema?.response as Record<string, TSchema> | undefined;
  const schema = responses?.[status];
  // Answers of several media types are streams, which pass by here.
  if (schema === undefined || payload === undefined || 'content' in schema) return;
  const found = Value.Errors(schema, payload)[0];
  if (found !== undefined) {
    throw new Error(`${route.url} answers ${status} with ${found.instancePath} ${found.message}`);
  }
}
