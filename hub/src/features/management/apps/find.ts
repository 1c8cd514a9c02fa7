// An app by its name, folded.
import { foldName } from '@gatewarden/shared/names.ts';
import { createTenantBatchLoader } from '../../../platform/db/batch-loader.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { type AppRow, lockAppsNamed, selectAppsNamed, selectAppsOfNames } from './store.ts';

/** Throws 404, and `ambiguous_app_name` where legacy apps share the name. */
export async function findApp(db: Db, tenantId: string, name: string | undefined): Promise<AppRow> {
  return theOne(await selectAppsNamed(db, tenantId, foldName(name ?? '')));
}

/** The same for requests that come by the dozen: those of one tenant at the same moment ask the database together. */
export function appFinder(db: Db): (tenantId: string, name: string | undefined) => Promise<AppRow> {
  const find = createTenantBatchLoader((tenantId, names: readonly string[]) =>
    selectAppsOfNames(db, tenantId, names),
  );
  return async (tenantId, name) => theOne(await find(tenantId, foldName(name ?? '')));
}

/** The same, locked until the transaction ends. */
export async function lockApp(tx: Tx, tenantId: string, name: string | undefined): Promise<AppRow> {
  return theOne(await lockAppsNamed(tx, tenantId, foldName(name ?? '')));
}

function theOne(found: AppRow[]): AppRow {
  const [app, another] = found;
  if (app === undefined) throw new HubError('not_found');
  if (another !== undefined) throw new HubError('ambiguous_app_name');
  return app;
}
