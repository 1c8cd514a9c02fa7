// SQL of apps.
import type { AppMode } from '@gatewarden/shared/wire/management/app-config.ts';
import { sql } from 'kysely';
import type { SealedColumn } from '../../../platform/crypto/sealed-columns.ts';
import { type Db, row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY, containsPattern } from '../../../platform/db/list-conditions.ts';
import { limitPageBytes, type PageRow } from '../../../platform/db/page-byte-limit.ts';
import { PREPARED } from '../../../platform/db/prepared-statements.ts';
import {
  PENDING_BY_FLAG,
  type SearchedList,
  type SearchScope,
  scopeRows,
  searchPage,
} from '../../../platform/db/search-index.ts';

export interface InlineProvider {
  provider_name: string;
  provider_settings: Record<string, unknown>;
}

export interface AppRow {
  app_id: string;
  name: string;
  name_folded: string;
  mode: AppMode;
  enabled: boolean;
  provider_labels: string[];
  tags: string[];
  config: Record<string, unknown>;
  sealed_urls: string | null;
  inline_providers: InlineProvider[] | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export const SEALED_URLS: SealedColumn = {
  table: 'apps',
  column: 'sealed_urls',
  key: ['tenant_id', 'app_id'],
};
/** The settings of a legacy app's own providers. */
export const SEALED_INLINE: SealedColumn = { ...SEALED_URLS, column: 'sealed_inline' };

const COLUMNS = sql`app_id, name, name_folded, mode, enabled, provider_labels, tags, config,
  sealed_urls, inline_providers, version, created_at, updated_at`;

/** Returns all apps with this name: several only if legacy apps share it. */
export function selectAppsNamed(db: Db, tenantId: string, folded: string): Promise<AppRow[]> {
  return rows(
    db,
    sql<AppRow>`
      ${PREPARED} SELECT ${COLUMNS} FROM apps WHERE tenant_id = ${tenantId} AND name_folded = ${folded}
      LIMIT 2`,
  );
}

/** Returns the apps of many names at once, in the order of the names. */
export async function selectAppsOfNames(
  db: Db,
  tenantId: string,
  folded: readonly string[],
): Promise<AppRow[][]> {
  const found = await rows(
    db,
    sql<AppRow>`
      ${PREPARED} SELECT ${COLUMNS} FROM apps
      WHERE tenant_id = ${tenantId} AND name_folded = ANY (${[...new Set(folded)]}::text[])`,
  );
  const named = Map.groupBy(found, (app) => app.name_folded);
  return folded.map((name) => named.get(name) ?? []);
}

/** Returns the apps with this name, locked until the transaction ends. */
export function lockAppsNamed(tx: Tx, tenantId: string, folded: string): Promise<AppRow[]> {
  return rows(
    tx,
    sql<AppRow>`
      ${PREPARED} SELECT ${COLUMNS} FROM apps WHERE tenant_id = ${tenantId} AND name_folded = ${folded}
      LIMIT 2 FOR NO KEY UPDATE`,
  );
}

export interface AppName {
  app_id: string;
  name: string;
  name_folded: string;
  enabled: boolean;
}

/** Returns all apps of the tenant; names that legacy apps share occur several times. */
export function selectAppNames(db: Db, tenantId: string): Promise<AppName[]> {
  return rows(
    db,
    sql<AppName>`
      SELECT app_id, name, name_folded, enabled FROM apps WHERE tenant_id = ${tenantId}
      ORDER BY name_folded, app_id`,
  );
}

/** Returns the apps with these ids or folded names. */
export function selectAppsMeant(
  db: Db,
  tenantId: string,
  meant: { ids: readonly string[]; folded: readonly string[] },
): Promise<AppName[]> {
  return rows(
    db,
    sql<AppName>`
      SELECT app_id, name, name_folded, enabled FROM apps
      WHERE tenant_id = ${tenantId}
        AND (app_id = ANY (${meant.ids}::uuid[]) OR name_folded = ANY (${meant.folded}))`,
  );
}

export interface AlertingRow {
  tenant_id: string;
  app_id: string;
  name: string;
  alerting: object;
}

/** Returns enabled apps of all tenants with alerts at any level. */
export function selectAlertingApps(db: Db): Promise<AlertingRow[]> {
  return rows(
    db,
    sql<AlertingRow>`
      SELECT tenant_id, app_id, name, config -> 'alerting' AS alerting FROM apps
      WHERE enabled AND (config #> '{alerting,app_level,enabled}' = 'true'::jsonb
        OR config #> '{alerting,provider_level,enabled}' = 'true'::jsonb)`,
  );
}

export interface AppFilter {
  /** Folded; matches anywhere in the name. */
  name?: string;
  tag?: string;
  enabled?: boolean;
}

export const SEARCHED_APPS: SearchedList = {
  table: 'apps',
  id: 'app_id',
  texts: [sql`t.name_folded`],
  ...PENDING_BY_FLAG,
};

export function selectApps(
  db: Db,
  tenantId: string,
  { name, tag, enabled }: AppFilter,
  after: readonly string[] | undefined,
  limit: number,
): Promise<(AppRow & PageRow)[]> {
  const own = sql`a.tenant_id = ${tenantId}
    AND ${after === undefined ? ANY : sql`(a.name_folded, a.app_id) > (${after[0]}, ${after[1]}::uuid)`}
    AND ${tag === undefined ? ANY : sql`a.tags ? ${tag}`}
    AND ${enabled === undefined ? ANY : sql`a.enabled = ${enabled}`}`;
  const order = sql`a.name_folded, a.app_id`;
  const ask = (scope: SearchScope) => {
    const found = sql`
      SELECT ${COLUMNS}, octet_length(config::text) + octet_length(provider_labels::text)
        + octet_length(tags::text) + coalesce(octet_length(inline_providers::text), 0) AS own_bytes
      FROM ${scopeRows(scope, SEARCHED_APPS, { alias: 'a', own, order })} a
      WHERE ${own} AND ${name === undefined ? ANY : sql`a.name_folded LIKE ${containsPattern(name)}`}
      ORDER BY ${order} LIMIT ${limit}`;
    return rows(db, sql<AppRow & PageRow>`${limitPageBytes(found, sql`name_folded, app_id`)}`);
  };
  if (name === undefined) return ask({ in: 'all' });
  return searchPage(db, { list: SEARCHED_APPS, tenantId, pieces: [name], limit }, ask);
}

/** Returns apps with this folded text in their name, by name. */
export function searchApps(
  db: Db,
  tenantId: string,
  name: string,
  limit: number,
): Promise<{ name: string }[]> {
  const ask = (scope: SearchScope) =>
    rows(
      db,
      sql<{ name: string }>`
      SELECT a.name FROM ${scopeRows(scope, SEARCHED_APPS, {
        alias: 'a',
        own: sql`a.tenant_id = ${tenantId}`,
        order: sql`a.name_folded, a.app_id`,
      })} a
      WHERE a.tenant_id = ${tenantId} AND a.name_folded LIKE ${containsPattern(name)}
      ORDER BY a.name_folded, a.app_id LIMIT ${limit}`,
    );
  return searchPage(db, { list: SEARCHED_APPS, tenantId, pieces: [name], limit }, ask);
}

export interface NewApp {
  app_id: string;
  name: string;
  name_folded: string;
  mode: AppMode;
  enabled: boolean;
  provider_labels: readonly string[];
  tags: readonly string[];
  config: object;
  sealed_urls: string | null;
  policy_baseline: object | null;
}

/** Stores an app. Returns null if the name is taken. */
export function insertApp(tx: Tx, tenantId: string, app: NewApp): Promise<AppRow | null> {
  return row(
    tx,
    sql<AppRow>`
      INSERT INTO apps (tenant_id, app_id, name, name_folded, mode, enabled, provider_labels, tags,
        config, sealed_urls, policy_baseline)
      VALUES (${tenantId}, ${app.app_id}, ${app.name}, ${app.name_folded}, ${app.mode},
        ${app.enabled}, ${JSON.stringify(app.provider_labels)}::jsonb,
        ${JSON.stringify(app.tags)}::jsonb, ${JSON.stringify(app.config)}::jsonb,
        ${app.sealed_urls},
        ${app.policy_baseline === null ? null : JSON.stringify(app.policy_baseline)}::jsonb)
      ON CONFLICT (tenant_id, name_folded) WHERE import_id IS NULL DO NOTHING
      RETURNING ${COLUMNS}`,
  );
}

export type ChangedApp = Pick<
  AppRow,
  'enabled' | 'provider_labels' | 'tags' | 'config' | 'sealed_urls' | 'inline_providers'
>;

/** Updates an app. Returns null if another writer was faster. */
export function updateApp(
  tx: Tx,
  tenantId: string,
  before: AppRow,
  after: ChangedApp,
): Promise<AppRow | null> {
  const converted = before.inline_providers !== null && after.inline_providers === null;
  return row(
    tx,
    sql<AppRow>`
      ${PREPARED} UPDATE apps SET enabled = ${after.enabled},
        provider_labels = ${JSON.stringify(after.provider_labels)}::jsonb,
        tags = ${JSON.stringify(after.tags)}::jsonb,
        config = ${JSON.stringify(after.config)}::jsonb, sealed_urls = ${after.sealed_urls},
        inline_providers = CASE WHEN ${converted} THEN NULL ELSE inline_providers END,
        sealed_inline = CASE WHEN ${converted} THEN NULL ELSE sealed_inline END,
        version = version + 1, updated_at = now()
      WHERE tenant_id = ${tenantId} AND app_id = ${before.app_id}
        AND version = ${before.version}
      RETURNING ${COLUMNS}`,
  );
}

/** Increments the version of an app after a change of its prompts. Returns null if another writer was faster. */
export function bumpApp(tx: Tx, tenantId: string, before: AppRow): Promise<AppRow | null> {
  return row(
    tx,
    sql<AppRow>`
      UPDATE apps SET version = version + 1, updated_at = now()
      WHERE tenant_id = ${tenantId} AND app_id = ${before.app_id}
        AND version = ${before.version}
      RETURNING ${COLUMNS}`,
  );
}

export interface AppDocRow extends AppRow {
  sealed_inline: string | null;
  policy_baseline: object | null;
}

export function selectAppDocs(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<AppDocRow[]> {
  return rows(
    db,
    sql<AppDocRow>`
      SELECT ${COLUMNS}, sealed_inline, policy_baseline FROM apps
      WHERE tenant_id = ${tenantId} AND app_id = ANY (${ids}::uuid[])`,
  );
}
