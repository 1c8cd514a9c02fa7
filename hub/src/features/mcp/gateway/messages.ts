// JSON-RPC as MCP uses it. A message is parsed once, and only what must change of it is changed.

import { isObject } from '../../../platform/http/json.ts';

export type Id = string | number;
export interface Rpc {
  jsonrpc: '2.0';
  id?: Id | null;
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
export class Blocked extends RpcError {
  constructor(message: string, data?: unknown) {
    super(RPC.invalidParams, message, data === undefined ? {} : { data });
  }
}

export function errorMessage(id: Id | null, error: RpcError): Rpc {
  const { code, message, data } = error;
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

export const isRequest = (message: Rpc) => message.method !== undefined && message.id != null;
export const isNotification = (message: Rpc) => message.method !== undefined && message.id == null;

/** Throws RpcError with 400: bad JSON, a batch, or what is no JSON-RPC message. */
export function messageOf(body: Buffer | string): Rpc {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch {
    throw new RpcError(RPC.parse, 'The body is no JSON.', { status: 400 });
  }
  if (Array.isArray(parsed)) {
    throw new RpcError(RPC.invalidRequest, 'Batches are not taken.', { status: 400 });
  }
  if (!isMessage(parsed)) {
    throw new RpcError(RPC.invalidRequest, 'The body is no JSON-RPC message.', { status: 400 });
  }
  return parsed;
}

export function isMessage(value: unknown): value is Rpc {
  if (!isObject(value) || value.jsonrpc !== '2.0') return false;
  const { id, method, params } = value;
  const isId = id === undefined || id === null || typeof id === 'string' || Number.isFinite(id);
  if (!isId || (params !== undefined && !isObject(params))) return false;
  if (method !== undefined) return typeof method === 'string';
  return isObject(value.result) || isObject(value.error);
}
