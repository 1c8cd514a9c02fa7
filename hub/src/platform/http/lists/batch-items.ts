// Checks the items of every device POST: their number (at most 50 by default) and unique ids.
import { BATCH_LIMIT } from '@gatewarden/shared/wire/sync/limits.ts';
import { HubError } from '../errors/errors.ts';

/** Rejects a batch with too many items (`batch_too_large`) or a duplicate id (`invalid_request` with its pointer). */
export function checkBatchItems<Item>(
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
