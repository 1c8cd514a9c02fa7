// Finds an app by its folded name.
import { foldName } from '@gatewarden/shared/names.ts';
import { createTenantBatchLoader } from '../../../platform/db/batch-loader.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { type AppRow, lockAppsNamed, selectAppsNamed, selectAppsOfNames } from './store.ts';

/** Returns the app. Throws 404, and `ambiguous_app_name` if legacy apps share the name. */
export async function findApp(db: Db, tenantId: string, name: string | undefined): Promise<AppRow> {
  return theOne(await selectAppsNamed(db, tenantId, foldName(name ?? '')));
}

/** Returns a batched finder for frequent requests: simultaneous requests of a tenant share a query. */
export function appFinder(db: Db): (tenantId: string, name: string | undefined) => Promise<AppRow> {
  const find = createTenantBatchLoader((tenantId, names: readonly string[]) =>
    selectAppsOfNames(db, tenantId, names),
  );
  return async (tenantId, name) => theOne(await find(tenantId, foldName(name ?? '')));
}

/** Returns the app, locked until the transaction ends. */
export async function lockApp(tx: Tx, tenantId: string, name: string | undefined): Promise<AppRow> {
  return theOne(await lockAppsNamed(tx, tenantId, foldName(name ?? '')));
}

function theOne(matches: AppRow[]): AppRow {
  const [app, another] = matches;
  if (app === undefined) throw new HubError('not_found');
  if (another !== undefined) throw new HubError('ambiguous_app_name');
  return app;
}
