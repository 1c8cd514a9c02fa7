// All SQL that reads products, over all devices, for people.
// Times in sort keys travel as text with microseconds, because a Date would cut them.
import { foldName } from '@gatewarden/shared/names.ts';
import type { PolicyStep } from '@gatewarden/shared/policy-scale.ts';
import type {
  ApplicationRow,
  ApplicationsQuery,
} from '@gatewarden/shared/wire/console/applications.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import { isCitus } from '../../../platform/db/citus-distribution.ts';
import { type Db, row, rows } from '../../../platform/db/database.ts';
import { ANY, containsPattern, countRows } from '../../../platform/db/list-conditions.ts';
import { foldedName, foldedText, foldPiece } from '../../../platform/db/name-folding.ts';
import {
  PENDING_BY_FLAG,
  type SearchedList,
  type SearchScope,
  scopeRows,
  searchPage,
} from '../../../platform/db/search-index.ts';
import { applicationStatus, OPEN_DRIFT } from './application-status-store.ts';
import { type CoveredProduct, decidedProducts } from './covered-products-store.ts';
import { isLaunchedBy } from './launches-store.ts';
import { appPolicyStep } from './policy-step-store.ts';
import { hasPath, IS_FRESH, isOf } from './read-store.ts';
import { VERSIONS_READ } from './shown-versions.ts';

type Position = readonly string[] | undefined;

export interface ProductRecord
  extends Omit<
    ApplicationRow,
    'first_seen_at' | 'last_seen_at' | 'approval_status' | 'drifted_at'
  > {
  drifted_at: Date | null;
  approval_status: ApplicationRow['approval_status'] | null;
  first_seen_at: Date;
  last_seen_at: Date;
  sort_key: string;
}

const PRODUCT_COLUMNS = sql`
  encode(p.entity_id, 'hex') AS entity_id, p.kind, p.source, p.platform, p.name, p.publisher,
  p.device_count, ${applicationStatus(sql`f.at`, sql`d.approval_status`)} AS approval_status, f.at AS drifted_at, d.execution_policy, d.named_decision_id, p.first_seen_at, p.last_seen_at,
  (SELECT coalesce(json_agg(json_build_object('version', nullif(v.version, ''),
      'device_count', v.device_count)), '[]'::json)
   FROM (SELECT version, device_count FROM product_versions
     WHERE tenant_id = p.tenant_id AND entity_id = p.entity_id
     ORDER BY device_count DESC, version DESC LIMIT ${VERSIONS_READ}) v) AS versions`;

const productTables = (
  tenantId: string,
  covered: readonly CoveredProduct[],
  products: RawBuilder<unknown> = sql`products`,
) => sql`
  ${products} p LEFT JOIN ${decidedProducts(tenantId, covered)} d
    ON d.tenant_id = p.tenant_id AND d.entity_id = p.entity_id
  LEFT JOIN ${OPEN_DRIFT} ON true`;

/** Each sort: its key as text, its order, and what comes after a position. */
const SORTS = {
  name: {
    key: sql`p.name_folded`,
    order: sql`p.name_folded, p.entity_id`,
    after: (at: readonly string[]) =>
      sql<boolean>`(p.name_folded, p.entity_id) > (${at[0]}, decode(${at[1]}, 'hex'))`,
  },
  '-device_count': {
    key: sql`p.device_count::text`,
    order: sql`p.device_count DESC, p.entity_id`,
    after: (at: readonly string[]) =>
      sql<boolean>`(p.device_count < ${at[0]}::integer OR (p.device_count = ${at[0]}::integer AND p.entity_id > decode(${at[1]}, 'hex')))`,
  },
  '-first_seen_at': {
    key: sql`p.first_seen_at::text`,
    order: sql`p.first_seen_at DESC, p.entity_id`,
    after: (at: readonly string[]) =>
      sql<boolean>`(p.first_seen_at < ${at[0]}::timestamptz OR (p.first_seen_at = ${at[0]}::timestamptz AND p.entity_id > decode(${at[1]}, 'hex')))`,
  },
} as const;

