// Case folding, globs and version order: pure rules that agent, hub and pages share.

/** Returns the form in which names are compared: NFC, trimmed, lower case. */
export function foldName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

/**
 * Returns whether the folded `name` matches a glob of `*` and `?`. The cost is at most pattern length times name
 * length, without regular expressions.
 */
export function globMatches(glob: string, name: string): boolean {
  const pattern = [...foldName(glob)];
  const text = [...foldName(name)];
  let p = 0;
  let t = 0;
  let starAt = -1;
  let resumeAt = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      starAt = p++;
      resumeAt = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (starAt >= 0) {
      p = starAt + 1;
      t = ++resumeAt;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

const PRERELEASE =
  /^[-.+_]*(alpha|beta|rc|pre|preview|dev|canary|nightly|snapshot|a(?=\d)|b(?=\d))/i;

/**
 * Compares two versions numerically: negative if `a` is older, 0 if equal. Handles Debian epochs (`1:`), `~` and the
 * usual pre-release words. Numbers of any length compare exactly; `1` equals `1.0`.
 */
export function compareVersions(a: string, b: string): number {
  const left = splitEpoch(a.trim());
  const right = splitEpoch(b.trim());
  return compareDigits(left.epoch, right.epoch) || comparePieces(left.rest, right.rest);
}

function splitEpoch(version: string): { epoch: string; rest: string } {
  const match = /^(\d+):(.*)$/s.exec(version);
  return match
    ? { epoch: match[1] ?? '0', rest: match[2] ?? '' }
    : { epoch: '0', rest: version.replace(/^v(?=\d)/i, '') };
}

/** A part of a version. Its rank and text do not depend on the other version, which makes the order transitive. */
interface Piece {
  rank: (typeof RANK)[keyof typeof RANK];
  text: string;
}

/** Ranks of the part after an equal prefix: `-rc` sorts before the end, `-1` after it, `.1` later still. */
const RANK = { prerelease: 0, end: 1, word: 2, dot: 3, number: 4 } as const;
const END: Piece = { rank: RANK.end, text: '' };

function comparePieces(a: string, b: string): number {
  const left = piecesOf(a);
  const right = piecesOf(b);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const l = left[i] ?? END;
    const r = right[i] ?? END;
    if (l.rank !== r.rank) return l.rank - r.rank;
    if (l.rank === RANK.number) {
      const order = compareDigits(l.text, r.text);
      if (order !== 0) return order;
    } else if (l.text !== r.text) {
      return l.text < r.text ? -1 : 1;
    }
  }
  return 0;
}

function piecesOf(version: string): Piece[] {
  // Trailing zero components do not change a version.
  const runs = version.replace(/(\.0+)+(?!\d|\.\d)/g, '').match(/\d+|~|[^\d~]+/g) ?? [];
  return runs.map((run, i) => {
    if (/^\d/.test(run)) return { rank: RANK.number, text: run };
    if (run === '~') return { rank: RANK.prerelease, text: '' };
    if (PRERELEASE.test(run + (runs[i + 1] ?? ''))) {
      return { rank: RANK.prerelease, text: run.replace(/^[-.+_]+/, '').toLowerCase() };
    }
    return { rank: run.startsWith('.') ? RANK.dot : RANK.word, text: run };
  });
}

function compareDigits(a: string, b: string): number {
  const left = a.replace(/^0+(?=\d)/, '');
  const right = b.replace(/^0+(?=\d)/, '');
  if (left.length !== right.length) return left.length - right.length;
  return left === right ? 0 : left < right ? -1 : 1;
}
