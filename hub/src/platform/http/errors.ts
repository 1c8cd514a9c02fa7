// The one typed error, and the one place where errors become answers.
// Below 500 a message says what is wrong and where; from 500 on it is fixed text, the cause stands only in the log.

import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type {
  FastifyError,
  FastifyReply,
  FastifyRequest,
  FastifySchemaValidationError,
} from 'fastify';
import { isDatabaseAway, isDatabaseFull, isDatabaseReadOnly } from '../db/database.ts';
import { seldom } from '../telemetry/seldom.ts';
import { ERRORS, type ErrorCode } from './error-list.ts';
import { pointerPart } from './pointer.ts';

/** The typed error that rules and routes throw. `detail` replaces the listed text and must hold no secret. */
export class HubError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | null;
  /** Of `operation_pending`: what to ask for. */
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

/** The error body, everywhere. */
export function errorBody(
  code: ErrorCode,
  message: string,
  requestId: string,
  operationId: string | null = null,
) {
  const operation = operationId === null ? {} : { operation_id: operationId };
  return { error: { code, message, ...operation }, request_id: requestId };
}

/** What is no failure of this process, although its status says 5xx. */
const EXPECTED: readonly ErrorCode[] = [
  'starting',
  'overloaded',
  'central_service_required',
  'operation_pending',
];

/** Fastify's error handler: every error of every route passes here. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = recordError(error, request, reply);
  const { status } = ERRORS[known.code];
  const message = status >= 500 ? ERRORS[known.code].message : known.message;
  void reply.code(status).send(errorBody(known.code, message, request.id, known.operationId));
}

/** While the database is away every request fails, and a line for each would fill the disk that may be full. */
const tellsAway = seldom(1_000);

/** What every answer to an error has, whatever its body is: its line in the log and its headers. */
export function recordError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): HubError {
  const known = asHubError(error);
  const { status } = ERRORS[known.code];
  if (status >= 500 && !EXPECTED.includes(known.code)) {
    const isAway = known.code.startsWith('database_');
    const level = isAway ? (tellsAway() ? 'warn' : 'debug') : 'error';
    request.log[level]({ err: error, code: known.code }, 'request failed');
  }
  reply.header('x-request-id', request.id).header('cache-control', 'no-store');
  if (known.retryAfterSeconds !== null) reply.header('retry-after', known.retryAfterSeconds);
  if (status === 413) {
    // Fastify's own, and the listener's: by them Node would end the connection with the answer.
    reply.removeHeader('connection');
    reply.raw.removeHeader('connection');
    letRestPass(request.raw);
  }
  return known;
}

const REST_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Takes what is still sent of a body that is too large, and keeps none of it: most clients read no answer before they
 * have sent everything, and where the connection ends under them they see that and not the 413. For how long is bounded
 * by the time that every request has.
 */
function letRestPass(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let passed = 0;
  request.on('data', (part: Buffer) => {
    passed += part.length;
    if (passed > REST_MAX_BYTES) request.destroy();
  });
  // Whoever stopped reading in the middle may have paused it.
  request.resume();
}

/** So long may the other end take the answer, and close in its turn. */
const LINGER_MS = 1_000;

/** What is no HTTP, or came too slowly or too large to be a request: answered on the socket itself, which then closes. */
export function sendBrokenRequestError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (earlyAnswers.get(socket)?.complete === false) {
    socket.destroy();
    return;
  }
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  if (isLeftToAnother(socket)) return;
  // Our end is closed with the answer; who leaves the other open would keep the connection for good. A reset would take
  // along what is on its way: where that is more than this answer, the kernel still sends it.
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
 * True where what is broken came behind a request whose answer is not out yet: ours would be read as that one's, or stand
 * within it. It goes out whole, if all of it is there or will be, and then the connection ends.
 */
