// Product policies as ingest sees them: new apps are covered in the transaction that stores them.
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { Tx } from '../../../platform/db/database.ts';

/** An app that a batch reports. */
export interface Arrival {
  entity: WireEntity;
  platform: Platform;
}

export interface ArrivalPolicies {
  /** Returns from memory whether a policy does not cover some of these apps yet. */
  mayCover(tenantId: string, arrivals: readonly Arrival[]): Promise<boolean>;
  /** Covers these apps. The caller has the lock of the governance feed. */
  cover(tx: Tx, tenantId: string, arrivals: readonly Arrival[]): Promise<void>;
}
