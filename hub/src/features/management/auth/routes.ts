// Declares a management route once and registers it for each of its addresses: by path, by `app_name` in the query for
// names that do not fit into paths, and below the console for signed-in users.
import type { Scope } from '@gatewarden/shared/wire/management/common.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { rejectDuplicateKeys } from '../../../platform/http/json/duplicate-keys.ts';
import { parseJson } from '../../../platform/http/json/parse-json.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { MEDIA_TYPE } from '../../../platform/http/server/content-type.ts';
import { parseIfMatch } from '../../../platform/http/server/etag.ts';
import { bodyArrived } from './body-timer.ts';
import { linesOf } from './header-lines.ts';
import type { Principal } from './principal.ts';

/** A validated request for a handler. */
export interface Call<
  Params = Record<string, string>,
  Query = Record<string, string>,
  Body = unknown,
> {
  principal: Principal;
  requestId: string;
  params: Params;
  query: Query;
  body: Body;
  ifMatch: string | undefined;
  /** The Idempotency-Key of an idempotent route, validated; otherwise empty. */
  idempotencyKey: string;
  /** The path without the query, to which fingerprints are bound. */
  path: string;
}

/** The result of a handler; `request_id` is added if it is missing. */
export interface Answered {
  status?: number;
  etag?: string;
  body: object;
  /** Sends the body unchanged, without `request_id`. */
  bare?: boolean;
}

export interface RouteSpec {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the prefix; `:app_name` is also accepted from the query. */
  path: string;
  summary: string;
  description?: string;
  scopes: readonly Scope[];
  ifMatch?: boolean;
  /** An ETag for a read whose body has no version. */
  etag?: boolean;
  idempotent?: boolean;
  emptyBody?: boolean;
  /** For routes of administrators: refused while the tenant is suspended. */
  optIn?: boolean;
  query?: TObject;
  body?: TSchema;
  answers: Record<number, TSchema>;
  handle(call: Call<never, never, never>): Promise<Answered>;
}

/** Declares a route; the handler's input has the types of its schemas. */
export function route<Query extends TProperties = TProperties, Body extends TSchema = TSchema>(
  spec: Omit<RouteSpec, 'handle' | 'query' | 'body'> & {
    query?: TObject<Query>;
    body?: Body;
    handle(
      call: Call<Record<string, string>, Static<TObject<Query>>, Static<Body>>,
    ): Promise<Answered>;
  },
): RouteSpec {
  return spec as unknown as RouteSpec;
}

const ID = Type.String({ maxLength: 2048 });

/** Registers the routes of a family on a scope whose authentication has set the principal. */
export function registerFamily(
  scope: App,
  routes: readonly RouteSpec[],
  options: { family: 'resource' | 'admin'; tag: string; prefix?: string; console?: boolean },
): void {
  for (const spec of routes) {
    for (const url of urlsOf(spec.path)) registerAt(scope, spec, url, options);
  }
}

/** Returns both addresses: `/apps/:app_name/keys` is also `/app/keys?app_name=`. */
function urlsOf(path: string): string[] {
  return path.startsWith('/apps/:app_name')
    ? [path, `/app${path.slice('/apps/:app_name'.length)}`]
    : [path];
}

function registerAt(
  scope: App,
  spec: RouteSpec,
  url: string,
  options: { family: 'resource' | 'admin'; tag: string; prefix?: string; console?: boolean },
): void {
  const byQuery = url !== spec.path;
  const names = [...url.matchAll(/:(\w+)/g)].map((found) => found[1] as string);
  if (options.console === true) names.unshift('tenant_id');
  if (options.family === 'admin' && !names.includes('tenant_id')) names.unshift('tenant_id');
  const query = { ...(spec.query?.properties ?? {}), ...(byQuery ? { app_name: ID } : {}) };
  const isRead = spec.method === 'GET';
  scope.route({
    method: spec.method,
    url: `${options.prefix ?? ''}${url}`,
    config: {
      management: {
        family: options.family,
        scopes: spec.scopes,
        ifMatch: spec.ifMatch === true,
        idempotent: spec.idempotent === true,
        emptyBody: spec.emptyBody === true,
        optIn: spec.optIn === true,
        etag: spec.etag === true,
        bodiless: spec.body === undefined,
      },
      ...(options.console === true ? { access: accessFor(spec.scopes) } : {}),
    },
    schema: {
      tags: [options.tag],
      summary: spec.summary,
      ...(spec.description === undefined ? {} : { description: spec.description }),
      ...(names.length > 0
        ? { params: Type.Object(Object.fromEntries(names.map((name) => [name, ID]))) }
        : {}),
      querystring: Type.Object(query, { additionalProperties: false }),
      ...(spec.body === undefined || isRead ? {} : { body: spec.body }),
      response: spec.answers,
    },
    preValidation: async (request) => {
      bodyArrived(request);
      checkBody(request);
    },
    handler: async (request, reply) => answer(spec, request, reply),
  });
}

/** Limits a read-only user to routes that need no more than `read`. */
function accessFor(scopes: readonly Scope[]): 'Viewer' | 'Admin' {
  return scopes.every((scope) => scope === 'read') ? 'Viewer' : 'Admin';
}

