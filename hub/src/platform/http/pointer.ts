// JSON pointers (RFC 6901): names in them, and what they point at.

/** One name as a JSON pointer holds it. */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The same for a message: cut where it is endless. */
export function pointerPart(name: string): string {
  return escapePointer(name).slice(0, 100);
}

/** What the pointer leads to, by own members only; undefined where that is nothing. */
export function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (inner, name) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
          ? (inner as Record<string, unknown>)[name]
          : undefined,
      value,
    );
}
