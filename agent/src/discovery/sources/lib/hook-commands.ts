// Commands in a parsed file of hooks, whatever form its client gives them. Pure; what runs nothing is left out.
import { createHash } from 'node:crypto';
import { isFields } from '../../mcp/servers.ts';
import { showArguments } from '../../redaction/argument-allowlist.ts';
import { redactText } from '../../redaction/argument-redaction.ts';
import { REDACTED, redactUrl } from '../../redaction/url-redaction.ts';

export interface HookCommand {
  event: string;
  /** The limit of the hook, such as a tool's name. */
  matcher: string | null;
  /** The client's own word: `command`, `http`, `prompt` and so on. */
  type: string;
  /** The command with everything that may be a secret removed; null where the hook has none. */
  command: string | null;
  /** SHA-256 over event, matcher and the whole definition: a hook that runs anything else has another hash. */
  hash: string;
}

const MAX_HOOKS = 500;
const MAX_DEPTH = 6;
const MAX_COMMAND = 512;
const COMMAND_FIELDS = [
  'command',
  'bash',
  'powershell',
  'windows',
  'linux',
  'osx',
  'commandWindows',
];
const MATCHER_FIELDS = ['matcher', 'if', 'pattern', 'toolName', 'tool'];
/** Names of lists with hooks of the event around them. */
const WRAPPERS = new Set(['hooks', 'commands', 'handlers', 'actions', 'entries', 'then', 'run']);
/** Fields beside the events. */
const NO_EVENTS = new Set([
  'state',
  'disabled',
  'enabled',
  'notifications',
  'version',
  'env',
  'description',
]);

type Fields = Record<string, unknown>;

/** The commands below an object of events: `{ PreToolUse: [{ matcher, hooks: [{ type, command }] }] }` and the like. */
export function hookCommandsIn(events: unknown): HookCommand[] {
  const found: HookCommand[] = [];
  if (Array.isArray(events)) collect(events, { event: 'hook', matcher: null }, 0, found);
  if (!isFields(events)) return found;
  const alone = loneHook(events);
  if (alone !== null) return [alone];
  for (const [event, value] of Object.entries(events)) {
    if (NO_EVENTS.has(event) || typeof value === 'string') continue;
    collect(value, { event: plainName(event), matcher: null }, 0, found);
  }
  return found.slice(0, MAX_HOOKS);
}

/** Returns the hook of a setting that is a command: a text, or a list of words. */
export function commandSetting(event: string, value: unknown): HookCommand | null {
  const words = Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
  const text = typeof value === 'string' ? value : words.join(' ');
  if (text.trim() === '') return null;
  const command = words.length > 0 ? redactWords(words).join(' ') : redactCommand(text);
  return makeHook({ event, matcher: null }, { type: 'command', command, definition: value });
}

/** A file that is code itself. */
export function scriptHook(event: string, content: Buffer): HookCommand {
  return {
    ...{ event: plainName(event), matcher: null, type: 'script', command: null },
    hash: createHash('sha256').update(content).digest('hex'),
  };
}

interface Around {
  event: string;
  matcher: string | null;
}

function collect(value: unknown, around: Around, depth: number, into: HookCommand[]): void {
  if (depth > MAX_DEPTH || into.length >= MAX_HOOKS) return;
  if (typeof value === 'string') {
    const hook = commandSetting(around.event, value);
    if (hook !== null) into.push(hook);
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) collect(item, around, depth + 1, into);
    return;
  }
  if (!isFields(value)) return;
  const matcher = matcherOf(value) ?? around.matcher;
  // Lists of hooks name the event in each of them.
  const event = typeof value.event === 'string' ? plainName(value.event) : around.event;
  const inner = { event, matcher };
  const hook = readHook(value, inner);
  if (hook !== null) {
    into.push(hook);
    return;
  }
  for (const [name, below] of Object.entries(value)) {
    if (WRAPPERS.has(name)) collect(below, inner, depth + 1, into);
    else if (typeof below === 'object' && !MATCHER_FIELDS.includes(name) && !NO_EVENTS.has(name)) {
      // Some clients key hooks by the pattern that they are for.
      collect(below, { event, matcher: plainName(name) }, depth + 1, into);
    }
  }
}

/** `{ when: { type }, then: { type, command } }`: the document is a single hook. */
function loneHook(document: Fields): HookCommand | null {
  const { when, then } = document;
  if (!isFields(when) || !isFields(then)) return null;
  const event = typeof when.type === 'string' ? plainName(when.type) : 'hook';
  return readHook(then, { event, matcher: matcherOf(when) });
}

