// Names of tools as people write them down, with `*` for any letters. Pure.

export interface ToolRules {
  allow?: string[] | undefined;
  deny?: string[] | undefined;
}

/** A denied tool is denied whatever allows it. */
export function matchesToolRules(tool: string, rules: ToolRules | null): boolean {
  if (rules === null) return true;
  const hits = (patterns: readonly string[]) => patterns.some((pattern) => matches(pattern, tool));
  if (hits(rules.deny ?? [])) return false;
  return rules.allow === undefined || hits(rules.allow);
}

export function matches(pattern: string, tool: string): boolean {
  // Piece by piece from the left: no pattern makes it look twice at the same letters.
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return tool === pattern;
  if (!tool.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const piece of rest) {
    const found = tool.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return tool.length - last.length >= at && tool.endsWith(last);
}

export const isPattern = (text: string) => text.includes('*');
