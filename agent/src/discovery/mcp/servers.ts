// MCP servers in a parsed configuration, whatever its client calls the fields. Pure; what is no server is left out.
import type { ServerDefinition } from './launch.ts';
import { splitCommand, splitWords } from './words.ts';

export interface DeclaredServer extends ServerDefinition {
  /** What the person calls it. */
  name: string;
  /** Names only: the values are never looked at. */
  environment: string[];
  headers: string[];
  disabled: boolean;
  transport: string;
  /** Where it stands: the container's path in the document, and its name or place there (null: it is the container). */
  container: readonly string[];
  member: string | number | null;
}

/** So many of one place are looked at; one more is read, so that the rest is missed. */
export const MAX_SERVERS = 500;
const MAX_NAMES = 64;
const COMMAND_FIELDS = ['command', 'cmd'];
const URL_FIELDS = ['url', 'serverUrl', 'uri', 'httpUrl', 'endpoint', 'baseUrl'];
const ENVIRONMENT_FIELDS = ['env', 'envs', 'environment', 'env_keys', 'env_vars'];
const HEADER_FIELDS = ['headers', 'http_headers', 'env_http_headers', 'requestInit'];

type Fields = Record<string, unknown>;

/**
 * The servers below the first of the keys that is there; `.` is the document itself. `within`: where the document stands
 * in its file.
 */
export function serversIn(
  document: unknown,
  keys: readonly string[],
  within: readonly string[] = [],
): DeclaredServer[] {
  if (!isFields(document)) return [];
  for (const key of keys) {
    const path = key === '.' ? [] : pathTo(document, key);
    const found = path === null ? undefined : path.reduce<unknown>(step, document);
    if (path !== null && found !== undefined && found !== null) {
      return serversAt(found, [...within, ...path]);
    }
  }
  return [];
}

/** `a.b` as written in one name, as settings of editors have it, or nested. */
export function lookUp(document: Fields, key: string): unknown {
  return pathTo(document, key)?.reduce<unknown>(step, document);
}

function pathTo(document: Fields, key: string): string[] | null {
  if (Object.hasOwn(document, key)) return [key];
  const path = key.split('.');
  return path.reduce<unknown>(step, document) === undefined ? null : path;
}

function step(at: unknown, part: string): unknown {
  return isFields(at) && Object.hasOwn(at, part) ? at[part] : undefined;
}

/** The servers in what stands at a path of the document. */
export function serversAt(found: unknown, container: readonly string[]): DeclaredServer[] {
  if (Array.isArray(found)) {
    return found.slice(0, MAX_SERVERS + 1).flatMap((one, index) => {
      const name = isFields(one) ? (textOf(one.name) ?? textOf(one.id)) : null;
      return readServer(name ?? `server ${index + 1}`, one, { container, member: index });
    });
  }
  if (!isFields(found)) return [];
  // One server may be written without a name around it.
  const own = { container, member: null };
  const alone = readServer(textOf(found.name) ?? 'server', found, own);
  if (alone.length > 0) return alone;
  return Object.entries(found)
    .slice(0, MAX_SERVERS + 1)
    .flatMap(([name, one]) => readServer(name, one, { container, member: name }));
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
  const { command, args } = readCommand(inner);
  const url = firstText(inner, URL_FIELDS);
  if (command === null && url === null) return [];
  return [
    {
      name: name.slice(0, 256),
      command,
      args,
      url: command === null ? url : null,
      environment: namesOf(inner, ENVIRONMENT_FIELDS),
      headers: namesOf(inner, HEADER_FIELDS),
      disabled: inner.disabled === true || inner.enabled === false,
      transport: command !== null ? 'stdio' : (textOf(inner.type) ?? 'http').slice(0, 32),
      ...place,
    },
  ];
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
  return { command: null, args: [] };
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
      return value.flatMap((one) =>
        typeof one === 'string'
          ? [one.split('=', 1)[0] ?? '']
          : isFields(one)
            ? [textOf(one.name) ?? '']
            : [],
      );
    }
    if (!isFields(value)) return [];
    return field === 'requestInit' ? namesOf(value, ['headers']) : Object.keys(value);
  });
  // A name is a word: what is none may be a value in the wrong place.
  return [...new Set(names.filter((name) => /^[A-Za-z_][\w.-]{0,127}$/.test(name)))]
    .sort()
    .slice(0, MAX_NAMES);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, 256)
    .flatMap((one) =>
      typeof one === 'string' ? [one] : typeof one === 'number' ? [String(one)] : [],
    );
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
