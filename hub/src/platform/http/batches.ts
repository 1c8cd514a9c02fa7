// What every device POST shares: a bound on items (50 where nothing else is said), each id once.
import { BATCH_LIMIT } from '@gatewarden/shared/wire/sync/limits.ts';
import { HubError } from './errors.ts';

/** Throws `batch_too_large`, or 400 with a pointer where an id stands twice. */
export function checkItems<Item>(
  name: string,
  items: readonly Item[],
  idName: keyof Item & string,
  limit: number = BATCH_LIMIT,
): void {
  if (items.length > limit) {
    throw new HubError(
      'batch_too_large',
      `/${name} has ${items.length} items. The maximum is ${limit}.`,
    );
  }
  const seen = new Set<string>();
  items.forEach((item, i) => {
    const id = String(item[idName]).toLowerCase();
    if (seen.has(id)) {
      throw new HubError('invalid_request', `/${name}/${i}/${idName} is a duplicate in this batch`);
    }
    seen.add(id);
  });
}
