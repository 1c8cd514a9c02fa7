// SQL of saved views.
import type { SavedView } from '@gatewarden/shared/wire/console/saved-views.ts';
import { sql } from 'kysely';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';

/** Returns the views of a person (a folded address), by list and name. */
export function selectViews(db: Db, tenantId: string, person: string): Promise<SavedView[]> {
  return rows(
    db,
    sql<SavedView>`
      SELECT view_id, list, name, search FROM saved_views
      WHERE tenant_id = ${tenantId} AND person = ${person} ORDER BY list, name_folded`,
  );
}

/** Stores a view under its name; an existing view is replaced and keeps its id. */
export async function upsertView(
  tx: Tx,
  tenantId: string,
  person: string,
  view: SavedView & { name_folded: string },
): Promise<SavedView> {
  const stored = await row(
    tx,
    sql<SavedView>`
      INSERT INTO saved_views (tenant_id, view_id, person, list, name, name_folded, search)
      VALUES (${tenantId}, ${view.view_id}, ${person}, ${view.list}, ${view.name},
        ${view.name_folded}, ${JSON.stringify(view.search)}::jsonb)
      ON CONFLICT (tenant_id, person, list, name_folded)
      DO UPDATE SET name = excluded.name, search = excluded.search
      RETURNING view_id, list, name, search`,
  );
  return stored ?? view;
}

/** Deletes a view. Returns null if the person has none with this id. */
export function deleteView(
  tx: Tx,
  tenantId: string,
  person: string,
  viewId: string,
): Promise<{ name: string; list: string } | null> {
  return row(
    tx,
    sql<{ name: string; list: string }>`
      DELETE FROM saved_views
      WHERE tenant_id = ${tenantId} AND person = ${person} AND view_id = ${viewId}
      RETURNING name, list`,
  );
}

/** Deletes all views of a person. Returns their number. */
export async function eraseViews(tx: Tx, tenantId: string, person: string): Promise<number> {
  const deleted = await rows(
    tx,
    sql`
      DELETE FROM saved_views WHERE tenant_id = ${tenantId} AND person = ${person}
      RETURNING view_id`,
  );
  return deleted.length;
}