function isLeftToAnother(socket: Socket): boolean {
  const { _httpMessage: answer } = socket as { _httpMessage?: ServerResponse | null };
  if (answer == null || answer.destroyed) return false;
  if (answer.writableEnded) socket.destroySoon();
  else if (answer.headersSent) socket.destroy();
  // Its own body is what is broken.
  else if (!answer.req.complete) return false;
  else answer.setHeader('connection', 'close');
  return true;
}

/**
 * Of a connection the request that was answered before its body had come: what goes wrong with the rest of that needs no
 * second answer. What comes behind it is another request.
 */
export const earlyAnswers = {
  get: (socket: Socket): IncomingMessage | null => (socket as Marked)[EARLY] ?? null,
  set(socket: Socket, request: IncomingMessage): void {
    (socket as Marked)[EARLY] = request;
  },
  delete(socket: Socket): void {
    if ((socket as Marked)[EARLY] != null) (socket as Marked)[EARLY] = null;
  },
};

/** On the socket itself: what a WeakMap holds, and what leads back to its own key, stays until the whole heap is looked through. */
const EARLY = Symbol('answered before its body had come');
type Marked = Socket & { [EARLY]?: IncomingMessage | null };

const BROKEN_REQUESTS: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** Which listed error an arbitrary one is. Unknown ones are `internal_error`. */
export function asHubError(error: unknown): HubError {
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
  // What the framework itself refuses below 500 is the client's fault, whatever its name.
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

/** What the request part of each kind is called in a pointer; the body is the root. */
const PLACES: Record<string, string> = {
  body: '',
  querystring: '/query',
  params: '/path',
  headers: '/header',
};

/** As the validator gives it with its schema and value; of a union, `schema` holds the alternatives. */
type Complaint = FastifySchemaValidationError & {
  parentSchema?: { description?: string };
  schema?: { properties?: { kind?: { const?: string } } }[];
  data?: { kind?: string };
};

function validationError(error: FastifyError): HubError {
  const found = likeliest((error.validation ?? []) as Complaint[]);
  const place = PLACES[error.validationContext ?? 'body'] ?? '';
  if (found === undefined) return new HubError('invalid_request', `${place || '/'} is not valid`);
  const own = found.params.missingProperty ?? found.params.additionalProperty;
  const name = typeof own === 'string' ? `/${pointerPart(own)}` : '';
  const pointer = `${place}${found.instancePath}${name}`;
  return new HubError('invalid_request', `${pointer === '' ? '/' : pointer} ${ruleOf(found)}`);
}

/** A union complains once for each alternative: those of the alternative whose `kind` was sent tell what is wrong. */
function likeliest(found: readonly Complaint[]): Complaint | undefined {
  const union = found.find(({ keyword }) => keyword === 'anyOf');
  const kinds = (union?.schema ?? []).map((one) => one.properties?.kind?.const);
  if (union === undefined || kinds.length === 0 || kinds.includes(undefined)) return deepest(found);
  const chosen = kinds.indexOf(union.data?.kind);
  if (chosen === -1) {
    const instancePath = `${union.instancePath}/kind`;
    return { ...union, keyword: 'enum', instancePath, params: { allowedValues: kinds } };
  }
  return deepest(
    found.filter((one) => one.schemaPath.startsWith(`${union.schemaPath}/${chosen}/`)),
  );
}

function deepest(found: readonly Complaint[]): Complaint | undefined {
  return [...found].sort((a, b) => b.instancePath.length - a.instancePath.length)[0];
}

function ruleOf({ keyword, message, params, parentSchema }: Complaint): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not a field of this request';
  // A pattern explains itself to nobody: its schema says in words what is wanted.
  if (keyword === 'pattern' || keyword === 'format') {
    return `must be ${parentSchema?.description ?? 'in the documented format'}`;
  }
  const allowed = params.allowedValues;
  return Array.isArray(allowed)
    ? `must be one of: ${allowed.join(', ')}`
    : (message ?? 'is not valid');
}
