// Batch loaders: simultaneous queries of the same kind are sent as a single statement. A query joins only a statement that
// has not been sent, so its answer always includes earlier writes.
import { outsideTenants, withinTenant } from './tenant-connections.ts';

/** Loads the value of a key, alone or in a batch. */
export type BatchLoader<Key, Value> = (key: Key) => Promise<Value>;

const BATCH_MAX = 500;

/**
 * Returns a loader. `loadBatch` returns the values of many keys in their order. While a batch is loading, the next batch
 * collects keys. If `loadBatch` throws, all keys of its batch reject with the same error.
 */
export function createBatchLoader<Key, Value>(
  loadBatch: (keys: readonly Key[]) => Promise<readonly Value[]>,
): BatchLoader<Key, Value> {
  type Waiting = {
    key: Key;
    resolve(value: Value): void;
    reject(error: unknown): void;
  };
  const queue: Waiting[] = [];
  let isBusy = false;
  const send = async () => {
    const batch = queue.splice(0, BATCH_MAX);
    try {
      const values = await outsideTenants(() => loadBatch(batch.map(({ key }) => key)));
      for (const [i, { resolve }] of batch.entries()) resolve(values[i] as Value);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    if (queue.length > 0) return void send();
    isBusy = false;
  };
  return (key) =>
    new Promise((resolve, reject) => {
      queue.push({ key, resolve, reject });
      if (isBusy) return;
      isBusy = true;
      // The batch is sent after all readable sockets were read, since requests arrive by the dozen.
      setImmediate(() => void send());
    });
}

/** Returns a loader with separate batches per tenant, each loaded as its tenant. Tenants never wait for each other. */
export function createTenantBatchLoader<Key, Value>(
  loadBatch: (tenantId: string, keys: readonly Key[]) => Promise<readonly Value[]>,
): (tenantId: string, key: Key) => Promise<Value> {
  const loaders = new Map<string, { pending: number; load: BatchLoader<Key, Value> }>();
  const loaderOf = (tenantId: string) => {
    const existing = loaders.get(tenantId);
    if (existing !== undefined) return existing;
    const load = createBatchLoader((keys: readonly Key[]) =>
      withinTenant(tenantId, () => loadBatch(tenantId, keys)),
    );
    const loader = { pending: 0, load };
    loaders.set(tenantId, loader);
    return loader;
  };
  return async (tenantId, key) => {
    const loader = loaderOf(tenantId);
    loader.pending += 1;
    try {
      return await loader.load(key);
    } finally {
      loader.pending -= 1;
      if (loader.pending === 0) loaders.delete(tenantId);
    }
  };
}
