// Redaction of log rows: by key, by form, in keys themselves, and inside strings that are JSON. It gives back the same
// object where nothing had to change. Redacting twice changes nothing.
import { parseExactly } from '../json-keys.ts';
import { mayRound, parseKeeping } from '../json-numbers.ts';
import { isHeldByKind, ofSecret } from './credential-containers.ts';
import { isRandom, withoutHeld } from './entropy.ts';
import { foldKey } from './fold-key.ts';
import { heldInTurns } from './headers.ts';
import { readable } from './hidden.ts';
import { withLiterals } from './literals.ts';
import { regExpOf } from './patterns.ts';
import { removePrivateMembers } from './private-members.ts';
import {
  CREDENTIAL_HEADERS,
  CREDENTIAL_KEY_SUFFIXES,
  CREDENTIAL_KEYS,
  CREDENTIAL_TEXT_ENDS,
  CREDENTIAL_TEXT_KEYS,
  CREDENTIAL_TEXT_SUFFIXES,
  HARMLESS,
  HEADER_KEYS,
  LABEL_KEYS,
  NAMED_KEYS,
  NAMING_KEYS,
  OTHER_WORDS,
  REDACTED,
  REDACTED_HEADERS,
  TOKEN_VARIABLE,
} from './rules.ts';
import { redactText } from './text.ts';

export { REDACTION_VERSION } from './rules.ts';

type KeyRule = 'headers' | 'credential' | 'credential_text' | null;

const squashed = (name: string) => name.replaceAll('_', '');
const HEADERS = new Set(HEADER_KEYS.flatMap((name) => [name, squashed(name)]));
const CREDENTIALS = new Set(CREDENTIAL_KEYS.flatMap((name) => [name, squashed(name)]));
const TEXT_CREDENTIALS = new Set(CREDENTIAL_TEXT_KEYS);
const TEXT_ENDS = regExpOf(`(?:${CREDENTIAL_TEXT_ENDS.join('|')})[0-9]{0,2}$`);
const HEADER = regExpOf(CREDENTIAL_HEADERS);
const VARIABLE = regExpOf(`^[A-Z][A-Z0-9_]*${TOKEN_VARIABLE}$`);
/** Of other languages, as they end. */
const OTHER_NAMES = regExpOf(`(?:${OTHER_WORDS.join('|')})$`, 'i');
/** Names of detection categories are no names of what stands beside them. */
const CATEGORIES = new Set(['secret', 'secrets', 'credential', 'credentials']);

/** JSON inside of JSON inside of JSON: beyond this it is only text. */
const JSON_LEVELS = 6;
/** Deeper structure is not walked; where it came as text it stays text. */
const DEPTH_MAX = 200;
const KNOWN_KEYS_MAX = 20_000;

/** Redacts everything below a value, and the value itself. Throws RangeError where it is nested deeper than 200. */
export function redact(value: unknown): unknown {
  return redactAt(value, DEPTH_MAX, JSON_LEVELS);
}

/** The same for `metadata.extra_data` of an LLM row, which also loses its `jwt_claims` at every depth. */
export function redactLlmExtraData(extraData: Record<string, unknown>): Record<string, unknown> {
  return redact(removePrivateMembers(extraData)) as Record<string, unknown>;
}

/** An event of either log that older rules redacted, by those of today. Only those of LLM requests, which name an app, lose claims. */
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
  let changed: unknown[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const before = list[i];
    const after = isNamedPair(before) ? redactPair(before) : redactAt(before, depth - 1, levels);
    if (after === before) continue;
    changed ??= [...list];
    changed[i] = after;
  }
  for (const i of heldInTurns(list, namesCredential)) {
    changed ??= [...list];
    changed[i] = REDACTED;
  }
  const each = withoutKeyLines(list, changed ?? list);
  return isCommand(each) ? redactWords(each) : each;
}

const KEY_BEGINS = /-BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{5}/;
const KEY_ENDS = /-END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{5}/;
/** Of a line without the blanks at its end: two runs that may hold the same would take quadratic time. */
const KEY_LINE =
  /^[ \t>|]*(?:[A-Za-z0-9+/]{8,}={0,2}|=?[A-Za-z0-9+/]{4,7}={0,2}|[A-Z][A-Za-z-]{2,20}: \S[^\r\n]*)?$/;
const PRIVATE_KEY = '[REDACTED_PRIVATE_KEY]';

