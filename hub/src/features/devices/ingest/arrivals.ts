// Applications that arrive with a group of batches, as far as policies for products are concerned.
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { Item } from './batch-state.ts';
import type { Described } from './entity-store.ts';

export interface Arrival {
  entity: WireEntity;
  platform: Platform;
}

/** Policies for products: the tenant's new applications are covered in the transaction that records them. */
export interface ArrivalPolicies {
  /** Resolves from memory; true where a policy does not cover some of these applications yet. */
  concern(tenantId: string, arrivals: readonly Arrival[]): Promise<boolean>;
  /** Covers them, behind the lock of the governance feed. */
  cover(tx: Tx, tenantId: string, arrivals: readonly Arrival[]): Promise<void>;
}

/** Returns what a batch reports that its device did not report just so before. */
export const arrivalsOf = ({ news, facts }: Item): Arrival[] =>
  news
    .filter((sent) => !sent.isRemoval)
    .map(({ entity }) => ({ entity, platform: facts.platform }));

/** Returns the applications that a merged group describes. */
export const describedArrivals = (described: ReadonlyMap<string, Described>): Arrival[] =>
  [...described.values()].map(({ entity, platform }) => ({ entity, platform }));
