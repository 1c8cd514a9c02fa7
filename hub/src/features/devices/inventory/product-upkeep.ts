// Jobs that keep apps up to date where ingest does not, so that unchanged scans cost nothing: name conflicts, the time an app
// was last seen, and classification after an upgrade. Any hub may run them at any time.
import { foldName } from '@gatewarden/shared/names.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import {
  lockNames,
  lockStale,
  lockUnclassified,
  nameProduct,
  type ProductNames,
  selectNameConflicts,
  selectNameCounts,
  selectScanning,
  selectTenantsToClassify,
  storeDriftCapability,
  updateLastSeen,
} from './product-store.ts';

const NAME_CONFLICTS_MAX = 1_000;
const LAST_SEEN_PAGE = 500;
/** An app without launches needs a read of all its devices, during which it is locked: about 0.1 s. */
const CLASSIFIED_PAGE = { products: 200, devices: 20_000 };
/** Maximum of a run of the job, so that it ends; the next run begins within a minute. */
const CLASSIFIED_PAGES_MAX = 500;

/** Resolves name conflicts: an app gets the name that most devices report. */
export async function resolveNameConflicts(db: Db): Promise<void> {
  for (const { tenant_id: tenantId, entity_id: entityId } of await selectNameConflicts(
    db,
    NAME_CONFLICTS_MAX,
  )) {
    await transact(db, async (tx) => {
      // Behind the product's lock: a report that is under way doubts the name again after this.
      const current = await lockNames(tx, tenantId, entityId);
      if (current === null) return;
      const counts = await selectNameCounts(tx, tenantId, entityId);
      const names = mostCommonNames(current, counts);
      await nameProduct(tx, tenantId, entityId, {
        ...names,
        nameFolded: foldName(names.name),
        differ: counts.some((count) => !areSame(count, names)),
      });
    });
  }
}

/** Returns the most reported name; the current name if another is equally common. */
export function mostCommonNames(
  current: ProductNames,
  counts: readonly (ProductNames & { devices: number })[],
): ProductNames {
  const most = <Value>(of: (productNames: ProductNames) => Value): Value => {
    const sums = new Map<Value, number>();
    for (const count of counts) sums.set(of(count), (sums.get(of(count)) ?? 0) + count.devices);
    let best = of(current);
    for (const [value, devices] of sums) {
      if (devices > (sums.get(best) ?? 0)) best = value;
    }
    return best;
  };
  return {
    name: most((productNames) => productNames.name),
    publisher: most((productNames) => productNames.publisher),
  };
}

const areSame = (a: ProductNames, b: ProductNames) =>
  a.name === b.name && a.publisher === b.publisher;

/**
 * Moves the last sight of products on that devices still have. One device that was scanned since is enough, so a product
 * is hours behind at most, and a popular app costs no more than a rare app.
 */
export async function touchLastSeen(db: Db): Promise<void> {
  for (const tenantId of await selectScanning(db)) {
    let after: Buffer = Buffer.alloc(0);
    for (;;) {
      const ids = await transact(db, async (tx) => {
        const stale = await lockStale(tx, tenantId, after, LAST_SEEN_PAGE);
        await updateLastSeen(tx, tenantId, stale);
        return stale;
      });
      const last = ids.at(-1);
      if (last === undefined || ids.length < LAST_SEEN_PAGE) break;
      after = last;
    }
  }
}

/** Classifies apps that an older release stored without `may_drift`, by their devices. */
export async function classifyDriftCapability(db: Db): Promise<void> {
  for (const tenantId of await selectTenantsToClassify(db)) {
    for (let page = 0; page < CLASSIFIED_PAGES_MAX; page++) {
      const looked = await transact(db, async (tx) => {
        const ids = await lockUnclassified(tx, tenantId, CLASSIFIED_PAGE);
        await storeDriftCapability(tx, tenantId, ids);
        return ids.length;
      });
      if (looked === 0) break;
    }
  }
}