/** A private key whose lines are a list's, as those who read files by lines give it. The same list where there is none. */
function withoutKeyLines(before: readonly unknown[], after: unknown[]): unknown[] {
  let shown = after;
  let isOpen = false;
  for (let i = 0; i < before.length; i++) {
    const line = before[i];
    if (typeof line !== 'string') isOpen = false;
    else if (isOpen) {
      const isEnd = KEY_ENDS.test(line);
      isOpen = !isEnd && KEY_LINE.test(line.trimEnd());
      if (!isEnd && (!isOpen || line.trim() === '')) continue;
      if (shown === after) shown = [...after];
      shown[i] = PRIVATE_KEY;
    } else isOpen = KEY_BEGINS.test(line) && !KEY_ENDS.test(line);
  }
  return shown;
}

const WORDS_MAX = 200;
const WORD_MAX = 1_000;
const WORD_ROUNDS = 4;
const OPTION = /^--?[A-Za-z]/;
/** Of one word what stands behind `=` is the value, with all its blanks. */
const OPTION_GIVEN = /^--?[A-Za-z][\w-]{0,60}=\[REDACTED\](?= )/;
const BLANK = /[\t\r\n]/;
/** Between words of a line, and nowhere in one. */
const BETWEEN = ' \t ';

/** `["--password", "…"]`: a command line, word by word. */
function isCommand(list: unknown[]): list is string[] {
  return (
    list.length <= WORDS_MAX &&
    list.some((one) => typeof one === 'string' && OPTION.test(one)) &&
    list.every((one) => typeof one === 'string' && one.length <= WORD_MAX && !BLANK.test(one))
  );
}

/** As the command line would be; the same list where nothing had to change. What one word hid from the others is gone then. */
function redactWords(words: string[]): string[] {
  let shown = words;
  for (let round = 0; round < WORD_ROUNDS; round++) {
    const after = redactWordsOnce(shown);
    if (after === shown) break;
    shown = after;
  }
  return shown;
}

function redactWordsOnce(words: string[]): string[] {
  const after =
    redactLine(words) ??
    words.map((_, i) => redactLine(words.slice(Math.max(0, i - 1), i + 1))?.at(-1));
  const shown = words.map((word, i) => {
    const one = after[i] ?? word;
    // A word may hold blanks, which no line would have there.
    const isWhole = one !== word && one.startsWith(REDACTED) && OPTION.test(words[i - 1] ?? '');
    if (isWhole) return REDACTED;
    return OPTION_GIVEN.exec(one)?.[0] ?? one;
  });
  return shown.every((one, i) => one === words[i]) ? words : shown;
}

/** Null where a rule took more than one of the words. */
function redactLine(words: readonly string[]): string[] | null {
  const after = redactText(words.join(BETWEEN)).split(BETWEEN);
  return after.length === words.length ? after : null;
}

/** Of `[["X-Api-Key", "…"], …]`: members as a list has them. */
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
      isHeldByKind(members, name, before)
        ? REDACTED
        : redactMember(name, ofSecret(members, name, before), depth, levels);
    const shown = shownKey(name);
    if (changed === null) {
      if (after === before && shown === name) continue;
      changed = names.slice(0, i).map((one) => [one, members[one]]);
    }
    changed.push([shown, after]);
  }
  return changed === null ? members : fromEntries(changed);
}

function redactMember(name: string, value: unknown, depth: number, levels: number): unknown {
  const { rule } = keyOf(name);
  if (rule === 'headers') return REDACTED_HEADERS;
  if (rule === 'credential') return REDACTED;
  if (rule === 'credential_text' && typeof value === 'string' && !isHarmless(name, value)) {
    return REDACTED;
  }
  const held = rule === 'credential_text' && HOLDING.test(name) ? withoutHeld(value) : value;
  return redactAt(held, depth - 1, levels);
}

/** Keys of what holds credentials, whatever its members are called; `secrets` is a category, too. */
const HOLDING = /credentials?$/i;
const FORMS = new Map(Object.entries(HARMLESS).map(([name, form]) => [name, regExpOf(form)]));
const isHarmless = (name: string, value: string) =>
  FORMS.get(name.toLowerCase())?.test(value) === true;

