// Adds to the OpenAPI document what every route has besides its own schemas: headers, security, error answers and their
// media types. In the runtime schema a required header would answer 400 where 428 or a code of its own is due.

import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { ErrorBody } from '@gatewarden/shared/wire/common.ts';
import { ScimError } from '@gatewarden/shared/wire/scim.ts';
import { SUBSCRIBER_ID_PATTERN } from '@gatewarden/shared/wire/sync/device.ts';
import type { FastifyContextConfig, FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ERRORS, type ErrorCode } from './errors/error-list.ts';
import { operationIdOf } from './openapi/operation-ids.ts';
import { describeOperation } from './openapi/operation-texts.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Callers of a route without a gate; the handler authenticates them. */
    caller?: 'node' | 'collector' | 'session' | 'directory';
    /** Query parameters that the handler checks itself, with error codes of its own. */
    asks?: TSchema;
    /** Statuses that only this route of its family answers with. */
    alsoAnswers?: readonly string[];
    /** Media type, line schema and example of a route that reads its body as a stream of lines. */
    takesLines?: { type: string; line: TSchema; example: object };
    /** Media types of the 200 besides JSON, of routes that choose by the query. */
    alsoSends?: readonly string[];
    /** Error codes of an export, and the media types that it sends them in. */
    exportErrors?: ExportErrors;
  }
}

/** The errors of an export: each status of the error list is documented with the codes that are named here. */
export interface ExportErrors {
  types: readonly string[];
  codes: readonly ErrorCode[];
  /** Set for a view that answers with a single document. */
  jsonOnly: readonly ErrorCode[];
}

export const SCIM_TYPE = 'application/scim+json';

export const SECURITY_SCHEMES = {
  agentToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'An agent token, or the device token that replaces it at enrollment.',
  },
  adminToken: {
    type: 'http',
    scheme: 'bearer',
    description: "A tenant administrator's JWT.",
  },
  managementKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A management key of the tenant.',
  },
  nodeToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A gateway node’s token.',
  },
  logExportKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Gw-Log-Export-Key',
    description: 'A key for the log export.',
  },
  scimToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token that an administrator made for the company’s directory.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'gatewarden_session',
    description:
      "A user's session; named `__Host-gatewarden_session` where the origin is https. Writes need `X-CSRF-Token`.",
  },
} as const;

const uuid = (description: string) => Type.String({ format: 'uuid', description });
const DEVICE_HEADERS = {
  'X-Tenant-ID': uuid('The tenant of the token.'),
  'X-Subscriber-ID': Type.String({
    pattern: SUBSCRIBER_ID_PATTERN,
    description: 'User of the device.',
  }),
};
const DEVICE_ID = uuid('The device; where the body names one, the same.');
const REQUEST_ID = Type.Optional(Type.String({ description: 'Echoed in the answer.' }));

const IDEMPOTENCY_KEY = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'The same key and request again within 24 hours give the same answer, byte for byte: the `request_id` in its body is that of the first request, while the header `X-Request-ID` names the repeat.',
});

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>;

/** Adds the headers, security and error answers of its gate to a route's schema. */
export const documentRoute: Transform = ({ schema, url, route }) => {
  if (schema === undefined || schema.hide === true) return { schema: schema ?? {}, url };
  const config = route.config ?? {};
  const { sync, access, management, caller, asks, alsoAnswers = [] } = config;
  const headers = (schema.headers as TSchema & { properties?: object })?.properties ?? {};
  const changes = 'if-match' in headers || management?.ifMatch === true;
  return {
    url,
    schema: {
      ...(access === undefined ? {} : { 'x-least-role': access }),
      ...(caller === 'directory' ? { consumes: [SCIM_TYPE, 'application/json'] } : {}),
      ...schema,
      ...textsOf({ schema, url, config, changes }),
      headers: Type.Object({
        ...(sync === undefined ? {} : deviceHeaders(sync)),
        ...(changes ? { 'If-Match': Type.String({ description: 'The ETag that was read.' }) } : {}),
        ...(management?.idempotent === true ? { 'Idempotency-Key': IDEMPOTENCY_KEY } : {}),
        'X-Request-ID': REQUEST_ID,
      }),
      ...(asks === undefined ? {} : { querystring: asks }),
      security: caller === undefined ? securityOf(sync, access, management) : [CALLERS[caller]],
      response: {
        ...successesOf(schema.response as Record<string, TSchema>, config),
        ...errorsOf({
          exportErrors: config.exportErrors,
          sync,
          access,
          caller,
          alsoAnswers,
          changes,
          managed: management !== undefined,
          writes: !['GET', 'HEAD'].includes(String(route.method)),
          hasBody: schema.body !== undefined,
          hasPathPart: url.includes(':'),
        }),
      },
    },
  };
};