/** Nobody's decision is pending, so any other status begins with the decisions, of which there are few. */
function hasStatus(status: ApplicationRow['approval_status'] | undefined) {
  if (status === undefined) return ANY;
  if (status === 'pending') {
    return sql<boolean>`(d.entity_id IS NULL OR f.at IS NOT NULL OR d.approval_status = 'pending')`;
  }
  return sql<boolean>`(d.approval_status = ${status} AND f.at IS NULL)`;
}

/** Returns the condition that a device of this user has the app `p` now. */
const isOnDeviceOf = (tenantId: string, subscriberId: string) => sql<boolean>`p.entity_id IN (
  SELECT entity_id FROM entities WHERE tenant_id = ${tenantId} AND removed_at IS NULL
    AND device_id IN (
      SELECT device_id FROM devices
      WHERE tenant_id = ${tenantId} AND ${isOf(foldName(subscriberId))}))`;

const WORDS_MAX = 8;
/**
 * The number of devices of an app from which a search reads files: their reports are mostly equal. Always the
 * same devices, so that the pages of a list agree.
 */
const LOOKED_AT = 3;

/** The words of a search, folded; those beyond the eighth are not looked for. */
const wordsOf = (query: string | undefined): string[] =>
  foldPiece(query ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX);

/**
 * Each word in the name, the publisher or the source, in any order. A word with a slash is also looked for in files: one
 * look at each application, and only then.
 */
function hasWords(tenantId: string, words: readonly string[], inFiles: boolean) {
  if (words.length === 0) return ANY;
  return sql<boolean>`(${sql.join(
    words.map((word) => {
      const pattern = containsPattern(word);
      return sql`(${foldedName(sql`p.name_folded`, pattern)} LIKE ${pattern}
        OR ${foldedText(sql`p.publisher`)} LIKE ${pattern}
        OR p.source LIKE ${pattern} ${inFiles && HAS_PATH.test(word) ? sql`OR ${hasFile(tenantId, pattern)}` : NOTHING})`;
    }),
    sql` AND `,
  )})`;
}

const NOTHING = sql``;
const HAS_PATH = /[\\/]/;

/** Condition that a path of the app contains the pattern: install folder, programs, configuration files, launches. */
const hasFile = (tenantId: string, pattern: string) => sql`EXISTS (
  SELECT 1 FROM (
    SELECT install_path, executables, instances, details FROM entities
    WHERE tenant_id = ${tenantId} AND entity_id = p.entity_id AND removed_at IS NULL
    ORDER BY device_id LIMIT ${LOOKED_AT}) looked_at
  WHERE ${hasPath(pattern)} OR ${isLaunchedBy(pattern)})`;

type ProductFilter = Static<typeof ApplicationsQuery>;

/** Conditions on columns of the product alone. */
const ownConditions = (tenantId: string, filter: ProductFilter) => sql`p.tenant_id = ${tenantId}
  AND ${filter.fresh === undefined ? ANY : IS_FRESH}
  AND ${filter.kind === undefined ? ANY : sql`p.kind = ${filter.kind}`}
  AND ${filter.subscriber_id === undefined ? ANY : isOnDeviceOf(tenantId, filter.subscriber_id)}`;

/** Conditions on its decision and drift as well. */
const isListed = (filter: ProductFilter) => sql`
  (p.device_count > 0 OR d.entity_id IS NOT NULL OR f.at IS NOT NULL)
  AND ${filter.drifted === undefined ? ANY : sql`(f.at IS NOT NULL) = ${filter.drifted === 'true'}`}
  AND ${hasStatus(filter.approval_status)}
  AND ${hasStep(filter.policy_step)}`;

/** An app without a decision is unreviewed, so any other step begins with the decisions, of which there are few. */
function hasStep(step: PolicyStep | undefined) {
  if (step === undefined) return ANY;
  const decided = step === 'unreviewed' ? ANY : sql`d.approval_status IS NOT NULL`;
  return sql<boolean>`(${decided} AND p.device_count > 0 AND ${STEP} = ${step})`;
}

/** The policy step of an app `p`, of its decision `d` and its drift `f`. */
const STEP = appPolicyStep({
  driftedAt: sql`f.at`,
  approval: sql`d.approval_status`,
  policy: sql`d.execution_policy`,
});

