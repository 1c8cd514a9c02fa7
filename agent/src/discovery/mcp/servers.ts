// MCP servers in a parsed configuration, whatever its client calls the fields. Pure; what is no server is left out.
import type { McpTransport } from '@gatewarden/shared/wire/vocabulary.ts';
import { redactText } from '../redaction/argument-redaction.ts';
import { splitCommand, splitWords } from './command-line.ts';
import type { ServerDefinition } from './launch.ts';

export interface DeclaredServer extends ServerDefinition {
  /** Name that the user gave the server. */
  name: string;
  /** Names only: the values are never looked at. */
  environment: string[];
  headers: string[];
  disabled: boolean;
  transport: McpTransport;
  /**
   * Location: the container's path in the document, and the server's name or index in it (null: it is the container).
   */
  container: readonly string[];
  member: string | number | null;
}

/** Bound of servers in a place; another server is read, so that the excess is noticed. */
export const MAX_SERVERS = 500;
const MAX_NAMES = 64;
const COMMAND_FIELDS = ['command', 'cmd'];
const URL_FIELDS = ['url', 'serverUrl', 'uri', 'httpUrl', 'endpoint', 'baseUrl'];
const TYPE_FIELDS = ['type', 'transportType', 'transport_type', 'transport'];
const FOLDER_FIELDS = ['cwd', 'workingDirectory', 'working_directory', 'workdir'];
const NO_COMMAND: { command: string | null; args: string[] } = { command: null, args: [] };
const ENVIRONMENT_FIELDS = ['env', 'envs', 'environment', 'env_keys', 'env_vars'];
const HEADER_FIELDS = ['headers', 'http_headers', 'env_http_headers', 'requestInit'];
/** Fields of a server without a name around it, which are no servers themselves. */
const OWN_FIELDS = new Set([...ENVIRONMENT_FIELDS, ...HEADER_FIELDS, 'transport']);

type Fields = Record<string, unknown>;

/** How a transport is called that leads elsewhere: a command beside it is not what counts. */
const REMOTE = /^(https?|sse|wss?|websocket|remote|streamable[-_]?http)$/i;

/**
 * Returns the servers below all existing keys; `.` is the document itself, where no key exists. `within`: path of the
 * document in its file.
 */
export function serversIn(
  document: unknown,
  keys: readonly string[],
  within: readonly string[] = [],
): DeclaredServer[] {
  if (!isFields(document)) return [];
  const named = keys.filter((key) => key !== '.').flatMap((key) => pathsTo(document, key));
  const paths = named.length === 0 && keys.includes('.') ? [[]] : named;
  return paths.flatMap((path) =>
    serversAt(path.reduce<unknown>(step, document), [...within, ...path]),
  );
}

/** Reads `a.b` as a single name, as settings of editors have it, or nested. */
export function lookUp(document: Fields, key: string): unknown {
  return pathsTo(document, key)[0]?.reduce<unknown>(step, document);
}

function pathsTo(document: Fields, key: string): string[][] {
  const ways = key.includes('.') ? [[key], key.split('.')] : [[key]];
  return ways.filter((path) => (path.reduce<unknown>(step, document) ?? null) !== null);
}

function step(at: unknown, part: string): unknown {
  return isFields(at) && Object.hasOwn(at, part) ? at[part] : undefined;
}

/** Returns the servers in the value at a path of the document. */
export function serversAt(found: unknown, container: readonly string[]): DeclaredServer[] {
  if (Array.isArray(found)) {
    return found.slice(0, MAX_SERVERS + 1).flatMap((server, index) => {
      const name = isFields(server) ? (textOf(server.name) ?? textOf(server.id)) : null;
      return readServer(name ?? `server ${index + 1}`, server, { container, member: index });
    });
  }
  if (!isFields(found)) return [];
  const alone = readLone(found, container);
  return Object.entries(found)
    .filter(([name]) => alone.length === 0 || !OWN_FIELDS.has(name))
    .slice(0, MAX_SERVERS + 1)
    .flatMap(([name, definition]) => readServer(name, definition, { container, member: name }))
    .concat(alone);
}

/** A single server may have no name around it. Servers may be named like its fields. */
function readLone(found: Fields, container: readonly string[]): DeclaredServer[] {
  const isLone =
    COMMAND_FIELDS.some((name) => textsOf(found[name]).length > 0) ||
    firstText(found, URL_FIELDS) !== null;
  if (!isLone) return [];
  return readServer(textOf(found.name) ?? 'server', found, { container, member: null });
}

