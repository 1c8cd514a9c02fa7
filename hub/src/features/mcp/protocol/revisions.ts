// The revisions of MCP on the same URL: legacy (2025-11-25 and before, with `initialize` and sessions) and modern (2026-07-28,
// where each request carries its metadata). Requests and results are adapted to the revision of their receiver. Pure.

import { isSameNumber } from '@gatewarden/shared/json-numbers.ts';
import type {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
} from '@modelcontextprotocol/client';
import { copyDigits, exactDigits } from '../../../platform/http/json/lossless-numbers.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { RPC, RpcError, type RpcMessage } from './messages.ts';

export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';
/** All supported versions, newest first. Other lists of versions derive from this list. */
export const SUPPORTED: readonly string[] = [
  MODERN,
  LEGACY,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
];
export const LEGACY_VERSIONS = SUPPORTED.filter((version) => version !== MODERN);
export const META: {
  version: typeof PROTOCOL_VERSION_META_KEY;
  capabilities: typeof CLIENT_CAPABILITIES_META_KEY;
  client: typeof CLIENT_INFO_META_KEY;
  server: typeof SERVER_INFO_META_KEY;
  logLevel: typeof LOG_LEVEL_META_KEY;
} = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  client: 'io.modelcontextprotocol/clientInfo',
  server: 'io.modelcontextprotocol/serverInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
};
export type ProtocolRevision = 'modern' | 'legacy';

export interface McpHeaders {
  version: string | undefined;
  method: string | undefined;
  name: string | undefined;
}

/**
 * Returns the revision of a client's message. For `initialize` only the body counts, because the header repeats an earlier
 * negotiation. Throws RpcError if headers and body contradict each other.
 */
export function detectRevision(message: RpcMessage, headers: McpHeaders): ProtocolRevision {
  const meta = isObject(message.params?._meta) ? message.params._meta : {};
  const claimed = meta[META.version];
  const version = message.method === 'initialize' ? undefined : headers.version;
  const isModern =
    claimed !== undefined || version === MODERN || message.method === 'server/discover';
  if (!isModern) {
    if (version !== undefined && !LEGACY_VERSIONS.includes(version))
      throw unsupportedVersion(version);
    return 'legacy';
  }
  if (message.method === undefined || message.id == null) return 'modern';
  if (typeof claimed !== 'string') {
    throw new RpcError(RPC.invalidParams, `params._meta must hold ${META.version}.`, {
      status: 400,
    });
  }
  checkHeadersMatchBody(message, headers, claimed);
  if (claimed !== MODERN) throw unsupportedVersion(claimed);
  if (!isObject(meta[META.capabilities])) {
    throw new RpcError(RPC.invalidParams, `params._meta must hold ${META.capabilities}.`, {
      status: 400,
    });
  }
  rejectLongCapabilities(meta[META.capabilities] as object);
  return 'modern';
}

/** Limit, because capabilities are part of cache keys of sessions and lists. */
const CAPABILITIES_CHARS = 16 * 1024;

/** Throws RpcError for capabilities beyond the limit. */
export function rejectLongCapabilities(capabilities: object): void {
  if (JSON.stringify(capabilities).length <= CAPABILITIES_CHARS) return;
  throw new RpcError(
    RPC.invalidParams,
    `The client's capabilities are longer than ${CAPABILITIES_CHARS} characters.`,
    { status: 400 },
  );
}

/** Returns the capabilities and the log level in `_meta` of a modern request. */
export function readClientMeta(message: RpcMessage): {
  capabilities: Record<string, unknown>;
  logLevel: string | null;
} {
  const meta = isObject(message.params?._meta) ? message.params._meta : {};
  const capabilities = meta[META.capabilities];
  const level = meta[META.logLevel];
  return {
    capabilities: isObject(capabilities) ? capabilities : {},
    logLevel: typeof level === 'string' && level.length <= 20 ? level : null,
  };
}

const TASKS = 'io.modelcontextprotocol/tasks';

/**
 * Removes the capability for tasks, in the form of both revisions. A server could return a task, whose result no client could
 * fetch through the gateway and no guardrail would scan.
 */
export function withoutTaskCapability(
  capabilities: Record<string, unknown>,
): Record<string, unknown> {
  const { tasks, extensions } = capabilities;
  const isExtended = isObject(extensions) && TASKS in extensions;
  if (tasks === undefined && !isExtended) return capabilities;
  const { tasks: _tasks, ...rest } = capabilities;
  if (!isExtended) return rest;
  const { [TASKS]: _ours, ...others } = extensions;
  return { ...rest, extensions: others };
}

