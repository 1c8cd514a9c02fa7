// Redacts log rows by key names, by token formats, in keys themselves, and inside JSON strings. The result is the same
// object if nothing changed. Redaction is idempotent.
import { isCredentialMember, redactKubernetesData } from './credential-containers.ts';
import { isRandom, redactContainer } from './entropy.ts';
import { mapJsonText } from './json-text.ts';
import {
  classifyKey,
  isHarmless,
  type KeyKind,
  LABEL_KEYS,
  NAMED_KEYS,
  NAMING_KEYS,
  namesCredential,
} from './key-names.ts';
import { removePrivateMembers } from './private-members.ts';
import { REDACTED } from './rule.ts';
import { mapStringLiterals } from './string-literals.ts';
import { redactText } from './text.ts';

export { REDACTION_VERSION } from './rule.ts';

const REDACTED_HEADERS = '[REDACTED_HEADERS]';

/** The maximum nesting of JSON in JSON strings; deeper levels are treated as text. */
const JSON_LEVELS = 6;
/** The maximum depth of a structure; deeper JSON in a string is treated as text. */
const DEPTH_MAX = 200;
const CACHED_KEYS_MAX = 20_000;

/** Redacts a value and everything below it. Throws a RangeError above 200 levels of nesting. */
export function redact(value: unknown): unknown {
  return redactAt(value, DEPTH_MAX, JSON_LEVELS);
}

/** Redacts `metadata.extra_data` of an LLM row like `redact`, and removes its `jwt_claims` at every depth. */
export function redactLlmExtraData(extraData: Record<string, unknown>): Record<string, unknown> {
  return redact(removePrivateMembers(extraData)) as Record<string, unknown>;
}

/**
 * Redacts an event of either log again, after older rules redacted it. Only events of LLM requests, which have an app,
 * lose claims.
 */
export function redactAgain(event: { app?: unknown; metadata?: unknown }): unknown {
  const metadata = event.metadata as { extra_data?: unknown } | null | undefined;
  const extra = metadata?.extra_data;
  if (event.app === undefined || typeof extra !== 'object' || extra === null) return redact(event);
  const kept = redactLlmExtraData(extra as Record<string, unknown>);
  return redact({ ...event, metadata: { ...metadata, extra_data: kept } });
}

function redactAt(value: unknown, depth: number, levels: number): unknown {
  if (typeof value === 'string') return redactStringAt(value, levels);
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  if (depth === 0) throw new RangeError('nested too deep to be redacted');
  return Array.isArray(value)
    ? redactList(value, depth, levels)
    : redactMembers(value as Record<string, unknown>, depth, levels);
}

function redactList(list: unknown[], depth: number, levels: number): unknown[] {
  const redactItem = (item: unknown) =>
    isNamedPair(item) ? redactPair(item) : redactAt(item, depth - 1, levels);
  if (!isCommand(list)) return redactKeyLines(list, mapItems(list, redactItem));
  // An option and its value are redacted as parts of the command.
  const words = mapItems(list, (word) => (OPTION.test(word) ? word : redactItem(word)));
  return mapItems(redactWords(redactKeyLines(list, words) as string[]), redactItem);
}

/** Maps the items of a list. Returns the same list if nothing changed. */
function mapItems<T>(list: T[], map: (item: T) => unknown): unknown[] {
  let changed: unknown[] | null = null;
  for (const [i, item] of list.entries()) {
    const after = map(item);
    if (after === item) continue;
    changed ??= [...list];
    changed[i] = after;
  }
  return changed ?? list;
}

const KEY_BEGINS = /-BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{5}/;
const KEY_ENDS = /-END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{5}/;
/** The line is trimmed at its end: two adjacent runs with common characters would take quadratic time. */
const KEY_LINE =
  /^[ \t>|]*(?:[A-Za-z0-9+/]{8,}={0,2}|=?[A-Za-z0-9+/]{4,7}={0,2}|[A-Z][A-Za-z-]{2,20}: \S[^\r\n]*)?$/;
const PRIVATE_KEY = '[REDACTED_PRIVATE_KEY]';

/**
 * Redacts a private key whose lines are items of a list, as line readers return it. Returns the same list if it
 * contains none.
 */
function redactKeyLines(before: readonly unknown[], after: unknown[]): unknown[] {
  let shown = after;
  let isOpen = false;
  for (let i = 0; i < before.length; i++) {
    const line = before[i];
    if (typeof line !== 'string') {
      isOpen = false;
      continue;
    }
    const isEnd = KEY_ENDS.test(line);
    if (!isOpen) {
      isOpen = !isEnd && KEY_BEGINS.test(line);
      continue;
    }
    isOpen = !isEnd && KEY_LINE.test(line.trimEnd());
    if (!isEnd && (!isOpen || line.trim() === '')) continue;
    if (shown === after) shown = [...after];
    shown[i] = PRIVATE_KEY;
  }
  return shown;
}

const WORDS_MAX = 200;
const WORD_MAX = 1_000;
const OPTION = /^--?[A-Za-z]/;
/** A word with these characters belongs to no command line. */
const UNUSUAL = /[\t\r\n\ue000]/;
/** A private character for the blanks within a word of a command. */
const INNER_BLANK = '\ue000';

/** Returns whether a list is a command line, word by word: `["--password", "…"]`. */
function isCommand(list: unknown[]): list is string[] {
  return (
    list.length <= WORDS_MAX &&
    list.some((word) => typeof word === 'string' && OPTION.test(word)) &&
    list.every((word) => typeof word === 'string' && word.length <= WORD_MAX && !UNUSUAL.test(word))
  );
}

