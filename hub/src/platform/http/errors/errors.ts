// Errors of the hub: the typed error that features throw, and its conversion to a response.
// Main types: `HubError`; error-list.ts has the codes, error-help.ts their causes and cures.
// Invariants: below 500 the message names the fault and its location; from 500 on it is a fixed text, and the cause is
// only logged. Every other error becomes a listed error here. Depends on db (its failure states) and Fastify.
// Start reading at `sendError`.

import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type {
  FastifyError,
  FastifyReply,
  FastifyRequest,
  FastifySchemaValidationError,
} from 'fastify';
import { isDatabaseAway, isDatabaseFull, isDatabaseReadOnly } from '../../db/database.ts';
import { createThrottle } from '../../telemetry/throttle.ts';
import { pointerPart } from '../json/json-pointer.ts';
import { ERRORS, type ErrorCode } from './error-list.ts';

/** The typed error that rules and routes throw. `detail` replaces the listed text and must not contain a secret. */
export class HubError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | null;
  /** The operation to query after `operation_pending`. */
  readonly operationId: string | null;

  constructor(
    code: ErrorCode,
    detail?: string,
    options?: { retryAfterSeconds?: number; operationId?: string },
  ) {
    super(detail ?? ERRORS[code].message);
    this.code = code;
    this.operationId = options?.operationId ?? null;
    const { status } = ERRORS[code];
    const fallback = status === 503 || status === 429 ? 1 : null;
    this.retryAfterSeconds = options?.retryAfterSeconds ?? fallback;
  }
}

/** Returns the body of every error response. */
export function errorBody(
  code: ErrorCode,
  message: string,
  requestId: string,
  operationId: string | null = null,
) {
  const operation = operationId === null ? {} : { operation_id: operationId };
  return { error: { code, message, ...operation }, request_id: requestId };
}

/** Codes with a 5xx status that are no failure of this process. They are not logged. */
const EXPECTED: readonly ErrorCode[] = [
  'starting',
  'overloaded',
  'central_service_required',
  'operation_pending',
];

/** Sends an error of any route: Fastify's error handler. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { code, message: detail, operationId } = recordError(error, request, reply);
  const { status } = ERRORS[code];
  const message = status >= 500 ? ERRORS[code].message : detail;
  void reply.code(status).send(errorBody(code, message, request.id, operationId));
}

/** While the database is unavailable every request fails. A line for each would fill a disk that may already be full. */
const mayLogDatabaseError = createThrottle(1_000);

function logLevelOf(code: ErrorCode): 'error' | 'warn' | 'debug' {
  if (code.startsWith('database_')) return mayLogDatabaseError() ? 'warn' : 'debug';
  // The hub works without its documentation.
  return code === 'docs_not_built' ? 'warn' : 'error';
}

/** Logs an error and sets the headers of its response, whatever body it gets. Returns the listed error. */
export function recordError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): HubError {
  const hubError = toHubError(error);
  const { code, retryAfterSeconds } = hubError;
  const { status } = ERRORS[code];
  if (status >= 500 && !EXPECTED.includes(code)) {
    request.log[logLevelOf(code)]({ err: error, code }, 'request failed');
  }
  reply.header('x-request-id', request.id).header('cache-control', 'no-store');
  if (retryAfterSeconds !== null) reply.header('retry-after', retryAfterSeconds);
  if (status === 413) {
    // Fastify and the listener may have set `Connection: close`; Node would then end the connection with the response.
    reply.removeHeader('connection');
    reply.raw.removeHeader('connection');
    discardRemainingBody(request.raw);
  }
  return hubError;
}

const DISCARD_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Receives and discards the rest of a body that is too large. Most clients read no response before they have sent the
 * whole body; if the connection ended earlier, they would report a reset instead of the 413. The request timeout bounds
 * the duration.
 */
function discardRemainingBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let discarded = 0;
  request.on('data', (part: Buffer) => {
    discarded += part.length;
    if (discarded > DISCARD_MAX_BYTES) request.destroy();
  });
  // The handler that stopped reading may have paused the stream.
  request.resume();
}

/** Time for the client to read the response and close its end. */
const LINGER_MS = 1_000;

