// The Fastify application of the hub, without any feature: limits, validation, request ids, errors and timing.
// Main types: `App`. The listener (listener.ts) owns the socket; features register their routes on the application.
// Invariants: every response has the security headers and a request id; input that a schema does not allow is rejected.
// Depends on limits/ (body reservations), json/ (parsing), errors/ and openapi.ts.
// Start reading at `createApp`.
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
import type { Metrics } from '../../telemetry/metrics.ts';
import { earlyResponses, HubError, sendBrokenRequestError, sendError } from '../errors/errors.ts';
import { checkUrl, parseJson, routableUrl } from '../json/parse-json.ts';
import { type RouteBudgets, reserveAnnouncedBody } from '../limits/in-flight-bodies.ts';
import { forbidUnknownParameters } from '../lists/strict-query.ts';
import { documentRoute, SECURITY_SCHEMES } from '../openapi.ts';
import { isInNetworks, type Network } from './client-address.ts';
import { rejectDuplicateHeaders } from './duplicate-headers.ts';
import { lazyCompilers } from './lazy-schemas.ts';
import { requestIdOf } from './request-id.ts';
import { RequestLog } from './request-log.ts';
import { securityHeadersFor } from './security-headers.ts';

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route sends a page to a browser and reports an invalid URL in the page: its URL is not checked. */
    isPage?: boolean;
  }
}

/** Parses bodies of a media type as JSON, in a scope and its nested scopes. */
export function acceptJson(scope: App, type: string): void {
  scope.addContentTypeParser(type, { parseAs: 'buffer' }, (request, body, done) => {
    // Many clients send the type also without a body.
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

export interface AppOptions {
  log: Logger;
  metrics: Metrics;
  version: string;
  /** The canonical origin. */
  origin: string;
  /** Proxies whose `X-Forwarded-For` names the client. */
  trustedProxies?: readonly Network[];
  /** Receives the request handler once, while Fastify is created. */
  attach(handler: RequestListener): Server;
  /** Limiters of the bodies of all routes without an own limiter. Null if all requests come from this process. */
  bodyBudgets: RouteBudgets | null;
  /** Checks every response against its schema, in tests. */
  checkAnswers?: boolean;
}

/** Returns an application on a server that listens already. The caller attaches and closes that server. */
export async function createApp(options: AppOptions): Promise<App> {
  const app = createFastify(options);
  app.removeAllContentTypeParsers();
  acceptJson(app, 'application/json');
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => {
    sendError(new HubError('not_found'), request, reply);
  });
  app.addHook('onRoute', forbidUnknownParameters);
  addRequestHooks(app, options);
  addResponseHooks(app, options);
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

function createFastify(options: AppOptions) {
  return Fastify({
    loggerInstance: options.log as FastifyBaseLogger,
    childLoggerFactory: (parent, bindings, childOptions) =>
      new RequestLog(parent, bindings, childOptions) as unknown as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: trustProxies(options.trustedProxies ?? []),
    requestTimeout: 30_000,
    routerOptions: { maxParamLength: 2_048, ignoreTrailingSlash: false },
    genReqId: requestIdOf,
    rewriteUrl: (request) => routableUrl(request.url ?? '/'),
    serverFactory: (handler: RequestListener) => options.attach(handler),
    ajv: {
      // Fastify's defaults silently drop unknown fields and turn "5" into 5.
      customOptions: {
        removeAdditional: false,
        coerceTypes: false,
        useDefaults: false,
        allErrors: false,
        // Violations include the schema, whose description explains a pattern.
        verbose: true,
        // Annotations of our own schemas beyond JSON Schema; the validator does not know `x-` keywords.
        keywords: [...ANNOTATIONS],
      },
    },
    schemaController: { compilersFactory: lazyCompilers() },
    clientErrorHandler: sendBrokenRequestError,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>();
}

/** Hooks have callbacks: a promise for each hook would be most of the cost of an unchanged poll. */
function addRequestHooks(app: App, options: AppOptions): void {
  const securityHeaders = Object.entries(securityHeadersFor(options.origin));
  app.addHook('onRequest', (request, reply, done) => {
    earlyResponses.delete(request.raw.socket);
    reply.header('x-request-id', request.id);
    for (const [name, value] of securityHeaders) reply.header(name, value);
    // A missing route is a 404 before the body is read, whatever the body is.
    done(
      request.is404
        ? new HubError('not_found')
        : (rejectDuplicateHeaders(request.raw) ?? undefined),
    );
  });
  app.decorateRequest('bodyReservation', null);
  app.decorateRequest('bodyClient', null);
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
}

function addResponseHooks(app: App, options: AppOptions): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (!request.raw.complete) earlyResponses.set(request.raw.socket, request.raw);
    const route = request.routeOptions.url ?? 'unmatched';
    const status = String(reply.statusCode);
    options.metrics.requestSeconds.observe(
      { route, method: request.method, status },
      reply.elapsedTime / 1000,
    );
    if (options.log.isLevelEnabled('debug')) {
      request.log.debug(
        { route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
        'request completed',
      );
    }
    done();
  });
  if (options.checkAnswers === true) {
    app.addHook('preSerialization', async (request, reply, payload) => {
      checkResponse(request.routeOptions, reply.statusCode, payload);
      return payload;
    });
  }
}

/** Returns Fastify's `trustProxy`: false ignores forwarded headers. */
function trustProxies(proxies: readonly Network[]): false | ((address: string) => boolean) {
  return proxies.length === 0 ? false : (address) => isInNetworks(address, proxies);
}

/** Throws for a response that violates its schema. That is a bug of the hub, which only tests look for. */
function checkResponse(
  route: FastifyRequest['routeOptions'],
  status: number,
  payload: unknown,
): void {
  const responses = route.schema?.response as Record<string, TSchema> | undefined;
  const schema = responses?.[status];
  // Responses of several media types are streams, which have no payload here.
  if (schema === undefined || payload === undefined || 'content' in schema) return;
  const violation = Value.Errors(schema, payload)[0];
  if (violation !== undefined) {
    const { instancePath, message } = violation;
    throw new Error(`${route.url} answers ${status} with ${instancePath} ${message}`);
  }
}
