// Patterns of names: `*` matches any characters of a name.

/** A test for names against a segment such as `lib*.jar`. Linear: no regular expression is made of it. */
export function globSegment(segment: string): (name: string) => boolean {
  const parts = segment.split('*');
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  return (name) => {
    if (parts.length === 1) return name === segment;
    if (!name.startsWith(first) || name.length < first.length + last.length) return false;
    let from = first.length;
    for (const part of parts.slice(1, -1)) {
      const at = name.indexOf(part, from);
      if (at < 0) return false;
      from = at + part.length;
    }
    return name.endsWith(last) && from <= name.length - last.length;
  };
}
