// JSON-RPC as MCP uses it. A message is parsed once, and only what must change of it is changed.

import { isUtf8 } from 'node:buffer';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { HubError, toHubError } from '../../../platform/http/errors/errors.ts';
import { parseLossless } from '../../../platform/http/json/lossless-numbers.ts';
import { checkDepth, isObject } from '../../../platform/http/json/parse-json.ts';

export type RpcId = string | number;
export interface RpcMessage {
  jsonrpc: '2.0';
  id?: RpcId | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  upstream: -32000,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** Refused, with the JSON-RPC error that says so and the HTTP status around it. */
export class RpcError extends Error {
  readonly code: number;
  readonly status: number;
  readonly data: unknown;

  constructor(code: number, message: string, options: { status?: number; data?: unknown } = {}) {
    super(message);
    this.code = code;
    this.status = options.status ?? 200;
    this.data = options.data;
  }
}

/** Refused by what somebody decided, not by what went wrong. */
export class BlockedError extends RpcError {
  constructor(message: string, data?: unknown) {
    super(RPC.invalidParams, message, data === undefined ? {} : { data });
  }
}

export function errorMessage(id: RpcId | null, error: RpcError): RpcMessage {
  const { code, message, data } = error;
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

export const isRequest = (message: RpcMessage) =>
  message.method !== undefined && message.id != null;
export const isNotification = (message: RpcMessage) =>
  message.method !== undefined && message.id == null;

/** What is no RpcError yet, as one; of a failure of our own nothing is said but that it was. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const known = toHubError(error);
  const { status, message } = ERRORS[known.code];
  return status < 500
    ? new RpcError(RPC.invalidRequest, known.message, { status })
    : new RpcError(RPC.internal, message, { status });
}

/** Deeper than any arguments are; what would walk it later takes no depth that a body of this size can hold. */
const MAX_DEPTH = 200;

/** Throws SyntaxError, and HubError where it is nested too deep. */
export function parseMessageJson(text: string): unknown {
  // So many brackets have no room in less.
  if (text.length > 2 * MAX_DEPTH) checkDepth(text, MAX_DEPTH);
  return parseLossless(text);
}

/** Throws RpcError with 400: bad JSON, a batch, or what is no JSON-RPC message. */
export function parseMessage(body: Buffer): RpcMessage {
  let parsed: unknown;
  try {
    if (!isUtf8(body)) throw new SyntaxError('no UTF-8');
    parsed = parseMessageJson(body.toString());
  } catch (error) {
    const problem = error instanceof HubError ? error.message : "The body isn't JSON.";
    throw new RpcError(RPC.parse, problem, { status: 400 });
  }
  if (Array.isArray(parsed)) {
    throw new RpcError(
      RPC.invalidRequest,
      "Batches aren't supported. Send one message per request.",
      { status: 400 },
    );
  }
  if (!isRpcMessage(parsed)) {
    throw new RpcError(RPC.invalidRequest, "The body isn't a JSON-RPC message.", { status: 400 });
  }
  return parsed;
}

/** The id of a request is never null; only an error may say by it that it does not know its request's. */
export function isRpcMessage(value: unknown): value is RpcMessage {
  if (!isObject(value) || value.jsonrpc !== '2.0') return false;
  const { id, method, params } = value;
  if (!(id === undefined || id === null || isRpcId(id))) return false;
  if (params !== undefined && !isObject(params)) return false;
  if (method !== undefined) return typeof method === 'string' && id !== null;
  return isRpcErrorObject(value.error) || (isObject(value.result) && id !== null);
}

const isRpcErrorObject = (error: unknown) =>
  isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string';

/** A number that did not survive the reading would come back as another. */
const isRpcId = (id: unknown) =>
  typeof id === 'string' ||
  (Number.isFinite(id) && Math.abs(id as number) <= Number.MAX_SAFE_INTEGER);
