// Versions that may leave the device. A manifest may contain anything as a version, even a secret: only texts with
// the shape of a version are reported. Pure.
import { replaceVendorTokens } from './token-shapes.ts';

const MAX_LENGTH = 64;
const MAX_PIECES = 14;
/** Prefixes of a version: an epoch, `v`, a word before the number of a build. */
const BEGINNING =
  /^(\d{1,4}[:!])?((v|ver|version|r|rev|b|build|release|rel|git|svn|p|ide|go|jdk)[-_. ]?)?\d/i;
/** Versions that are words. */
const WORD =
  /^(latest|next|stable|beta|alpha|rc|canary|nightly|dev|devel|development|develop|main|master|trunk|head|edge|unknown|unreleased|snapshot|preview|experimental|insiders|lts|current)$/i;
/** Digest of an image, which identifies it. */
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const CHARACTERS = /^[A-Za-z0-9.,+~_:!()# -]+$/;
/** A number, a word, a number with a word behind or before it: `14`, `experimental`, `20240101t123456`, `rc1`, `1ubuntu2`. */
const PIECE =
  /^(\d{1,14}|([a-z]{1,14}|[A-Z]{1,14}|[A-Z][a-z]{1,13})\d{0,14}|\d{1,14}([a-z]{1,14}|[A-Z]{1,14})\d{0,8})$/;
/** Prefix of a commit's hash in a build's version. */
const COMMIT = /^g?[0-9a-f]{5,12}$/;

/** Returns the version, or null where it does not have the shape of a version. */
export function shownVersion(version: string): string | null {
  const text = version.trim();
  if (WORD.test(text) || DIGEST.test(text)) return text;
  if (text.length > MAX_LENGTH || !CHARACTERS.test(text) || !BEGINNING.test(text)) return null;
  if (replaceVendorTokens(text, '') !== text) return null;
  const pieces = text.split(/[^A-Za-z0-9]+/).filter((piece) => piece !== '');
  const odd = pieces.filter((piece) => !PIECE.test(piece));
  // Several parts look like an id such as a UUID.
  return pieces.length <= MAX_PIECES && odd.length <= 1 && odd.every((piece) => COMMIT.test(piece))
    ? text
    : null;
}