/** The list shows no total above this number, because counting 25,000 products makes its first page four times as slow. */
const LISTED_COUNTED_MAX = 5_000;

/**
 * Returns how many products the list has with this filter; null above the maximum, and for a search, which would read the
 * texts of all.
 */
export async function countListedProducts(
  db: Db,
  tenantId: string,
  filter: ProductFilter,
  covered: readonly CoveredProduct[],
): Promise<number | null> {
  if (wordsOf(filter.query).length > 0) return null;
  return countRows(
    db,
    sql`SELECT 1 FROM ${productTables(tenantId, covered)}
      WHERE ${ownConditions(tenantId, filter)} AND ${isListed(filter)}`,
    LISTED_COUNTED_MAX,
  );
}

/**
 * Products that are on a device now, or were and are decided about or to be reviewed. On Citus files are not looked at: it
 * plans no such query.
 */
export async function selectProducts(
  db: Db,
  tenantId: string,
  filter: ProductFilter,
  covered: readonly CoveredProduct[],
  page: { after: Position; limit: number },
): Promise<ProductRecord[]> {
  const { after, limit } = page;
  const sort = SORTS[filter.sort ?? 'name'];
  const words = wordsOf(filter.query);
  const inFiles = words.some((word) => HAS_PATH.test(word)) && !(await isCitus(db));
  const own = sql`${ownConditions(tenantId, filter)}
    AND ${after === undefined ? ANY : sort.after(after)}`;
  const ask = (scope: SearchScope) =>
    rows(
      db,
      sql<ProductRecord>`
      SELECT ${PRODUCT_COLUMNS}, ${sort.key} AS sort_key
      FROM ${productTables(tenantId, covered, scopeRows(scope, SEARCHED_PRODUCTS, { alias: 'p', own, order: sort.order }))}
      WHERE ${own} AND ${isListed(filter)} AND ${hasWords(tenantId, words, inFiles)}
      ORDER BY ${sort.order} LIMIT ${limit}`,
    );
  if (words.length === 0) return ask({ in: 'all' });
  const pieces = words.filter((word) => !(inFiles && HAS_PATH.test(word)));
  return searchPage(db, { list: SEARCHED_PRODUCTS, tenantId, pieces, limit }, ask);
}

/** The columns that `hasWords` reads, without files. */
export const SEARCHED_PRODUCTS: SearchedList = {
  table: 'products',
  id: 'entity_id',
  texts: [sql`replace(t.name_folded, 'ς', 'σ')`, foldedText(sql`t.publisher`), sql`t.source`],
  ...PENDING_BY_FLAG,
};

export function selectProduct(
  db: Db,
  tenantId: string,
  entityId: string,
  covered: readonly CoveredProduct[],
): Promise<ProductRecord | null> {
  return row(
    db,
    sql<ProductRecord>`
      SELECT ${PRODUCT_COLUMNS}, '' AS sort_key FROM ${productTables(tenantId, covered)}
      WHERE p.tenant_id = ${tenantId} AND p.entity_id = decode(${entityId}, 'hex')`,
  );
}

export interface ProductDeviceRecord {
  device_id: string;
  hostname: string;
  subscriber_id: string;
  version: string | null;
  install_path: string | null;
  first_seen_at: Date;
  last_seen_at: Date;
}

export function selectProductDevices(
  db: Db,
  tenantId: string,
  entityId: string,
  after: Position,
  limit: number,
): Promise<ProductDeviceRecord[]> {
  return rows(
    db,
    sql<ProductDeviceRecord>`
      SELECT e.device_id, d.hostname, d.subscriber_id, e.version, e.install_path, e.first_seen_at,
        d.last_seen_at
      FROM entities e JOIN devices d ON d.tenant_id = e.tenant_id AND d.device_id = e.device_id
      WHERE e.tenant_id = ${tenantId} AND e.entity_id = decode(${entityId}, 'hex')
        AND e.removed_at IS NULL
        AND ${after === undefined ? ANY : sql`e.device_id > ${after[0]}::uuid`}
      ORDER BY e.device_id LIMIT ${limit}`,
  );
}
