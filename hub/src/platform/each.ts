/** Does the work for one after the other; one that fails keeps no other back. Throws at the end: `complaint`, with why. */
export async function eachByItself<Item>(
  items: Iterable<Item>,
  complaint: string,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const one of items) {
    try {
      await work(one);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, complaint);
}