/** Returns id, description and a body of lines of an operation. */
function textsOf({
  schema,
  url,
  config,
  changes,
}: {
  schema: FastifySchema;
  url: string;
  config: FastifyContextConfig;
  changes: boolean;
}): FastifySchema {
  const { sync, access, management, caller, takesLines } = config;
  const query = (config.asks ?? schema.querystring) as { properties?: object } | undefined;
  const operationId = operationIdOf(url.replace(/:(\w+)/g, '{$1}'), schema.summary ?? '');
  return {
    operationId,
    description: describeOperation({
      ...{ operationId, sync, access, caller, management, changes },
      description: schema.description,
      isPaged: 'cursor' in (query?.properties ?? {}),
    }),
    ...(takesLines === undefined ? {} : { consumes: [takesLines.type], body: linesOf(takesLines) }),
  };
}

/** Returns the body of a route that accepts lines, as a text; JSON Schema describes the lines. */
function linesOf({
  type,
  line,
  example,
}: NonNullable<FastifyContextConfig['takesLines']>): TSchema {
  return Type.String({
    contentMediaType: type,
    contentSchema: line,
    examples: [`${JSON.stringify(example)}\n`],
  });
}

/** The answers of a success, in the media type of the family. */
function successesOf(
  answers: Readonly<Record<string, TSchema>>,
  { management, caller, alsoSends }: FastifyContextConfig,
): Record<string, object> {
  if (management !== undefined) return withEtags(answers, management.etag === true);
  if (alsoSends !== undefined) {
    const others = alsoSends.map((type) => [type, { schema: Type.String() }]);
    const content = { 'application/json': { schema: answers[200] }, ...Object.fromEntries(others) };
    return { ...answers, 200: { description: 'As the query asks for it.', content } };
  }
  if (caller !== 'directory') return answers;
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
      status,
      status === '204'
        ? schema
        : { description: 'A SCIM message.', content: { [SCIM_TYPE]: { schema } } },
    ]),
  );
}

const ETAG = Type.String({ description: 'The version, as `If-Match` takes it.' });
const RETRY_AFTER = Type.String({ description: 'Seconds to wait before the next try.' });

/**
 * Adds the `ETag` header (document 1, versioning) to answers that contain the version of a single resource. Lists have no
 * `ETag`; a recovered operation has an `ETag` if it describes an app.
 */
function withEtags(
  answers: Readonly<Record<string, TSchema>>,
  isTagged: boolean,
): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [
      status,
      isTagged || holdsVersion(answer) ? { ...answer, headers: { ETag: ETAG } } : answer,
    ]),
  );
}

function holdsVersion(answer: TSchema): boolean {
  const properties = membersOf(answer);
  const members = [properties, ...Object.values(properties).map(membersOf)];
  return members.some((names) => 'version' in names || 'app_version' in names);
}

const membersOf = (schema: TSchema) =>
  (schema as { properties?: Record<string, TSchema> }).properties ?? {};

function deviceHeaders(sync: 'enroll' | 'get' | 'post'): Record<string, TSchema> {
  if (sync === 'enroll') {
    const { 'X-Tenant-ID': tenant, 'X-Subscriber-ID': subscriber } = DEVICE_HEADERS;
    return { 'X-Tenant-ID': Type.Optional(tenant), 'X-Subscriber-ID': Type.Optional(subscriber) };
  }
  return sync === 'get'
    ? { ...DEVICE_HEADERS, 'X-Device-ID': DEVICE_ID }
    : {
        ...DEVICE_HEADERS,
        'X-Device-ID': Type.Optional(DEVICE_ID),
        'Content-Encoding': Type.Literal('gzip'),
      };
}

const CALLERS = {
  node: { nodeToken: [] },
  collector: { logExportKey: [] },
  session: { session: [] },
  directory: { scimToken: [] },
};

function securityOf(
  sync: unknown,
  access: unknown,
  management: { family: 'resource' | 'admin'; scopes: readonly string[] } | undefined,
): Record<string, string[]>[] {
  if (sync !== undefined) return [{ agentToken: [] }];
  if (management?.family === 'admin') return [{ adminToken: [] }];
  // OpenAPI 3.1 lets each scheme list the scopes that a caller needs.
  if (management !== undefined && access === undefined) {
    return [{ managementKey: [...management.scopes] }];
  }
  return access === undefined ? [] : [{ adminToken: [] }, { session: [] }];
}