function isNamedCredential(members: Record<string, unknown>, value: unknown): boolean {
  if (Array.isArray(value)) {
    return value.length > 0 && value.every((one) => isNamedCredential(members, one));
  }
  if (typeof value !== 'string') return false;
  const names = (naming: string) => {
    const name = Object.hasOwn(members, naming) ? members[naming] : null;
    return typeof name === 'string' && namesCredential(name);
  };
  // A tool that keeps requests has a bare name beside it.
  if (members.key === 'token' && isRandom(value)) return true;
  // A choice between kinds of credentials is none itself.
  return NAMING_KEYS.some(names) || (LABEL_KEYS.some(names) && !namesCredential(value));
}

function namesCredential(name: string): boolean {
  if (CATEGORIES.has(name.toLowerCase())) return false;
  const { rule } = keyOf(name);
  return rule === 'credential' || rule === 'credential_text';
}

/** Keys that became the same placeholder are numbered, so that no value is lost. Own members, whatever their names. */
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
  rule: KeyRule;
  /** The key itself, redacted, once somebody asked. */
  shown: string | null;
}
const known = new Map<string, Key>();

function keyOf(name: string): Key {
  let key = known.get(name);
  if (key === undefined) {
    key = { rule: decideKey(name), shown: null };
    // Keys of logs repeat; what a hostile row brings must not stay for ever.
    if (known.size >= KNOWN_KEYS_MAX) known.clear();
    if (name.length <= 100) known.set(name, key);
  }
  return key;
}

function shownKey(name: string): string {
  const key = keyOf(name);
  key.shown ??= redactText(name);
  return key.shown;
}

function decideKey(written: string): KeyRule {
  const name = readable(written);
  const plain = name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '_');
  const folded = foldKey(name);
  if (HEADERS.has(plain) || HEADERS.has(folded)) return 'headers';
  if ([plain, folded, squashed(folded)].some((one) => CREDENTIALS.has(one))) return 'credential';
  if (CREDENTIAL_KEY_SUFFIXES.some((end) => folded.endsWith(end) || plain.endsWith(end))) {
    return 'credential';
  }
  const isText =
    TEXT_CREDENTIALS.has(folded) ||
    CREDENTIAL_TEXT_SUFFIXES.some((end) => folded.endsWith(end)) ||
    // A placeholder is a name that was redacted, not one of a credential.
    (TEXT_ENDS.test(squashed(folded)) && !name.includes('[REDACTED_')) ||
    HEADER.test(folded) ||
    VARIABLE.test(name) ||
    OTHER_NAMES.test(name.trim());
  return isText ? 'credential_text' : null;
}

const MAYBE_JSON = /^\s*(?:[{[]|"[^"])/;

const CLEAN_MAX = 5_000;
const CLEAN_CHARS = 128;
/** Short texts in which nothing was found: names, models and arguments come again with each row. What is cut is not kept. */
const clean = new Set<string>();

function redactStringAt(text: string, levels: number): string {
  const isKept = levels === JSON_LEVELS && text.length <= CLEAN_CHARS;
  if (isKept && clean.has(text)) return text;
  const after = lookedThrough(text, levels);
  if (isKept && after === text) {
    if (clean.size >= CLEAN_MAX) clean.clear();
    clean.add(text);
  }
  return after;
}

function lookedThrough(text: string, levels: number): string {
  if (levels > 0 && MAYBE_JSON.test(text)) {
    const parsed = parse(text);
    if (parsed !== undefined) {
      try {
        const after = redactAt(parsed, DEPTH_MAX, levels - 1);
        if (after === parsed) return text;
        const kept = mayRound(text) ? redactAt(keeping(text), DEPTH_MAX, levels - 1) : after;
        return JSON.stringify(kept);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        // Too deep to walk: then as text.
      }
    }
  }
  return levels === 0 ? redactText(text) : redactProse(text, levels);
}

const PROSE_ROUNDS_MAX = 4;

/** A text that holds strings with escapes, which are texts of their own. */
function redactProse(text: string, levels: number): string {
  let before = redactText(text);
  for (let round = 0; round < PROSE_ROUNDS_MAX; round++) {
    const read = withLiterals(before, (content) => redactStringAt(content, levels - 1));
    if (read === before) break;
    before = redactText(read);
  }
  return before;
}

const keeping = (text: string) => parseKeeping(text, parseExactly);

const CLOSING: Record<string, string> = { '{': '}', '[': ']', '"': '"' };

/** Undefined where it is no JSON; most of what only begins like it is known by its end. */
function parse(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed.at(-1) !== CLOSING[trimmed[0] ?? '']) return undefined;
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}
