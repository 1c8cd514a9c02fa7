// Which words of a command may be shown: those that are recognisably harmless, after all that is known as secret was cut.
import { CUT, cutArguments, looksRandom, PLAIN_VALUE } from './redact.ts';

/** The arguments as they may be sent: what is not recognisably harmless is left out. */
export function showArguments(args: readonly string[]): string[] {
  return cutArguments(args).map((arg) => {
    const assignment = /^(--?[A-Za-z][\w.-]{0,64}|[A-Za-z_]\w{0,64})=([\s\S]*)$/.exec(arg);
    if (assignment !== null) {
      const [, name = '', value = ''] = assignment;
      // Base64 ends like a name without a value.
      if (isEncodedPair(arg) || !isHarmless(name)) return CUT;
      const isPlain = name.startsWith('-') ? isHarmless(value) : PLAIN_VALUE.test(value);
      return `${name}=${isPlain && !isPair(value) ? value : CUT}`;
    }
    return isHarmless(arg) ? arg : CUT;
  });
}

/** A word that may stand in a product's name and key: nothing of it was cut, and it is recognisably harmless. */
export function isShowable(word: string): boolean {
  return !word.includes(CUT) && isHarmless(word);
}

/** `user:password`, in what could be an image with its tag, too. */
function isPair(text: string): boolean {
  const right = /^[A-Za-z][\w.-]{0,64}[:=](?!\/)([^:/@]+)$/.exec(text)?.[1];
  return (
    right !== undefined &&
    !PLAIN_VALUE.test(right) &&
    !/^(latest|stable|main|master|edge|beta|alpha|nightly|alpine|slim|bookworm|dev|=?v?\d[\w.-]{0,40})$/i.test(
      right,
    ) &&
    !/^(npm|jsr|github|git|pypi|docker|http|https|localhost|file):/i.test(text)
  );
}

/** `user:password`, as headers encode it. */
function isEncodedPair(text: string): boolean {
  if (!/^[A-Za-z0-9+/]{8,}={0,2}$/.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text)) {
    return false;
  }
  return /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(Buffer.from(text, 'base64').toString('latin1'));
}

/** A word, a number, a version, a flag, a package, a path, or a URL that is cut already. */
function isHarmless(text: string): boolean {
  if (text.length > 512 || /[\s{}"'`$;|<>]/.test(text.replaceAll(CUT, ''))) {
    return /^[A-Za-z0-9-]+: \[cut\]$/.test(text);
  }
  if (text === CUT || /^\d{1,6}$/.test(text) || /^v?\d{1,8}(\.\d{1,8}){1,3}$/.test(text))
    return true;
  if (/^-[A-Za-z]\[cut\]$/.test(text)) return true;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return true;
  if (/^\/[^/]|^(~|\.{1,2})(\/|$)|^[A-Za-z]:[\\/]/.test(text)) return !/[?=]/.test(text);
  if (isPair(text) || isEncodedPair(text)) return false;
  if (
    /\.(js|mjs|cjs|ts|py|json|ya?ml|toml|sh|jar|exe|dll|rb|go|php|db|sqlite|log|txt|md)$/i.test(
      text,
    )
  ) {
    return !looksRandom(text);
  }
  // A package with its scope and version, an image with its tag, a model's name, plain words.
  const pieces = text
    .replace(/^--?/, '')
    .replace(/@sha256:[0-9a-f]{64}$/, '')
    .split(/[-_.:/@=,+[\]]/);
  // A licence's key: groups of capitals and digits.
  if (pieces.filter((piece) => /^(?=.*\d)(?=.*[A-Z])[A-Z0-9]{3,5}$/.test(piece)).length > 1) {
    return false;
  }
  return pieces.every(
    (piece) =>
      (/^[A-Za-z]{0,24}$/.test(piece) && !/^([a-f]{8,}|[A-Z]{17,})$/.test(piece)) ||
      /^[A-Za-z0-9]{1,5}$/.test(piece),
  );
}