const MEANINGS: Record<string, string> = {
  400: 'Invalid; the message contains a JSON pointer.',
  401: 'Not signed in, or the token is invalid.',
  403: 'Not allowed.',
  404: 'There is nothing here.',
  408: 'The request took too long to arrive.',
  409: 'Conflicts with the current state.',
  410: 'The cursor is no longer valid.',
  412: 'Someone else changed it.',
  413: 'Too large.',
  414: 'The path is too long.',
  415: 'Not gzip, or not JSON.',
  428: 'If-Match is required.',
  429: 'Too many requests; see Retry-After.',
  431: 'Path and headers together are too long.',
  500: "The metrics couldn't be computed; a shorter time range may help.",
  503: 'Temporarily unavailable; see Retry-After.',
};

/** Errors that are answered before the operation is known. */
const UNREAD = new Set(['414', '431']);

/** Statuses that are sent with `Retry-After`. */
const RETRIED = new Set(['429', '503']);

interface Asked {
  exportErrors: ExportErrors | undefined;
  sync: 'enroll' | 'get' | 'post' | undefined;
  access: unknown;
  caller: 'node' | 'collector' | 'session' | 'directory' | undefined;
  alsoAnswers: readonly string[];
  changes: boolean;
  managed: boolean;
  writes: boolean;
  hasBody: boolean;
  hasPathPart: boolean;
}

function errorsOf(route: Asked): Record<string, object> {
  if (route.exportErrors !== undefined) return exportErrorsOf(route.exportErrors);
  const codes = ['400', '431', '503', ...route.alsoAnswers];
  if (route.hasPathPart) codes.push('404', '414');
  if (route.hasBody) codes.push('408', '413');
  // Document 1 has no 415: other media types than JSON are rejected with 400.
  if (route.hasBody && !route.managed) codes.push('415');
  if (route.sync !== undefined || route.access !== undefined) codes.push('401', '403', '429');
  if (route.access !== undefined) codes.push('404');
  if (route.writes && (route.sync !== undefined || route.access !== undefined)) codes.push('409');
  if (route.sync === 'get') codes.push('410');
  if (route.caller !== undefined) codes.push('401', '403');
  if (route.caller === 'node') codes.push('410', '429');
  if (route.caller === 'node' && route.writes) codes.push('408', '413');
  if (route.changes) codes.push('412', '428');
  if (route.managed) codes.push('401', '403', '404', '408', '409', '413', '429');
  if (route.caller === 'directory' && route.writes) codes.push('409', '412');
  return Object.fromEntries(
    [...new Set(codes)].sort().map((code) => {
      const description = MEANINGS[code] ?? '';
      if (route.caller === 'directory' && !UNREAD.has(code)) {
        const content = { [SCIM_TYPE]: { schema: ScimError } };
        return [code, { description, content: code === '503' ? withStarting(content) : content }];
      }
      const retry = route.managed && RETRIED.has(code);
      const headers = retry ? { headers: { 'Retry-After': RETRY_AFTER } } : {};
      return [code, { ...ErrorBody, description, ...headers }];
    }),
  );
}

/** The answer of a starting hub to each path, in the hub's own error schema. */
function withStarting(content: Record<string, { schema: TSchema }>) {
  const own = content['application/json']?.schema;
  const schema = own === undefined ? ErrorBody : Type.Union([own, ErrorBody]);
  return { ...content, 'application/json': { schema } };
}

/** Document 2, Errors: a line of NDJSON, or an object of the metrics view, with the codes of each status. */
function exportErrorsOf({ types, codes, jsonOnly }: ExportErrors): Record<string, object> {
  const all = [...codes, ...jsonOnly];
  // At the exports a stored cursor that is too old is a 400.
  const statusOf = (code: ErrorCode) => (code === 'cursor_expired' ? 400 : ERRORS[code].status);
  const statuses = [...new Set(all.map(statusOf))].sort();
  const answers = statuses.map((status) => {
    const own = all.filter((code) => statusOf(code) === status);
    const isJson = own.every((code) => jsonOnly.includes(code));
    const schema = Type.Object({
      type: Type.Literal('error'),
      error: Type.Object({ message: Type.String(), code: Type.Enum(own) }),
    });
    const sent = isJson ? ['application/json'] : types;
    const content = Object.fromEntries(sent.map((type) => [type, { schema }]));
    const description = MEANINGS[status] ?? '';
    return [status, { description, content: status === 503 ? withStarting(content) : content }];
  });
  const unread = { ...ErrorBody, description: MEANINGS[431] };
  return { ...Object.fromEntries(answers), 431: unread };
}
