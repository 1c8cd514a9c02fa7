// Dependencies of the routes of products, passed in where the hub is composed.
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { PageEvents } from '../../../platform/feed/page-events.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import type { CoveredByName } from '../inventory/index.ts';
import type { Snapshots } from '../sync/index.ts';
import type { PolicyCache } from './policy-cache.ts';

export interface ProductPagesDeps {
  db: Db;
  cursors: CursorSealer;
  snapshots: Snapshots;
  coveredByName: CoveredByName;
}

export interface ProductPolicyDeps {
  db: Db;
  cursors: CursorSealer;
  snapshots: Snapshots;
  pages: PageEvents;
  policies: PolicyCache;
  mappingsOf(tenantId: string): Promise<readonly ProcessMapping[]>;
}
