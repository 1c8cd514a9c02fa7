// Splits a SQL file into statements. Citus sends the complete query text of a table change to its workers, so each statement
// of a migration must be sent separately.

/** Matches text that contains no statement separator: quoted text, names, dollar-quoted bodies, comments. */
const OPAQUE = /'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\//y;

/** Returns the statements in order, without comments between them. Escape strings such as E'…\'' are not supported. */
export function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let from = 0;
  let hasCode = false;
  const end = (at: number) => {
    if (hasCode) statements.push(text.slice(from, at).trim());
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
  return statements;
}
