// JSON-RPC messages of MCP. A message is parsed once, and only the members that must change are changed. The SDK gives the
// types; its parsers would change digits of numbers and remove unknown members.
import { isUtf8 } from 'node:buffer';
import type { JSONRPCErrorResponse, JSONRPCRequest, RequestId } from '@modelcontextprotocol/client';
import { ERRORS } from '../../../platform/http/errors/error-list.ts';
import { HubError, toHubError } from '../../../platform/http/errors/errors.ts';
import { parseLossless } from '../../../platform/http/json/lossless-numbers.ts';
import { checkDepth, isObject } from '../../../platform/http/json/parse-json.ts';

/** A message before its kind is known: the members of all kinds. Parameters and results are not validated. */
export interface RpcMessage
  extends Pick<JSONRPCRequest, 'jsonrpc'>,
    Partial<Pick<JSONRPCRequest, 'method'>> {
  /** Null: the error of a request whose id could not be read (JSON-RPC 2.0 §5). */
  id?: RequestId | null;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: JSONRPCErrorResponse['error'];
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

/** A JSON-RPC error with its HTTP status. */
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

/** A request that a policy or a guardrail refuses. */
export class BlockedError extends RpcError {
  constructor(message: string, data?: unknown) {
    super(RPC.invalidParams, message, data === undefined ? {} : { data });
  }
}

export function errorMessage(id: RequestId | null, error: RpcError): RpcMessage {
  const { code, message, data } = error;
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

export const isRequest = (message: RpcMessage) =>
  message.method !== undefined && message.id != null;
export const isNotification = (message: RpcMessage) =>
  message.method !== undefined && message.id == null;

/** Converts an error to an RpcError. An internal error keeps its details from the client. */
export function toRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error;
  const known = toHubError(error);
  const { status, message } = ERRORS[known.code];
  return status < 500
    ? new RpcError(RPC.invalidRequest, known.message, { status })
    : new RpcError(RPC.internal, message, { status });
}

/** Depth limit of a message, so that recursive functions do not overflow the stack. */
const MAX_DEPTH = 200;

/** Throws SyntaxError, and HubError where it is nested too deep. */
export function parseMessageJson(text: string): unknown {
  // A shorter text cannot contain so many brackets.
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

/** Returns whether a value is a JSON-RPC message. Only an error response may have the id null. */
export function isRpcMessage(value: unknown): value is RpcMessage {
  if (!isObject(value) || value.jsonrpc !== '2.0') return false;
  const { id, method, params } = value;
  if (!(id === undefined || id === null || isRequestId(id))) return false;
  if (params !== undefined && !isObject(params)) return false;
  if (method !== undefined) return typeof method === 'string' && id !== null;
  return isRpcErrorObject(value.error) || (isObject(value.result) && id !== null);
}

const isRpcErrorObject = (error: unknown) =>
  isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string';

/** A number beyond the safe integers would change on the way back. */
const isRequestId = (id: unknown) =>
  typeof id === 'string' ||
  (Number.isFinite(id) && Math.abs(id as number) <= Number.MAX_SAFE_INTEGER);
