/** Sorts exact matches first, then options that start with the typed text, then the rest; each part keeps its order. */
export function nearestFirst<T>(
  options: readonly T[],
  typed: string,
  nameOf: (item: T) => string,
): T[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return [...options];
  const distance = (item: T) => {
    const name = nameOf(item).toLowerCase();
    if (name === wanted) return 0;
    return name.startsWith(wanted) ? 1 : 2;
  };
  return options.toSorted((a, b) => distance(a) - distance(b));
}