const NAMED: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

function checkHeadersMatchBody(message: RpcMessage, headers: McpHeaders, claimed: string): void {
  const mismatch = (words: string) =>
    new RpcError(RPC.headerMismatch, `Bad Request: ${words}`, { status: 400 });
  if (headers.version !== claimed) throw mismatch("MCP-Protocol-Version doesn't match the body.");
  if (headers.method !== message.method) throw mismatch("Mcp-Method doesn't match the body.");
  const field = NAMED[message.method ?? ''];
  const value = field === undefined ? undefined : message.params?.[field];
  if (typeof value === 'string' && decodeHeader(headers.name) !== value) {
    throw mismatch("Mcp-Name doesn't match the body.");
  }
}

/** Decodes a header of the form `=?base64?…?=`, which carries characters beyond ASCII. */
function decodeHeader(header: string | undefined): string | undefined {
  const found = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(header?.trim() ?? '');
  return found === null ? header?.trim() : Buffer.from(found[1] ?? '', 'base64').toString('utf8');
}

export function encodeHeader(value: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?')
    ? value
    : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

function unsupportedVersion(requested: string): RpcError {
  return new RpcError(
    RPC.unsupportedVersion,
    `Unsupported protocol version: ${requested.slice(0, 50)}`,
    {
      status: 400,
      data: { supported: SUPPORTED, requested: requested.slice(0, 50) },
    },
  );
}

/** Returns the version for the result of `initialize`. */
export function negotiateVersion(asked: string): string {
  return LEGACY_VERSIONS.includes(asked) ? asked : LEGACY;
}

const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
]);

/** Returns the result in the form of the client's revision. */
export function adaptResult(
  result: Record<string, unknown>,
  method: string,
  era: ProtocolRevision,
): Record<string, unknown> {
  if (era === 'modern') {
    return {
      resultType: 'complete',
      ...(CACHEABLE.has(method) ? { ttlMs: 0, cacheScope: 'private' } : {}),
      ...result,
    };
  }
  const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...rest } = result;
  // Modern structured content may be any value; a legacy client rejects a result whose content is no object.
  if ('structuredContent' in rest && !isObject(rest.structuredContent)) {
    const { structuredContent: _structured, ...others } = rest;
    return others;
  }
  return rest;
}

/** Adds the `_meta` members that a modern server requires. Members of the client stay. */
export function addRequestMeta(
  params: Record<string, unknown> | undefined,
  client: { name: string; version: string },
  capabilities: object,
  logLevel: string | null = null,
): Record<string, unknown> {
  const meta = isObject(params?._meta) ? params._meta : {};
  return {
    ...params,
    _meta: {
      [META.client]: client,
      ...(logLevel === null ? {} : { [META.logLevel]: logLevel }),
      ...meta,
      [META.capabilities]: capabilities,
      [META.version]: MODERN,
    },
  };
}

/** Removes the `_meta` members of the modern revision. */
export function stripRequestMeta(
  params: Record<string, unknown> | undefined,
): Record<string, unknown> | undefined {
  if (!isObject(params?._meta)) return params;
  const { _meta, ...rest } = params;
  const kept = Object.entries(_meta as object).filter(
    ([name]) => !name.startsWith('io.modelcontextprotocol/'),
  );
  if (kept.length === 0) return rest;
  return { ...rest, _meta: copyDigits(_meta as object, Object.fromEntries(kept)) };
}

const PROTOCOL: ReadonlySet<string> = new Set(Object.values(META));

/**
 * Splits `_meta` into members of the protocol and the client's own members; null: no own members. A progress token that is a
 * text counts as own content, because it can contain anything. If a guardrail redacts it, progress is not delivered.
 */
export function splitMeta(meta: unknown): {
  protocol: object;
  own: Record<string, unknown> | null;
} {
  if (!isObject(meta)) return { protocol: {}, own: null };
  const all = Object.entries(meta);
  const isProtocol = ([name, value]: [string, unknown]) =>
    (name === 'progressToken' && typeof value === 'number') || PROTOCOL.has(name);
  const own = all.filter((item) => !isProtocol(item));
  return {
    protocol: copyDigits(meta, Object.fromEntries(all.filter(isProtocol))),
    own: own.length === 0 ? null : copyDigits(meta, Object.fromEntries(own)),
  };
}

