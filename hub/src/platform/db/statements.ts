// A file of SQL as its statements. Citus hands a change of a table to its workers with the whole text it came in, so a
// statement of a migration comes alone.

/** What is not code: quoted text, names, dollar-quoted bodies, comments. */
const OPAQUE = /'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\//y;

/** In their order, without what is only comment or space. Escapes in the form of E'…\'' are not known. */
export function statementsOf(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  let hasCode = false;
  const end = (at: number) => {
    if (hasCode) found.push(text.slice(from, at).trim());
    from = at + 1;
    hasCode = false;
  };
  for (let at = 0; at < text.length; ) {
    OPAQUE.lastIndex = at;
    const opaque = OPAQUE.exec(text)?.[0];
    if (opaque !== undefined) {
      hasCode ||= !/^(--|\/\*)/.test(opaque);
      at += opaque.length;
      continue;
    }
    if (text[at] === ';') end(at);
    else hasCode ||= text[at]?.trim() !== '';
    at += 1;
  }
  end(text.length);
  return found;
}