function readHook(definition: Fields, around: Around): HookCommand | null {
  const texts = COMMAND_FIELDS.map((name) => definition[name]).filter(
    (candidate): candidate is string | unknown[] =>
      typeof candidate === 'string' || Array.isArray(candidate),
  );
  const type = typeof definition.type === 'string' ? plainName(definition.type) : null;
  const [first] = texts;
  if (first !== undefined) {
    const words = Array.isArray(definition.args)
      ? definition.args.filter((arg) => typeof arg === 'string')
      : [];
    const command = [first, ...texts.slice(1)]
      .map((candidate) => commandSetting(around.event, candidate)?.command)
      .filter((command) => command != null)
      .join(' / ');
    const shown = [command, ...redactWords(words)].join(' ').slice(0, MAX_COMMAND);
    return makeHook(around, { type: type ?? 'command', command: shown, definition });
  }
  if (typeof definition.url === 'string') {
    const command = redactUrl(definition.url).slice(0, MAX_COMMAND);
    return makeHook(around, { type: type ?? 'http', command, definition });
  }
  const hasText = typeof definition.prompt === 'string' || typeof definition.tool === 'string';
  if (!hasText) return null;
  return makeHook(around, { type: type ?? 'prompt', command: null, definition });
}

function makeHook(
  { event, matcher }: Around,
  { type, command, definition }: { type: string; command: string | null; definition: unknown },
): HookCommand {
  const hash = createHash('sha256')
    .update(JSON.stringify([event, matcher, sorted(definition)], textOfBigInt))
    .digest('hex');
  return { event, matcher, type, command, hash };
}

const textOfBigInt = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

/** The same fields in another order are the same definition. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

function matcherOf(definition: Fields): string | null {
  for (const name of MATCHER_FIELDS) {
    const value = definition[name];
    if (typeof value === 'string' && value !== '') return redactText(value).slice(0, 128);
  }
  return null;
}

const plainName = (name: string): string => redactText(name).slice(0, 64);

const VARIABLE = /\$\{?[A-Za-z_]\w*(?:[:.][\w.-]+)?\}?|%[A-Za-z_]\w*%/g;
/** A program with its version, which elsewhere could be a secret: `python3.12`. */
const PROGRAM = /^[a-z]{2,24}\d{1,2}(\.\d{1,2})?$/;
/** A quoted text, an operator of a shell, blanks, or a word. */
const TOKENS = /"(?:[^"\\]|\\.)*"|'[^']*'|\d?[|&;<>()]+|\s+|[^\s"'|&;<>()]+/g;

/** Redacts a shell command: arguments not made of ordinary words are left out; quotes, pipes and redirections stay. */
export function redactCommand(text: string, depth = 0): string {
  const tokens = redactText(text).match(TOKENS) ?? [];
  const isWord = (token: string) => !/^(\s+|\d?[|&;<>()]+)$/.test(token);
  const shown = redactWords(
    tokens.filter(isWord).map((token) => unquoted(token).text),
    depth,
  );
  let at = 0;
  let startsCommand = true;
  const joined = tokens.map((token) => {
    if (!isWord(token)) {
      startsCommand ||= /[|&;(]/.test(token);
      return token;
    }
    const { text: word, quote } = unquoted(token);
    const isProgram = startsCommand && PROGRAM.test(word);
    startsCommand = false;
    const safe = shown[at++] ?? REDACTED;
    return `${quote}${isProgram ? word : safe}${quote}`;
  });
  return joined.join('').replace(/\s+/g, ' ').trim().slice(0, MAX_COMMAND);
}

function unquoted(token: string): { text: string; quote: string } {
  const quote = /^(["'])[\s\S]*\1$/.exec(token)?.[1];
  return quote === undefined || token.length < 2
    ? { text: token, quote: '' }
    : { text: token.slice(1, -1), quote };
}

/** Words of a command: names of variables stay, their values are not here; a whole command in a word is looked into. */
function redactWords(words: readonly string[], depth = 0): string[] {
  const bare = words.map((word) => word.replace(VARIABLE, ''));
  const shown = showArguments(bare);
  return words.map((word, at) => {
    const plain = bare[at] ?? '';
    if (/\s/.test(word) && shown[at] === REDACTED && depth < 2)
      return redactCommand(word, depth + 1);
    if (plain === word) return shown[at] ?? REDACTED;
    return plain === '' || shown[at] === plain ? word : REDACTED;
  });
}
