// Changes single keys in the text of a TOML file, so that comments and layout stay as somebody wrote them. Pure.
import { stringify } from 'smol-toml';

/** Returns the text with the key's line replaced, added, or (null) removed. Only for values on a single line. */
export function editKey(text: string, key: string, value: string | number | null): string {
  const [section = '', name = ''] = key.split('.');
  const ending = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text === '' ? [] : text.split(/\r?\n/);
  const header = lines.findIndex((line) => sectionOf(line) === section);
  if (header < 0) {
    if (value === null) return text;
    const before = lines.join(ending).trimEnd();
    const gap = before === '' ? '' : `${ending}${ending}`;
    return `${before}${gap}[${section}]${ending}${lineOf(name, value)}${ending}`;
  }
  const next = lines.findIndex((line, at) => at > header && sectionOf(line) !== null);
  const end = next < 0 ? lines.length : next;
  const at = lines.findIndex((line, i) => i > header && i < end && nameOf(line) === name);
  if (value === null) {
    if (at >= 0) lines.splice(at, 1);
  } else if (at >= 0) lines[at] = lineOf(name, value);
  else lines.splice(lastOf(lines, header, end) + 1, 0, lineOf(name, value));
  return lines.join(ending);
}

const lineOf = (name: string, value: string | number) => stringify({ [name]: value }).trimEnd();

/** Returns the name of a section's header; `''` for a header in another form. */
function sectionOf(line: string): string | null {
  if (!/^\s*\[/.test(line)) return null;
  return /^\s*\[\s*["']?([\w-]+)["']?\s*\]\s*(#.*)?$/.exec(line)?.[1] ?? '';
}

const nameOf = (line: string) => /^\s*["']?([\w-]+)["']?\s*=/.exec(line)?.[1] ?? null;

/** Returns the section's last line that is not blank: a new line goes before the gap to the next section. */
function lastOf(lines: readonly string[], header: number, end: number): number {
  for (let at = end - 1; at > header; at--) if (nameOf(lines[at] ?? '') !== null) return at;
  return header;
}
