// The one list of error codes, the one typed error, and the one place where errors become answers.
// Below 500 a message says what is wrong and where; from 500 on it is fixed text, the cause stands only in the log.

import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type {
  FastifyError,
  FastifyReply,
  FastifyRequest,
  FastifySchemaValidationError,
} from 'fastify';
import { isDatabaseAway } from '../db/database.ts';
import { pointerPart } from './pointer.ts';

export const ERRORS = {
  // 400
  invalid_request: { status: 400, message: '/ is not a valid request.' },
  invalid_json: { status: 400, message: '/ is not valid JSON.' },
  invalid_gzip: { status: 400, message: '/ is not valid gzip.' },
  invalid_cursor: { status: 400, message: '/query/cursor is not one of this list.' },
  invalid_tenant_id: { status: 400, message: '/header/x-tenant-id must be a UUID.' },
  invalid_subscriber_id: {
    status: 400,
    message: '/header/x-subscriber-id must be 1-128 printable ASCII characters.',
  },
  invalid_device_id: {
    status: 400,
    message: '/header/x-device-id must be the UUID of the device.',
  },
  invalid_if_match: { status: 400, message: '/header/if-match must be a list of quoted ETags.' },
  url_not_allowed: { status: 400, message: '/url may not be called by the hub.' },
  invalid_view: { status: 400, message: '/query/view must be logs or metrics.' },
  before_retention: { status: 400, message: 'The window begins or ends before what is kept.' },
  batch_too_large: { status: 400, message: 'A batch holds at most 50 items.' },
  // 401
  invalid_management_key: {
    status: 401,
    message: 'The management key is missing, unknown, expired or revoked.',
  },
  invalid_agent_token: {
    status: 401,
    message: 'The agent token is missing, unknown or no longer valid.',
  },
  invalid_node_token: {
    status: 401,
    message: 'The node token is missing, unknown, expired or revoked.',
  },
  invalid_log_export_key: {
    status: 401,
    message: 'X-Gw-Log-Export-Key is missing, malformed or unknown.',
  },
  unauthenticated: { status: 401, message: 'Sign in, or send a valid bearer token.' },
  invalid_token: { status: 401, message: 'The bearer token is not valid.' },
  // 403
  insufficient_scope: { status: 403, message: 'The key lacks a scope that this needs.' },
  management_disabled_for_tenant: {
    status: 403,
    message: 'The management API is not enabled for this tenant.',
  },
  tenant_mismatch: { status: 403, message: 'X-Tenant-ID is not the tenant of the token.' },
  device_token_required: { status: 403, message: 'This device must use its own device token.' },
  enrol_only_token: { status: 403, message: 'This token only enrols devices.' },
  device_retired: { status: 403, message: 'An administrator retired this device.' },
  subscriber_mismatch: { status: 403, message: 'This device belongs to another subscriber.' },
  log_export_key_inactive: {
    status: 403,
    message: 'The log-export key is revoked or expired, or what it belongs to is not active.',
  },
  wrong_log_export_key: {
    status: 403,
    message: 'The log-export key is of the other endpoint.',
  },
  forbidden: { status: 403, message: 'Your role does not allow this.' },
  csrf_required: { status: 403, message: 'X-CSRF-Token is missing or not of this session.' },
  // 404 to 428
  not_found: { status: 404, message: 'There is nothing here.' },
  approval_decided: {
    status: 409,
    message: 'It was decided already, or waits no more.',
  },
  already_exists: { status: 409, message: 'It exists already.' },
  ambiguous_app_name: {
    status: 409,
    message: 'Several apps have this name: an operator must tell them apart.',
  },
  collection_changed: {
    status: 409,
    message: 'The list changed meanwhile: start again without a cursor.',
  },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was used with another request.',
  },
  idempotency_key_expired: {
    status: 409,
    message: 'This Idempotency-Key was used more than 24 hours ago: use a new one.',
  },
  not_a_legacy_app: {
    status: 409,
    message: 'Only an app with providers of its own can be converted.',
  },
  legacy_app: {
    status: 409,
    message: 'This app has providers of its own: convert it first.',
  },
  operation_superseded: {
    status: 409,
    message: 'The app was changed since: what this operation meant to do is not done any more.',
  },
  operation_not_recoverable: {
    status: 409,
    message: 'Nothing of this operation is kept: repeat the original request.',
  },
  policy_dependency: {
    status: 409,
    message: 'Policy authority is enabled: providers cannot be taken away.',
  },
  provider_dependency: {
    status: 409,
    message: 'The state of the provider, or what refers to it, does not allow this.',
  },
  rollback_conflict: {
    status: 409,
    message: 'That version does not fit what is there and allowed now.',
  },
  terminal_key_state: {
    status: 409,
    message: 'The key is expired or revoked: it cannot be changed.',
  },
  embedded_accounts: {
    status: 409,
    message: 'People of the embedded login provider are added at the command line.',
  },
  last_administrator: {
    status: 409,
    message: 'This is the last administrator: make somebody else one first.',
  },
  already_delivered: { status: 409, message: 'It is delivered: it is not sent again.' },
  mail_not_configured: {
    status: 409,
    message: 'The hub has no mail server: its operator sets HUB_SMTP_URL and HUB_MAIL_FROM.',
  },
  group_by_rule: { status: 409, message: 'The rule of this group says who is in it.' },
  group_in_use: { status: 409, message: 'Decisions hold for this device group.' },
  default_policy: {
    status: 409,
    message: 'This stands for a default policy: change it there.',
  },
  drift_hold: {
    status: 409,
    message: 'The hub holds what drifted: review the application, or change what counts meanwhile.',
  },
  rollout_conflict: { status: 409, message: 'The state of the rollout does not allow this.' },
  request_timeout: { status: 408, message: 'The request did not arrive in time.' },
  batch_id_reused: { status: 409, message: 'This batch_id was used with another body.' },
  cursor_expired: {
    status: 410,
    message: 'The cursor is no longer valid: start again without one.',
  },
  precondition_failed: { status: 412, message: 'It was changed meanwhile: read it again.' },
  body_too_large: {
    status: 413,
    message: 'The body is larger than 1 MiB as sent or 4 MiB inflated.',
  },
  uri_too_long: { status: 414, message: 'The path is too long.' },
  gzip_required: { status: 415, message: 'Content-Encoding must be gzip.' },
  unsupported_media_type: {
    status: 415,
    message: 'The Content-Type of the body must be application/json.',
  },
  precondition_required: { status: 428, message: 'If-Match is required.' },
  too_many_requests: { status: 429, message: 'Too many requests: wait as Retry-After says.' },
  headers_too_large: { status: 431, message: 'The headers are too large.' },
  // 500 and more
  internal_error: {
    status: 500,
    message: 'Something went wrong here. It is in the log by its request id.',
  },
  metrics_failed: {
    status: 500,
    message: 'The metrics could not be made: try again, with a smaller window where it goes on.',
  },
  central_service_required: {
    status: 503,
    message: 'This is not the central service: management requests go there.',
  },
  operation_pending: {
    status: 503,
    message: 'The outcome is not known yet: ask for the operation, or repeat the request later.',
  },
  database_unavailable: {
    status: 503,
    message: 'The database is not available: try again shortly.',
  },
  mcp_server_unavailable: { status: 409, message: 'The MCP server gives no list of its tools.' },
  mcp_login_unavailable: {
    status: 409,
    message: 'The MCP server cannot be connected: its login is not what it has to be.',
  },
  mcp_server_silent: {
    status: 503,
    message: 'The MCP server does not say who lets people in: try again shortly.',
  },
  login_provider_unavailable: {
    status: 503,
    message: 'The login provider does not give its keys: try again shortly.',
  },
  overloaded: { status: 503, message: 'Too much at once: try again shortly.' },
  starting: { status: 503, message: 'The hub is starting: try again shortly.' },
  console_not_built: {
    status: 503,
    message: 'The console is not built: run "npm run prepare".',
  },
} as const satisfies Record<string, { status: number; message: string }>;
export type ErrorCode = keyof typeof ERRORS;

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
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = noteError(error, request, reply);
  const { status } = ERRORS[known.code];
  const message = status >= 500 ? ERRORS[known.code].message : known.message;
  void reply.code(status).send(errorBody(known.code, message, request.id, known.operationId));
}

