// Folding, globbing and version order: pure text rules that agent, hub and pages must agree on.

/** NFC, trimmed, lower case: the form in which names are compared. */
export function foldName(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}

/** True when `name` (folded) fits a glob that knows `*` and `?`. Linear in pattern times name, no regular expression. */
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

const PRERELEASE = /^[-.~+_]?(alpha|beta|rc|pre|preview|dev|canary|nightly|snapshot|a\d|b\d)/i;

/**
 * Orders two versions by number: negative when `a` is older. Knows Debian epochs (`1:`), `~` and the usual
 * pre-release words; numbers of any length compare exactly.
 */
export function compareVersions(a: string, b: string): number {
  const left = splitEpoch(a.trim());
  const right = splitEpoch(b.trim());
  return compareDigits(left.epoch, right.epoch) || compareRuns(left.rest, right.rest);
}

function splitEpoch(version: string): { epoch: string; rest: string } {
  const found = /^(\d+):(.*)$/s.exec(version);
  return found
    ? { epoch: found[1] ?? '0', rest: found[2] ?? '' }
    : { epoch: '0', rest: version.replace(/^v(?=\d)/i, '') };
}

function compareRuns(a: string, b: string): number {
  const left = a.match(/\d+|\D+/g) ?? [];
  const right = b.match(/\d+|\D+/g) ?? [];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const l = left[i];
    const r = right[i];
    if (l === undefined) return -rankOfTail(right.slice(i).join(''));
    if (r === undefined) return rankOfTail(left.slice(i).join(''));
    const digitsLeft = /^\d/.test(l);
    const digitsRight = /^\d/.test(r);
    if (digitsLeft && digitsRight) {
      const order = compareDigits(l, r);
      if (order !== 0) return order;
    } else if (l !== r) {
      return compareWords(left.slice(i).join(''), right.slice(i).join(''), l, r);
    }
  }
  return 0;
}

function compareWords(tailLeft: string, tailRight: string, l: string, r: string): number {
  const rankLeft = rankOfTail(tailLeft);
  const rankRight = rankOfTail(tailRight);
  if (rankLeft !== rankRight) return rankLeft - rankRight;
  return l < r ? -1 : 1;
}

/** What follows an equal beginning: a pre-release is older than nothing, anything else is newer, zeros are equal. */
function rankOfTail(tail: string): number {
  if (tail.startsWith('~') || PRERELEASE.test(tail)) return -1;
  return /^(\.0+)*$/.test(tail) ? 0 : 1;
}

function compareDigits(a: string, b: string): number {
  const left = a.replace(/^0+(?=\d)/, '');
  const right = b.replace(/^0+(?=\d)/, '');
  if (left.length !== right.length) return left.length - right.length;
  return left === right ? 0 : left < right ? -1 : 1;
}
