// Finds secrets of this hub in any text by prefix, length and checksum, without a query. Pure.
import { isSecret, SECRET_PREFIXES, type SecretKind } from '@gatewarden/shared/secrets.ts';

export interface FoundSecret {
  kind: SecretKind;
  secret: string;
  /** The line of its first occurrence, from 1. */
  line: number;
}

const KINDS = Object.entries(SECRET_PREFIXES) as [SecretKind, string][];
const LENGTH = 50;

/**
 * Matches `_` as it is, as Markdown escapes it, and as URLs encode it. A lookahead, because a secret may begin within a
 * false match.
 */
const CANDIDATES = /(?=(gw[a-z](?:_|\\_|%5[fF])[0-9A-Za-z]{46}))/g;

/** The length of a secret that the end of a chunk can cut, minus a character. */
const OVERLAP = LENGTH + 2;

/**
 * Returns each secret once, at its first occurrence, in linear time. `line` is the number of the first line of the
 * text.
 */
export function findSecrets(text: string, line = 1): FoundSecret[] {
  const secrets = new Map<string, FoundSecret>();
  let at = 0;
  let currentLine = line;
  for (const match of text.matchAll(CANDIDATES)) {
    const [, candidate = ''] = match;
    const secret = `${candidate.slice(0, 3)}_${candidate.slice(-46)}`;
    const kind = KINDS.find(([kind]) => isSecret(kind, secret))?.[0];
    if (kind === undefined || secrets.has(secret)) continue;
    currentLine += countLines(text, at, match.index);
    at = match.index;
    secrets.set(secret, { kind, secret, line: currentLine });
  }
  return [...secrets.values()];
}

/** Finds secrets in a text that arrives in chunks, without keeping the complete text. */
export async function findSecretsInStream(chunks: AsyncIterable<string>): Promise<FoundSecret[]> {
  const secrets = new Map<string, FoundSecret>();
  let rest = '';
  let line = 1;
  for await (const chunk of chunks) {
    const text = rest + chunk;
    for (const secret of findSecrets(text, line)) {
      if (!secrets.has(secret.secret)) secrets.set(secret.secret, secret);
    }
    const cut = Math.max(0, text.length - OVERLAP);
    line += countLines(text, 0, cut);
    rest = text.slice(cut);
  }
  return [...secrets.values()];
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    lines++;
  }
  return lines;
}
