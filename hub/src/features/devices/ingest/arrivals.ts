// Apps that arrive with batches, for product policies.
import type { Arrival } from './arrival-policies.ts';
import type { PendingBatch } from './batch-state.ts';
import type { ProductDescription } from './entity-store.ts';

/** Returns apps of a batch that its device did not report with the same content before. */
export const arrivalsOf = ({ changedEntities, deviceFacts }: PendingBatch): Arrival[] =>
  changedEntities
    .filter((sent) => !sent.isRemoval)
    .map(({ entity }) => ({ entity, platform: deviceFacts.platform }));

/** Returns apps that merged batches describe. */
export const describedArrivals = (described: ReadonlyMap<string, ProductDescription>): Arrival[] =>
  [...described.values()].map(({ entity, platform }) => ({ entity, platform }));