/** Methods that the modern revision removed. */
const REMOVED = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

/** Throws RpcError for a method that the modern revision removed. */
export function rejectRemovedMethod(method: string): void {
  if (!REMOVED.has(method)) return;
  throw new RpcError(RPC.methodNotFound, `Method not found: ${method}`, { status: 404 });
}

/** Returns the HTTP status of an error. The modern revision assigns a status to two error codes. */
export function httpStatusOf(error: { code: number } | undefined, era: ProtocolRevision): number {
  if (era === 'legacy') return 200;
  if (error?.code === RPC.methodNotFound) return 404;
  return error?.code === RPC.missingCapability ? 400 : 200;
}

const PARAM_HEADERS_MAX = 32;
const PARAM_HEADER_CHARS = 8_192;

/** Returns the requested CORS headers that repeat arguments: `mcp-param-` and a name from a tool's definition. */
export function paramHeaderNames(asked: string | undefined): string[] {
  const names = (asked ?? '').split(',').map((part) => part.trim().toLowerCase());
  const meant = names.filter((name) => /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/.test(name));
  return [...new Set(meant)].slice(0, PARAM_HEADERS_MAX);
}

/** Returns the headers that repeat arguments, or null. */
export function selectParamHeaders(
  headers: Record<string, unknown>,
): Record<string, string> | null {
  const found = Object.entries(headers).filter(
    (entry): entry is [string, string] =>
      entry[0].startsWith('mcp-param-') &&
      typeof entry[1] === 'string' &&
      entry[1].length <= PARAM_HEADER_CHARS,
  );
  if (found.length === 0) return null;
  return Object.fromEntries(found.slice(0, PARAM_HEADERS_MAX));
}

/** Throws RpcError for a header without an equal argument: guardrails scan arguments, but servers may read headers. */
export function rejectUnknownParamHeaders(headers: Record<string, string>, sent: unknown): void {
  const texts = Object.entries(headers).map(
    ([name, value]) => [name, decodeHeader(value) ?? ''] as const,
  );
  const repeated = findRepeatedTexts(new Set(texts.map(([, text]) => text)), sent);
  for (const [name, text] of texts) {
    if (repeated.has(text)) continue;
    throw new RpcError(RPC.headerMismatch, `Bad Request: ${name} is none of the arguments.`, {
      status: 400,
    });
  }
}

/** Returns the texts that occur in the arguments, as texts, numbers or booleans. Walks the arguments once. */
function findRepeatedTexts(texts: ReadonlySet<string>, sent: unknown): Set<string> {
  const search = new RepeatedTextSearch(texts);
  search.walk(sent);
  return search.repeated;
}

class RepeatedTextSearch {
  readonly repeated = new Set<string>();
  readonly #texts: ReadonlySet<string>;
  readonly #byNumber: Map<number, string[]>;
  readonly #byWord: Map<string, string[]>;

  constructor(texts: ReadonlySet<string>) {
    this.#texts = texts;
    const numeric = [...texts].filter((text) => text.trim() !== '');
    this.#byNumber = Map.groupBy(numeric, Number);
    this.#byWord = Map.groupBy(texts, (text) => text.toLowerCase());
  }

  walk(value: unknown): void {
    if (this.repeated.size === this.#texts.size) return;
    if (typeof value === 'string') this.#addText(value);
    else if (typeof value === 'boolean') this.#addAll(this.#byWord.get(String(value)));
    else if (typeof value === 'object' && value !== null) {
      this.#walkMembers(value as Record<string, unknown>);
    }
  }

  #walkMembers(members: Record<string, unknown>): void {
    for (const name of Object.keys(members)) {
      const member = members[name];
      if (typeof member === 'number') this.#addNumber(member, exactDigits(members, name, member));
      else this.walk(member);
    }
  }

  /** HTTP removes white space around a value. */
  #addText(value: string): void {
    this.#addAll([value, value.trim()].filter((text) => this.#texts.has(text)));
  }

  #addNumber(value: number, digits: string): void {
    this.#addAll(this.#byNumber.get(value)?.filter((text) => isSameNumber(text, digits)));
  }

  #addAll(texts: readonly string[] = []): void {
    for (const text of texts) this.repeated.add(text);
  }
}

export function upstreamHeaders(
  method: string,
  params: Record<string, unknown>,
): Record<string, string> {
  const field = NAMED[method];
  const name = field === undefined ? undefined : params[field];
  return {
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': encodeHeader(name) } : {}),
  };
}
