// JSON pointers (RFC 6901): escaping names and resolving pointers.

/** Escapes a name for a JSON pointer (RFC 6901 §3). */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Escapes a name for a message and truncates it to 100 characters. */
export function pointerPart(name: string): string {
  return escapePointer(name).slice(0, 100);
}

/** Resolves a pointer through own members only. Returns undefined if it resolves to nothing. */
export function resolvePointer(value: unknown, pointer: string): unknown {
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
