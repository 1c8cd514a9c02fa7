/** Runs `work` for each item in turn. A failure does not stop other items; at the end it throws an AggregateError. */
export async function forEachIsolated<Item>(
  items: Iterable<Item>,
  message: string,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, message);
}