function readServer(
  name: string,
  definition: unknown,
  place: Pick<DeclaredServer, 'container' | 'member'>,
): DeclaredServer[] {
  if (!isFields(definition) || definition.bundled === true) return [];
  // Some clients wrap it once more.
  const inner = isFields(definition.transport)
    ? { ...definition, ...definition.transport }
    : definition;
  const url = firstText(inner, URL_FIELDS);
  const isElsewhere =
    url !== null && TYPE_FIELDS.some((field) => REMOTE.test(textOf(inner[field]) ?? ''));
  const { command, args } = isElsewhere ? NO_COMMAND : readCommand(inner);
  if (command === null && url === null) return [];
  return [
    {
      name: name.slice(0, 256),
      command,
      args,
      url: command === null ? url : null,
      cwd: command === null ? null : firstText(inner, FOLDER_FIELDS),
      environment: namesOf(inner, ENVIRONMENT_FIELDS),
      headers: namesOf(inner, HEADER_FIELDS),
      disabled: inner.disabled === true || inner.enabled === false || inner.active === false,
      transport: command !== null ? 'stdio' : transportOf(firstText(inner, TYPE_FIELDS), url ?? ''),
      ...place,
    },
  ];
}

/** A transport to a server elsewhere in the protocol's own words, whatever the client calls it. */
function transportOf(type: string | null, url: string): McpTransport {
  if (/^sse$/i.test(type ?? '')) return 'sse';
  if (/^(wss?|web-?socket)$/i.test(type ?? '') || /^wss?:/i.test(url)) return 'ws';
  return 'http';
}

/** A text with a list beside it, a list that begins with the program, or an object with path and arguments. */
function readCommand(definition: Fields): { command: string | null; args: string[] } {
  const given = definition.args ?? definition.arguments;
  const own = typeof given === 'string' ? splitWords(given) : textsOf(given);
  for (const field of COMMAND_FIELDS) {
    const command = definition[field];
    if (typeof command === 'string' && command.trim() !== '') {
      const [program = command, ...rest] = splitCommand(command);
      return { command: program, args: [...rest, ...own] };
    }
    if (Array.isArray(command)) {
      const [program, ...rest] = textsOf(command);
      if (program !== undefined) return { command: program, args: [...rest, ...own] };
    }
    if (isFields(command)) {
      const program = textOf(command.path) ?? textOf(command.command);
      if (program !== null) return { command: program, args: [...textsOf(command.args), ...own] };
    }
  }
  return NO_COMMAND;
}

function firstText(definition: Fields, names: readonly string[]): string | null {
  for (const name of names) {
    const text = textOf(definition[name]);
    if (text !== null) return text;
  }
  return null;
}

function namesOf(definition: Fields, fields: readonly string[]): string[] {
  const names = fields.flatMap((field) => {
    const value = definition[field];
    if (Array.isArray(value)) {
      return value.flatMap((item) =>
        typeof item === 'string'
          ? [nameOfLine(field, item)]
          : isFields(item)
            ? [textOf(item.name) ?? '']
            : [],
      );
    }
    if (!isFields(value)) return [];
    return field === 'requestInit' ? namesOf(value, ['headers']) : Object.keys(value);
  });
  // A name is a word: what is none, or looks like a token, may be a value in the wrong place.
  const shape = fields === ENVIRONMENT_FIELDS ? /^[A-Za-z_]\w{0,127}$/ : /^[A-Za-z_][\w.-]{0,127}$/;
  const isName = (name: string) => shape.test(name) && redactText(name) === name;
  return [...new Set(names.filter(isName))].sort().slice(0, MAX_NAMES);
}

/** Variables may be named alone, to be passed on; a header's line without a name before it is a value. */
function nameOfLine(field: string, line: string): string {
  if (!HEADER_FIELDS.includes(field)) return line.split('=', 1)[0] ?? '';
  return /^\s*([\w.-]+)\s*[:=]/.exec(line)?.[1] ?? '';
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, 256)
    .flatMap((item) =>
      typeof item === 'string'
        ? [item]
        : /^(number|bigint)$/.test(typeof item)
          ? [String(item)]
          : [],
    );
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
