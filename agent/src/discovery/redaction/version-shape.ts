// A version as it may leave the device. Whoever writes a manifest may write anything there, a secret among it: versions
// have a shape, and what has another one is not told. Pure.
import { replaceVendorTokens } from './token-shapes.ts';

const MAX_LENGTH = 64;
const MAX_PIECES = 14;
/** What a version may begin with in place of a number: an epoch, `v`, a word that builds are numbered with. */
const BEGINNING =
  /^(\d{1,4}[:!])?((v|ver|version|r|rev|b|build|release|rel|git|svn|p|ide|go|jdk)[-_. ]?)?\d/i;
/** Versions that are words. */
const WORD =
  /^(latest|next|stable|beta|alpha|rc|canary|nightly|dev|devel|development|develop|main|master|trunk|head|edge|unknown|unreleased|snapshot|preview|experimental|insiders|lts|current)$/i;
/** Of an image, which says which one it is. */
const DIGEST = /^sha256:[0-9a-f]{64}$/;
const CHARACTERS = /^[A-Za-z0-9.,+~_:!()# -]+$/;
/** A number, a word, a number with a word behind or before it: `14`, `experimental`, `20240101t123456`, `rc1`, `1ubuntu2`. */
const PIECE =
  /^(\d{1,14}|([a-z]{1,14}|[A-Z]{1,14}|[A-Z][a-z]{1,13})\d{0,14}|\d{1,14}([a-z]{1,14}|[A-Z]{1,14})\d{0,8})$/;
/** The beginning of a commit's hash, as builds carry one. */
const COMMIT = /^g?[0-9a-f]{5,12}$/;

/** The version, or null where it has not the shape of one. */
export function shownVersion(version: string): string | null {
  const text = version.trim();
  if (WORD.test(text) || DIGEST.test(text)) return text;
  if (text.length > MAX_LENGTH || !CHARACTERS.test(text) || !BEGINNING.test(text)) return null;
  if (replaceVendorTokens(text, '') !== text) return null;
  const pieces = text.split(/[^A-Za-z0-9]+/).filter((piece) => piece !== '');
  const odd = pieces.filter((piece) => !PIECE.test(piece));
  // More than one looks like an id in parts, as a UUID is written.
  return pieces.length <= MAX_PIECES && odd.length <= 1 && odd.every((piece) => COMMIT.test(piece))
    ? text
    : null;
}
