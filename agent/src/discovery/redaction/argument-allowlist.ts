// Selects the arguments of a command that may be sent: known secrets are redacted first, then only arguments made of
// ordinary words remain. Pure.
import { throughPlaceholders } from '../sources/lib/placeholders.ts';
import { PLAIN_VALUE, redactArguments, redactText } from './argument-redaction.ts';
import { looksRandom } from './token-shapes.ts';
import { REDACTED } from './url-redaction.ts';
import { consistsOfWords } from './word-groups.ts';

const MAX_SHOWN = 512;
const TAG =
  /^(latest|stable|main|master|edge|beta|alpha|nightly|alpine|slim|minimal|full|bookworm|bullseye|trixie|jammy|noble|focal|dev|lts|next|release|preview|canary|develop|prod|production|stdio|sse|http|rc\d?|amd64|arm64|v?\d[\d.]{0,16})$/i;
const SHORT_FLAG_CUT = /^-[A-Za-z]\[cut\]$/;
const FILE = /\.(js|mjs|cjs|ts|py|json|ya?ml|toml|sh|jar|exe|dll|rb|go|php|db|sqlite|log|txt|md)$/i;
const PATH = /^\/[^/]|^(~|\.{1,2})([\\/]|$)|^[A-Za-z]:[\\/]|^placeholder[a-z][\\/]/;

/**
 * Returns the arguments as they may be sent; an argument that is not made of ordinary words is left out. `classified`
 * maps the arguments that name the package, script or image to the text shown for them.
 */
export function showArguments(
  args: readonly string[],
  classified: ReadonlyMap<string, string> = new Map(),
): string[] {
  return redactArguments(args).map((cut, at) => {
    const arg = args[at] ?? '';
    const named = classified.get(arg);
    if (named !== undefined) return named;
    const [, flag = '', value = ''] = /^(--?[A-Za-z][\w.-]{0,64}=)(.+)$/s.exec(arg) ?? [];
    const shownValue = flag === '' ? undefined : classified.get(value);
    if (shownValue !== undefined) return flag + shownValue;
    return throughPlaceholders(arg, (masked) =>
      // A variable is masked as a plain word, and cut in its place among the others.
      show(masked === arg ? cut : (redactArguments(args.with(at, masked))[at] ?? REDACTED)),
    );
  });
}

/** Returns a single argument as it may be sent. */
export function showWord(word: string): string {
  return showArguments([word])[0] ?? REDACTED;
}

/** Shows a label that a user chose; words between blanks are shown separately. */
export function showLabel(label: string): string {
  return throughPlaceholders(label, (masked) =>
    redactText(masked)
      .split(/(\s+)/)
      .map((word) => (consistsOfWords(word, 'value') && !looksRandom(word) ? word : REDACTED))
      .join(''),
  );
}

function show(arg: string): string {
  const assignment = /^(--?[A-Za-z][\w.-]{0,64}|[A-Za-z_]\w{0,64})=([\s\S]*)$/.exec(arg);
  if (assignment === null) return showPlain(arg);
  const [, name = '', value = ''] = assignment;
  // Base64 ends like a name without a value.
  if (isEncodedPair(arg) || showPlain(name) !== name) return REDACTED;
  const isOpen = name.startsWith('-') || PLAIN_VALUE.test(value);
  return `${name}=${isOpen && !isPair(value) ? showPlain(value) : REDACTED}`;
}

/** `user:password`, in what could be an image with its tag, too. */
function isPair(text: string): boolean {
  const right = /^[A-Za-z][\w.-]{0,64}[:=](?!\/)([^:/@]+)$/.exec(text)?.[1];
  return (
    right !== undefined &&
    !PLAIN_VALUE.test(right) &&
    !isTag(right) &&
    !/^(npm|jsr|github|git|pypi|docker|http|https|localhost|file):/i.test(text)
  );
}

/** Returns true for a version, and for the words that images are usually tagged with. */
export function isTag(text: string): boolean {
  if (/^\d+$/.test(text)) return text.length <= 4 || /^20\d{6}$/.test(text);
  if (/^=?v?\d[\w.-]{0,40}$/.test(text)) return consistsOfWords(text, 'name');
  return text.split('-').every((word) => TAG.test(word));
}

/** `user:password`, as headers encode it. */
function isEncodedPair(text: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text)) {
    return false;
  }
  return /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(Buffer.from(text, 'base64').toString('latin1'));
}

/** A word, a number, a version, a flag, a path by its segments, or a URL that is cut already. */
function showPlain(text: string): string {
  if (text.length > MAX_SHOWN || /[\s{}"'`$;|<>]/.test(text.replaceAll(REDACTED, ''))) {
    return /^[A-Za-z0-9-]+: \[cut\]$/.test(text) ? text : REDACTED;
  }
  if (text === REDACTED || SHORT_FLAG_CUT.test(text)) return text;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  if (PATH.test(text)) return /[?=]/.test(text) ? REDACTED : showPath(text);
  if (isPair(text) || isEncodedPair(text)) return REDACTED;
  if (FILE.test(text)) return consistsOfWords(text, 'name') && !looksRandom(text) ? text : REDACTED;
  const plain = text.replace(/@sha256:[0-9a-f]{64}$/, '');
  return consistsOfWords(plain, 'value') ? text : REDACTED;
}

/** A path with each segment that does not consist of words cut out. */
export function showPath(path: string): string {
  return path
    .split(/([\\/])/)
    .map((segment) => (isNameOfFile(segment) ? segment : REDACTED))
    .join('');
}

const isNameOfFile = (segment: string): boolean =>
  segment === REDACTED || (consistsOfWords(segment, 'name') && !looksRandom(segment));
