// The routes of the console that commands use.

import { registerRequestPages } from '../features/devices/access-requests/index.ts';
import { registerAlertPages } from '../features/devices/alerts/index.ts';
import { registerAgentTokens } from '../features/devices/enrollment/index.ts';
import { registerGroupReading } from '../features/devices/groups/index.ts';
import { registerDevicePages } from '../features/devices/inventory/index.ts';
import { auditViews, registerRetirement } from '../features/devices/lifecycle/index.ts';
import { coveredByName, registerGovernancePages } from '../features/devices/overrides/index.ts';
import { createProcessMaps } from '../features/devices/processes/index.ts';
import {
  createPolicyCache,
  registerProductPages,
  registerProductPolicies,
} from '../features/devices/products/index.ts';
import { createSnapshots, readSnapshot } from '../features/devices/sync/index.ts';
import type { Db } from '../platform/db/database.ts';
import type { Notifications } from '../platform/feed/notifications.ts';
import type { PageEvents } from '../platform/feed/page-events.ts';
import type { CursorSealer } from '../platform/http/lists/cursors.ts';
import type { App } from '../platform/http/server/app.ts';

/** Registers the routes of devices, products, policies, alerts and access requests in a scope of the operator. */
export function registerOperatorPages(
  scope: App,
  deps: { db: Db; notifications: Notifications; pages: PageEvents; cursors: CursorSealer },
): void {
  const { db, notifications, pages, cursors } = deps;
  const snapshots = createSnapshots(
    (tenantId, before) => readSnapshot(db, tenantId, before),
    notifications,
  );
  const maps = createProcessMaps(db, notifications);
  auditViews(scope, db);
  registerDevicePages(scope, { db, cursors });
  registerRetirement(scope, db);
  registerGroupReading(scope, { db, cursors });
  registerProductPages(scope, {
    ...{ db, cursors, snapshots },
    coveredByName: coveredByName({ db, snapshots }),
  });
  const mappingsOf = async (tenantId: string) => (await maps.of(tenantId)).answer.mappings;
  registerProductPolicies(scope, {
    ...{ db, cursors, snapshots, pages, mappingsOf },
    policies: createPolicyCache(db, notifications),
  });
  registerGovernancePages(scope, { db, cursors, snapshots, pages, mappingsOf });
  registerAgentTokens(scope, { db, cursors });
  registerAlertPages(scope, { db, cursors });
  registerRequestPages(scope, { db, cursors, snapshots });
}