function checkBody(request: FastifyRequest): void {
  const { emptyBody, bodiless } = request.routeOptions.config.management ?? {};
  if (request.body === undefined) {
    if (emptyBody === true) request.body = {};
    return;
  }
  if (bodiless === true) {
    const isEmpty =
      typeof request.body === 'object' &&
      request.body !== null &&
      Object.keys(request.body).length === 0;
    if (!isEmpty)
      throw new HubError('invalid_request', '/ must be empty: this request takes no body');
  }
  refusePoison(request.body, '');
}

const POISON = new Set(['__proto__', 'constructor', 'prototype']);

/** Rejects names of maps, which the caller chooses, that would reach an object's prototype. */
function refusePoison(value: unknown, pointer: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (POISON.has(name)) {
      throw new HubError('invalid_request', `${pointer}/${name} is a reserved name`);
    }
    refusePoison(inner, `${pointer}/${name.slice(0, 100)}`);
  }
}

async function answer(
  spec: RouteSpec,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const { principal } = request;
  if (principal === null) throw new HubError('unauthenticated');
  const sent = request.headers['if-match'];
  // Blank counts as missing.
  const ifMatch = sent?.trim() === '' ? undefined : sent;
  // A malformed value is a 400 before any query; a missing value is reported only for an existing resource.
  if (spec.ifMatch === true && ifMatch !== undefined) parseIfMatch(ifMatch);
  const query = { ...(request.query as Record<string, string>) };
  const params = { ...(request.params as Record<string, string>) };
  if (query.app_name !== undefined) {
    params.app_name = query.app_name;
    delete query.app_name;
  }
  const answered = await spec.handle({
    principal,
    requestId: request.id,
    params,
    query,
    body: request.body,
    ifMatch,
    idempotencyKey: spec.idempotent === true ? idempotencyKeyOf(request) : '',
    path: `${spec.method} ${pathOf(spec, params)}`,
  } as Call<never, never, never>);
  if (answered.etag !== undefined) reply.header('etag', answered.etag);
  if (spec.idempotent === true) logReplay(request, answered.body);
  reply.code(answered.status ?? 200);
  return answered.bare === true || 'request_id' in answered.body
    ? answered.body
    : { ...answered.body, request_id: request.id };
}

/**
 * Returns a replayed response with the id of the first request in its body: with both ids in the log, support finds
 * either request.
 */
function logReplay(request: FastifyRequest, body: object): void {
  const original = (body as { request_id?: unknown }).request_id;
  if (typeof original !== 'string' || original === request.id) return;
  request.log.info(
    { event: 'answer_replayed', request_id: request.id, original_request_id: original },
    'an answer was replayed',
  );
}

/** Returns the fingerprint's path, equal for all addresses of the route. */
function pathOf(spec: RouteSpec, params: Record<string, string>): string {
  return spec.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
}

function idempotencyKeyOf(request: FastifyRequest): string {
  // Node would join duplicate lines to a key that nobody chose.
  const [key, ...more] = linesOf(request, 'idempotency-key');
  if (key === undefined || key === '') {
    throw new HubError('invalid_request', '/header/idempotency-key is required');
  }
  if (more.length > 0) {
    throw new HubError('invalid_request', '/header/idempotency-key must be one line');
  }
  if (key.length > 200) {
    throw new HubError('invalid_request', '/header/idempotency-key must be 1-200 characters');
  }
  return key;
}

/** Configures what every scope of the management API has besides authentication. */
export function prepareScope(scope: App): void {
  scope.decorateRequest('principal', null);
  // A value that is no media type never reaches a parser: the framework would answer 415. An encoding would be ignored,
  // while a proxy might decode the body and review something else.
  scope.addHook('preParsing', async (request) => {
    const { 'content-type': type, 'content-encoding': encoding = 'identity' } = request.headers;
    if (request.method === 'GET') return;
    if (type !== undefined && !MEDIA_TYPE.test(type)) {
      throw new HubError('invalid_request', '/header/content-type must be application/json');
    }
    if (encoding.trim().toLowerCase() !== 'identity') {
      throw new HubError('invalid_request', '/header/content-encoding must be omitted');
    }
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    (request, body: Buffer, done) => {
      const { emptyBody, bodiless } = request.routeOptions.config.management ?? {};
      request.bodyReservation?.change(body.length);
      // Many clients send a Content-Type also without a body.
      const mayBeEmpty = emptyBody === true || bodiless === true;
      if (body.length === 0 && mayBeEmpty) return done(null, undefined);
      try {
        const value = parseJson(body);
        rejectDuplicateKeys(body.toString());
        done(null, value);
      } catch (error) {
        done(error as Error);
      }
    },
  );
  // A body without an announced length may turn out to be empty.
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined);
    done(new HubError('invalid_request', '/header/content-type must be application/json'));
  });
  // Stored configurations are sent unchanged: a serializer generated from the schema would drop unknown fields.
  scope.setSerializerCompiler(() => (data) => JSON.stringify(data));
}

/** Unknown paths are authenticated, too: a node that is not central answers so for every path. */
export function refuseUnknown(scope: App): void {
  for (const url of ['', '/*']) {
    scope.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url,
      schema: { hide: true },
      handler: async () => {
        throw new HubError('not_found');
      },
    });
  }
}
