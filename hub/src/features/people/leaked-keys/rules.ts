// Secrets of ours in any text: prefix, form and checksum tell them without a question. Pure.
import { isSecret, SECRET_PREFIXES, type SecretKind } from '@gatewarden/shared/secrets.ts';

export interface FoundSecret {
  kind: SecretKind;
  secret: string;
  /** From 1: where it stands first. */
  line: number;
}

const KINDS = Object.entries(SECRET_PREFIXES) as [SecretKind, string][];
const LENGTH = 50;

/** `_` as it stands, as Markdown escapes it, and as URLs do. Looked ahead: one may begin within what was none. */
const CANDIDATES = /(?=(gw[a-z](?:_|\\_|%5[fF])[0-9A-Za-z]{46}))/g;

/** How far back a secret may begin that a piece of a longer text cuts. */
const OVERLAP = LENGTH + 2;

/** Each secret once, at its first place. Linear in the text, whose first line is `line`. */
export function secretsIn(text: string, line = 1): FoundSecret[] {
  const found = new Map<string, FoundSecret>();
  let at = 0;
  let here = line;
  for (const match of text.matchAll(CANDIDATES)) {
    const [, candidate = ''] = match;
    const secret = `${candidate.slice(0, 3)}_${candidate.slice(-46)}`;
    const kind = KINDS.find(([kind]) => isSecret(kind, secret))?.[0];
    if (kind === undefined || found.has(secret)) continue;
    here += linesBetween(text, at, match.index);
    at = match.index;
    found.set(secret, { kind, secret, line: here });
  }
  return [...found.values()];
}

/** The same of a text that comes in pieces and is never held whole. */
export async function secretsInStream(pieces: AsyncIterable<string>): Promise<FoundSecret[]> {
  const found = new Map<string, FoundSecret>();
  let rest = '';
  let line = 1;
  for await (const piece of pieces) {
    const text = rest + piece;
    for (const one of secretsIn(text, line)) {
      if (!found.has(one.secret)) found.set(one.secret, one);
    }
    const cut = Math.max(0, text.length - OVERLAP);
    line += linesBetween(text, 0, cut);
    rest = text.slice(cut);
  }
  return [...found.values()];
}

function linesBetween(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    lines++;
  }
  return lines;
}