/** Redacts a command line, or else each word after the word before it. Returns the same list if nothing changed. */
function redactWords(words: string[]): string[] {
  const after =
    redactLine(words) ??
    words.map((word, i) => redactLine(words.slice(Math.max(0, i - 1), i + 1))?.at(-1) ?? word);
  return after.every((word, i) => word === words[i]) ? words : after;
}

/** Returns null if a rule replaced several words at once. */
function redactLine(words: readonly string[]): string[] | null {
  const line = words.map((word) => word.replaceAll(' ', INNER_BLANK)).join(' ');
  const after = redactText(line).split(' ');
  return after.length === words.length
    ? after.map((word) => word.replaceAll(INNER_BLANK, ' '))
    : null;
}

/** Matches members in list form: `[["X-Api-Key", "…"], …]`. */
function isNamedPair(item: unknown): item is [string, string] {
  if (!Array.isArray(item) || item.length !== 2) return false;
  const [name, value] = item;
  return typeof name === 'string' && typeof value === 'string' && namesCredential(name);
}

function redactPair(pair: [string, string]): [string, string] {
  const name = redactText(pair[0]);
  return name === pair[0] && pair[1] === REDACTED ? pair : [name, REDACTED];
}

function redactMembers(
  members: Record<string, unknown>,
  depth: number,
  levels: number,
): Record<string, unknown> {
  const names = Object.keys(members);
  let changed: [string, unknown][] | null = null;
  for (let i = 0; i < names.length; i++) {
    const name = names[i] as string;
    const before = members[name];
    const after =
      (NAMED_KEYS.has(name) && isNamedCredential(members, before)) ||
      isCredentialMember(members, name, before)
        ? REDACTED
        : redactMember(name, redactKubernetesData(members, name, before), depth, levels);
    const shown = redactKey(name);
    if (changed === null) {
      if (after === before && shown === name) continue;
      changed = names.slice(0, i).map((key) => [key, members[key]]);
    }
    changed.push([shown, after]);
  }
  return changed === null ? members : fromEntries(changed);
}

function redactMember(name: string, value: unknown, depth: number, levels: number): unknown {
  const { kind } = keyOf(name);
  if (kind === 'headers') return REDACTED_HEADERS;
  if (kind === 'credential') return REDACTED;
  if (kind === 'credential_text' && typeof value === 'string' && !isHarmless(name, value)) {
    return REDACTED;
  }
  const inner =
    kind === 'credential_text' && CONTAINER_NAME.test(name) ? redactContainer(value) : value;
  return redactAt(inner, depth - 1, levels);
}

/** Keys of credential containers; `secrets` is also a detection category. */
const CONTAINER_NAME = /credentials?$/i;

function isNamedCredential(members: Record<string, unknown>, value: unknown): boolean {
  if (Array.isArray(value)) {
    return value.length > 0 && value.every((item) => isNamedCredential(members, item));
  }
  if (typeof value !== 'string') return false;
  const names = (naming: string) => {
    const name = Object.hasOwn(members, naming) ? members[naming] : null;
    return typeof name === 'string' && namesCredential(name);
  };
  // HTTP archive tools write a generic name beside the value.
  if (members.key === 'token' && isRandom(value)) return true;
  // The name of a credential kind is not itself a credential.
  return NAMING_KEYS.some(names) || (LABEL_KEYS.some(names) && !namesCredential(value));
}

/**
 * Builds an object from entries. Equal placeholders are numbered, so that no value is lost. All names become own
 * members, including `__proto__`.
 */
function fromEntries(entries: readonly [string, unknown][]): Record<string, unknown> {
  const seen = new Set<string>();
  const named = entries.map(([name, value]): [string, unknown] => {
    let free = name;
    for (let n = 2; seen.has(free); n++) free = `${name} (${n})`;
    seen.add(free);
    return [free, value];
  });
  return Object.fromEntries(named);
}

interface Key {
  kind: KeyKind;
  /** The redacted key, computed on demand. */
  shown: string | null;
}
const cachedKeys = new Map<string, Key>();

function keyOf(name: string): Key {
  let key = cachedKeys.get(name);
  if (key === undefined) {
    key = { kind: classifyKey(name), shown: null };
    // Keys of logs repeat, and the limit bounds the memory that hostile rows can occupy.
    if (cachedKeys.size >= CACHED_KEYS_MAX) cachedKeys.clear();
    if (name.length <= 100) cachedKeys.set(name, key);
  }
  return key;
}

function redactKey(name: string): string {
  const key = keyOf(name);
  key.shown ??= redactText(name);
  return key.shown;
}

const CLEAN_MAX = 5_000;
const CLEAN_CHARS = 128;
/**
 * A cache of short texts without credentials, because names, models and arguments repeat. Truncated texts are not
 * cached.
 */
const clean = new Set<string>();

function redactStringAt(text: string, levels: number): string {
  const isKept = levels === JSON_LEVELS && text.length <= CLEAN_CHARS;
  if (isKept && clean.has(text)) return text;
  const after = redactUncached(text, levels);
  if (isKept && after === text) {
    if (clean.size >= CLEAN_MAX) clean.clear();
    clean.add(text);
  }
  return after;
}

function redactUncached(text: string, levels: number): string {
  if (levels === 0) return redactText(text);
  const redactValue = (value: unknown) => redactAt(value, DEPTH_MAX, levels - 1);
  return mapJsonText(text, redactValue) ?? redactProse(text, levels);
}

/** Redacts a text, and then its string literals, which are texts of their own. */
function redactProse(text: string, levels: number): string {
  return mapStringLiterals(redactText(text), (content) => redactStringAt(content, levels - 1));
}