/** What every answer to an error has, whatever its body is: its line in the log and its headers. */
export function noteError(error: unknown, request: FastifyRequest, reply: FastifyReply): HubError {
  const known = asHubError(error);
  const { status } = ERRORS[known.code];
  if (status >= 500 && !EXPECTED.includes(known.code)) {
    const level = known.code === 'database_unavailable' ? 'warn' : 'error';
    request.log[level]({ err: error, code: known.code }, 'request failed');
  }
  reply.header('x-request-id', request.id).header('cache-control', 'no-store');
  if (known.retryAfterSeconds !== null) reply.header('retry-after', known.retryAfterSeconds);
  if (status === 413) reply.header('connection', 'close');
  return known;
}

/** What is no HTTP, or came too slowly or too large to be a request: answered on the socket itself, which then closes. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (earlyAnswers.get(socket)?.complete === false) {
    socket.destroy();
    return;
  }
  if (error.code === 'ECONNRESET' || !socket.writable) return;
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
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/**
 * Of a connection the request that was answered before its body had come: what goes wrong with the rest of that needs no
 * second answer. What comes behind it is another request.
 */
export const earlyAnswers = new WeakMap<Socket, IncomingMessage>();

const BROKEN_REQUESTS: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
};

/** Which listed error an arbitrary one is. Unknown ones are `internal_error`. */
export function asHubError(error: unknown): HubError {
  if (error instanceof HubError) return error;
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
    return `must be ${parentSchema?.description ?? 'of the form that the documentation gives'}`;
  }
  const allowed = params.allowedValues;
  return Array.isArray(allowed)
    ? `must be one of: ${allowed.join(', ')}`
    : (message ?? 'is not valid');
}
