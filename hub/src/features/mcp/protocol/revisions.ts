// The two revisions of MCP that are served on one URL: 2025-11-25 and before, with `initialize` and sessions, and
// 2026-07-28, where each request says what it is. Results are made to fit whoever reads them. Pure.
import { isSameNumber } from '@gatewarden/shared/json-numbers.ts';
import { copyDigits, exactDigits } from '../../../platform/http/json/lossless-numbers.ts';
import { isObject } from '../../../platform/http/json/parse-json.ts';
import { RPC, RpcError, type RpcMessage } from './messages.ts';

export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';
/** Every revision that an MCP URL serves, newest first: each list of versions is this one, or a part of it. */
export const SUPPORTED: readonly string[] = [
  MODERN,
  LEGACY,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
];
export const LEGACY_VERSIONS = SUPPORTED.filter((version) => version !== MODERN);
export const META = {
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
 * Which revision a client's message is of. Of `initialize` the body alone decides, for the header can only repeat what was
 * agreed on before. Throws RpcError where headers and body contradict each other.
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

/** By them sessions with servers and lists are told apart, and remembered: each is kept many times. */
const CAPABILITIES_CHARS = 16 * 1024;

/** Throws RpcError where a client says more of itself than any has to say. */
export function rejectLongCapabilities(capabilities: object): void {
  if (JSON.stringify(capabilities).length <= CAPABILITIES_CHARS) return;
  throw new RpcError(
    RPC.invalidParams,
    `The client's capabilities are longer than ${CAPABILITIES_CHARS} characters.`,
    { status: 400 },
  );
}

/** What a request of the newest revision says of its client; empty where it says nothing. */
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
 * A server that is told of tasks may answer with one, whose result no client could fetch here and no rule would see. So
 * none hears of them, neither as the older revision says it nor as the extension of the newest.
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

/** A header that plain letters cannot carry comes as `=?base64?…?=`. */
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

/** The version that `initialize` settles on. */
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

/** A result as a client of this revision expects it. */
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
  // Of the newest revision it may be a list, or a word: its clients before read nothing of such a result.
  if ('structuredContent' in rest && !isObject(rest.structuredContent)) {
    const { structuredContent: _structured, ...others } = rest;
    return others;
  }
  return rest;
}

/** Parameters as an upstream of the newest revision expects them; what a client said of itself goes along. */
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

/** The same without what only the newest revision knows. */
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
 * What the protocol says beside a request, and what the client adds of its own: null where it adds nothing. A progress
 * token that is text is the client's own: where it had to be cut, no progress finds its way back.
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

/** What the newest revision knows no more. */
const REMOVED = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);

/** Throws RpcError where the newest revision has no such method. */
export function rejectRemovedMethod(method: string): void {
  if (!REMOVED.has(method)) return;
  throw new RpcError(RPC.methodNotFound, `Method not found: ${method}`, { status: 404 });
}

/** The HTTP status around an error: of the newest revision two codes have their own. */
export function httpStatusOf(error: { code: number } | undefined, era: ProtocolRevision): number {
  if (era === 'legacy') return 200;
  if (error?.code === RPC.methodNotFound) return 404;
  return error?.code === RPC.missingCapability ? 400 : 200;
}

const PARAM_HEADERS_MAX = 32;
const PARAM_HEADER_CHARS = 8_192;

/** Of the headers that a web page asks to send, those that repeat arguments: whatever a tool's definition calls them. */
export function paramHeaderNames(asked: string | undefined): string[] {
  const names = (asked ?? '').split(',').map((part) => part.trim().toLowerCase());
  const meant = names.filter((name) => /^mcp-param-[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/.test(name));
  return [...new Set(meant)].slice(0, PARAM_HEADERS_MAX);
}

/** Arguments that the client repeats as headers, as the server's definition of the tool wants it. */
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

/** Throws RpcError where one says what no argument does: rules look at arguments, and servers may go by headers. */
export function rejectUnknownParamHeaders(headers: Record<string, string>, sent: unknown): void {
  const texts = Object.entries(headers).map(
    ([name, value]) => [name, decodeHeader(value) ?? ''] as const,
  );
  const said = findRepeatedTexts(new Set(texts.map(([, text]) => text)), sent);
  for (const [name, text] of texts) {
    if (said.has(text)) continue;
    throw new RpcError(RPC.headerMismatch, `Bad Request: ${name} is none of the arguments.`, {
      status: 400,
    });
  }
}

/** Which of the texts stand in the arguments, as texts, numbers or truths. One walk: these may be megabytes. */
function findRepeatedTexts(texts: ReadonlySet<string>, sent: unknown): Set<string> {
  const said = new Set<string>();
  const byNumber = Map.groupBy(
    [...texts].filter((text) => text.trim() !== ''),
    Number,
  );
  const byWord = Map.groupBy(texts, (text) => text.toLowerCase());
  const look = (value: unknown, digits = ''): void => {
    if (said.size === texts.size) return;
    if (typeof value === 'object' && value !== null) {
      const members = value as Record<string, unknown>;
      for (const name of Object.keys(members)) {
        const inner = members[name];
        look(inner, typeof inner === 'number' ? exactDigits(members, name, inner) : '');
      }
    } else if (typeof value === 'string') {
      // HTTP takes away what stands around a value.
      for (const item of [value, value.trim()]) if (texts.has(item)) said.add(item);
    } else if (typeof value === 'number') {
      for (const text of byNumber.get(value) ?? []) if (isSameNumber(text, digits)) said.add(text);
    } else if (typeof value === 'boolean') {
      for (const text of byWord.get(String(value)) ?? []) said.add(text);
    }
  };
  look(sent);
  return said;
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