/** Answers input that is no valid HTTP request, or too slow or too large for it, on the socket, and closes the socket. */
export function sendBrokenRequestError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (earlyResponses.get(socket)?.complete === false) {
    socket.destroy();
    return;
  }
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  if (deferToResponseInFlight(socket)) return;
  // The server closes its end with the response. A client that leaves its own end open would keep the connection forever.
  // A reset discards unsent bytes, so it is used only if this response is all that was written.
  const wasAnswered = socket.bytesWritten > 0;
  const cut = () => (wasAnswered ? socket.destroy() : socket.resetAndDestroy());
  setTimeout(cut, LINGER_MS).unref();
  const code = BROKEN_REQUESTS[error.code ?? ''] ?? 'invalid_request';
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(code, ERRORS[code].message, requestId));
  socket.end(
    [
      `HTTP/1.1 ${ERRORS[code].status} ${STATUS_CODES[ERRORS[code].status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-ID: ${requestId}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/**
 * Returns true if the broken input follows a request whose response is not sent yet. An error response would be read as
 * that response, or as a part of it. The earlier response is completed if possible, and then the connection ends.
 */
function deferToResponseInFlight(socket: Socket): boolean {
  const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse | null };
  if (response == null || response.destroyed) return false;
  if (response.writableEnded) socket.destroySoon();
  else if (response.headersSent) socket.destroy();
  // The broken input is the body of this request.
  else if (!response.req.complete) return false;
  else response.setHeader('connection', 'close');
  return true;
}

/**
 * Remembers, for a connection, the request that was answered before its body had arrived. An error in the rest of that
 * body needs no second response. Input behind the body is the next request.
 */
export const earlyResponses = {
  get: (socket: Socket): IncomingMessage | null => (socket as Marked)[EARLY] ?? null,
  set(socket: Socket, request: IncomingMessage): void {
    (socket as Marked)[EARLY] = request;
  },
  delete(socket: Socket): void {
    if ((socket as Marked)[EARLY] != null) (socket as Marked)[EARLY] = null;
  },
};

/** The request is stored on the socket. A WeakMap entry whose value refers to its key survives minor garbage collections. */
const EARLY = Symbol('answered before its body had arrived');
type Marked = Socket & { [EARLY]?: IncomingMessage | null };

const BROKEN_REQUESTS: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** Converts any error to a listed error; `internal_error` if its kind is unknown. */
export function toHubError(error: unknown): HubError {
  if (error instanceof HubError) return error;
  if (isDatabaseFull(error)) {
    return new HubError('database_full', undefined, { retryAfterSeconds: 10 });
  }
  if (isDatabaseReadOnly(error)) {
    return new HubError('database_unavailable', undefined, { retryAfterSeconds: 10 });
  }
  if (isDatabaseAway(error)) return new HubError('database_unavailable');
  const fastify = error as Partial<FastifyError>;
  if (fastify.validation !== undefined) return validationError(fastify as FastifyError);
  const mapped = FASTIFY_CODES[fastify.code ?? ''];
  if (mapped !== undefined) return new HubError(mapped);
  // A framework error below 500 is the client's fault, whatever its code.
  if ((fastify.statusCode ?? 500) < 500) return new HubError('invalid_request');
  return new HubError('internal_error');
}

const FASTIFY_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
  FST_ERR_NOT_FOUND: 'not_found',
};

/** Names a part of the request in a pointer. The body is the root. */
const LOCATIONS: Record<string, string> = {
  body: '',
  querystring: '/query',
  params: '/path',
  headers: '/header',
};

/** An error of the validator with its schema and value. For a union, `schema` contains the alternatives. */
type Violation = FastifySchemaValidationError & {
  parentSchema?: { description?: string };
  schema?: { properties?: { kind?: { const?: string } } }[];
  data?: { kind?: string };
};

function validationError(error: FastifyError): HubError {
  const violation = selectViolation((error.validation ?? []) as Violation[]);
  const location = LOCATIONS[error.validationContext ?? 'body'] ?? '';
  if (violation === undefined) {
    return new HubError('invalid_request', `${location || '/'} is not valid`);
  }
  const { params, instancePath } = violation;
  const property = params.missingProperty ?? params.additionalProperty;
  const name = typeof property === 'string' ? `/${pointerPart(property)}` : '';
  const pointer = `${location}${instancePath}${name}`;
  const expected = describeExpectation(violation);
  return new HubError('invalid_request', `${pointer === '' ? '/' : pointer} ${expected}`);
}

/** Selects the violation to report. A union has violations of every alternative; only that of the sent `kind` matters. */
function selectViolation(violations: readonly Violation[]): Violation | undefined {
  const union = violations.find(({ keyword }) => keyword === 'anyOf');
  const kinds = (union?.schema ?? []).map(({ properties }) => properties?.kind?.const);
  if (union === undefined || kinds.length === 0 || kinds.includes(undefined)) {
    return deepest(violations);
  }
  const chosen = kinds.indexOf(union.data?.kind);
  if (chosen === -1) {
    const instancePath = `${union.instancePath}/kind`;
    return { ...union, keyword: 'enum', instancePath, params: { allowedValues: kinds } };
  }
  return deepest(
    violations.filter(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/${chosen}/`)),
  );
}

function deepest(violations: readonly Violation[]): Violation | undefined {
  return [...violations].sort((a, b) => b.instancePath.length - a.instancePath.length)[0];
}

function describeExpectation({ keyword, message, params, parentSchema }: Violation): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not a field of this request';
  // A pattern is hard to read, so the schema's description is reported.
  if (keyword === 'pattern' || keyword === 'format') {
    return `must be ${parentSchema?.description ?? 'in the documented format'}`;
  }
  const allowed = params.allowedValues;
  return Array.isArray(allowed)
    ? `must be one of: ${allowed.join(', ')}`
    : (message ?? 'is not valid');
}
