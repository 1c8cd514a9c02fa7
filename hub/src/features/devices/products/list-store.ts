// SQL that reads products for people. Times in sort keys travel as text with microseconds, because a Date would cut them.
import type {
  ProductApplication,
  ProductCategory,
  ProductRow,
  ProductSort,
  ProductsQuery,
} from '@gatewarden/shared/wire/console/products.ts';
import type {
  ApprovalStatus,
  ExecutionPolicy,
  Platform,
} from '@gatewarden/shared/wire/vocabulary.ts';
import { PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import { type Db, row, rows } from '../../../platform/db/database.ts';
import { ANY, containsPattern } from '../../../platform/db/list-conditions.ts';
import { foldedName, foldedText, foldPiece } from '../../../platform/db/name-folding.ts';
import {
  PENDING_BY_FLAG,
  type SearchedList,
  type SearchScope,
  scopeRows,
  searchPage,
} from '../../../platform/db/search-index.ts';
import {
  applicationStatus,
  type CoveredProduct,
  decidedProducts,
  OPEN_DRIFT,
} from '../inventory/index.ts';

export type ProductFilter = Omit<Static<typeof ProductsQuery>, 'limit' | 'cursor'>;
/** The filter of a list, and whether packages are left out or alone in it. */
type SelectedProducts = ProductFilter & { isPackage?: boolean };

export interface ProductRecord
  extends Omit<
    ProductRow,
    | 'platforms'
    | 'approval_status'
    | 'statuses'
    | 'execution_policy'
    | 'drifted_at'
    | 'first_seen_at'
    | 'last_seen_at'
  > {
  linux_devices: number;
  darwin_devices: number;
  win32_devices: number;
  /** Applications that a device has, by status; those without a decision are in none. */
  present: StatusNumbers | null;
  /** The same of applications that no device has any more. */
  absent: StatusNumbers | null;
  execution_policies: ExecutionPolicy[] | null;
  drifted_at: Date | null;
  first_seen_at: Date;
  last_seen_at: Date;
  sort_key: string[];
}

type StatusNumbers = Record<Exclude<ApprovalStatus, 'pending'>, number>;

const DECIDED = ['approved', 'restricted', 'blocked'] as const;

const counted = (status: string, isPresent: boolean) => sql`
  count(*) FILTER (WHERE x.status = ${status} AND (p.device_count > 0) = ${isPresent})`;

const statusNumbers = (isPresent: boolean) =>
  sql`json_build_object(${sql.join(
    DECIDED.flatMap((status) => [sql`${status}::text`, counted(status, isPresent)]),
  )})`;

/** Decisions about applications, summed by product; an application that drifted counts as pending. */
const decisionsByProduct = (tenantId: string, covered: readonly CoveredProduct[]) => sql`(
  SELECT p.product_id, ${statusNumbers(true)} AS present, ${statusNumbers(false)} AS absent,
    count(*) FILTER (WHERE x.status <> 'pending' AND p.device_count > 0) AS decided,
    array_agg(DISTINCT x.execution_policy) FILTER (WHERE p.device_count > 0
      AND x.execution_policy IS NOT NULL) AS execution_policies, min(x.drifted_at) AS drifted_at
  FROM (
    SELECT coalesce(d.entity_id, f.entity_id) AS entity_id, f.drifted_at, d.execution_policy,
      ${applicationStatus(sql`f.entity_id`, sql`d.approval_status`)} AS status
    FROM ${decidedProducts(tenantId, covered)} d
    FULL JOIN (SELECT entity_id, min(since) AS drifted_at FROM product_drifts
      WHERE tenant_id = ${tenantId} GROUP BY entity_id) f ON f.entity_id = d.entity_id) x
  JOIN products p ON p.tenant_id = ${tenantId} AND p.entity_id = x.entity_id
  WHERE p.product_id IS NOT NULL GROUP BY p.product_id)`;

const PENDING = sql`greatest(i.application_count - coalesce(s.decided, 0), 0)`;

const COLUMNS = sql`
  encode(i.product_id, 'hex') AS product_id, i.product_key, i.category, i.name, i.vendor, i.sources,
  i.risk_hints, i.application_count, i.device_count, i.user_count, i.linux_devices,
  i.darwin_devices, i.win32_devices, s.present, s.absent, s.execution_policies, s.drifted_at,
  i.first_seen_at, i.last_seen_at`;

interface SortColumn {
  value: RawBuilder<unknown>;
  type: 'text' | 'integer' | 'timestamptz';
  isDescending: boolean;
}

const TYPES = {
  name: { value: sql`i.name_folded`, type: 'text' },
  device_count: { value: sql`i.device_count`, type: 'integer' },
  user_count: { value: sql`i.user_count`, type: 'integer' },
  first_seen_at: { value: sql`i.first_seen_at`, type: 'timestamptz' },
  last_seen_at: { value: sql`i.last_seen_at`, type: 'timestamptz' },
} as const;

const UNREVIEWED: readonly SortColumn[] = [
  { value: sql`(${PENDING} > 0)::integer`, type: 'integer', isDescending: true },
  { ...TYPES.device_count, isDescending: true },
];

/** The columns of a sort, before the id of the product. */
function columnsOf(sort: ProductSort): readonly SortColumn[] {
  if (sort === 'unreviewed') return UNREVIEWED;
  const name = sort.replace('-', '') as keyof typeof TYPES;
  return [{ ...TYPES[name], isDescending: sort.startsWith('-') }];
}

const orderOf = (columns: readonly SortColumn[]) =>
  sql`${sql.join(
    columns.map(({ value, isDescending }) => sql`${value} ${isDescending ? sql`DESC` : sql`ASC`}`),
  )}, i.product_id`;

/** Condition of rows after a position: past it in a column, with the columns before it equal. */
function afterPosition(columns: readonly SortColumn[], position: readonly string[] | undefined) {
  if (position === undefined) return ANY;
  const places = columns.map(({ value, type, isDescending }, i) => ({
    value,
    at: sql`${position[i]}::${sql.raw(type)}`,
    past: isDescending ? sql`<` : sql`>`,
  }));
  const id = position.at(-1);
  const steps = [
    ...places,
    { value: sql`i.product_id`, at: sql`decode(${id}, 'hex')`, past: sql`>` },
  ];
  return sql<boolean>`(${sql.join(
    steps.map(({ value, at, past }, i) => {
      const equal = steps.slice(0, i).map((step) => sql`${step.value} = ${step.at} AND `);
      return sql`(${sql.join(equal, sql``)}${value} ${past} ${at})`;
    }),
    sql` OR `,
  )})`;
}

const WORDS_MAX = 8;

/** The words of a search, folded; those beyond the eighth are not searched for. */
const wordsOf = (query: string | undefined): string[] =>
  foldPiece(query ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX);

function hasWords(words: readonly string[]) {
  if (words.length === 0) return ANY;
  return sql<boolean>`(${sql.join(
    words.map((word) => {
      const pattern = containsPattern(word);
      return sql`(${foldedName(sql`i.name_folded`, pattern)} LIKE ${pattern}
        OR ${foldedText(sql`i.vendor`)} LIKE ${pattern} OR i.product_key LIKE ${pattern})`;
    }),
    sql` AND `,
  )})`;
}

/** Texts that `hasWords` searches. */
export const SEARCHED_INVENTORY_PRODUCTS: SearchedList = {
  table: 'inventory_products',
  id: 'product_id',
  texts: [sql`replace(t.name_folded, 'ς', 'σ')`, foldedText(sql`t.vendor`), sql`t.product_key`],
  ...PENDING_BY_FLAG,
};

const platformColumn = (platform: Platform) => sql.ref(`i.${platform}_devices`);

function hasStatus(status: ApprovalStatus | undefined) {
  if (status === undefined) return ANY;
  if (status === 'pending') return sql<boolean>`${PENDING} > 0`;
  return sql<boolean>`coalesce((CASE WHEN i.application_count > 0 THEN s.present ELSE s.absent END
    ->> ${status})::integer, 0) > 0`;
}

const IS_FRESH = sql<boolean>`i.device_count > 0 AND i.first_seen_at > now() - interval '7 days'`;
const IS_DRIFTED = sql<boolean>`s.drifted_at IS NOT NULL`;
/** Products that a device has, or that a decision or drift names. */
const IS_LISTED = sql<boolean>`(i.device_count > 0 OR s.product_id IS NOT NULL)`;

/** Conditions on the product's own row. */
const ownConditions = (
  tenantId: string,
  { category, platform, fresh, isPackage }: SelectedProducts,
) => sql`
  i.tenant_id = ${tenantId}
  AND ${isPackage === undefined ? ANY : sql`(i.category = 'package') = ${isPackage}`}
  AND ${category === undefined ? ANY : sql`i.category = ${category}`}
  AND ${fresh === undefined ? ANY : IS_FRESH}
  AND ${platform === undefined ? ANY : sql`${platformColumn(platform)} > 0`}`;

const listed = (filter: ProductFilter, words: readonly string[]) => sql`
  ${IS_LISTED}
  AND ${hasWords(words)} AND ${hasStatus(filter.approval_status)}
  AND ${filter.drifted === undefined ? ANY : sql`(${IS_DRIFTED}) = ${filter.drifted === 'true'}`}`;

/** Returns the products after a position; see `ProductSort` for the orders. */
export function selectProductPage(
  db: Db,
  tenantId: string,
  filter: SelectedProducts,
  covered: readonly CoveredProduct[],
  page: { after: readonly string[] | undefined; limit: number },
): Promise<ProductRecord[]> {
  const sort = filter.sort ?? 'unreviewed';
  const columns = columnsOf(sort);
  const words = wordsOf(filter.query);
  // The order by review needs the decisions: only the other orders define the first rows that a search tries.
  const isOrderedByRow = sort !== 'unreviewed';
  const own = sql`${ownConditions(tenantId, filter)}
    AND ${isOrderedByRow ? afterPosition(columns, page.after) : ANY}`;
  const key = sql`json_build_array(${sql.join(
    columns.map(({ value }) => sql`(${value})::text`),
  )}, encode(i.product_id, 'hex'))`;
  const order = orderOf(columns);
  const read = (scope: SearchScope) =>
    rows(
      db,
      sql<ProductRecord>`
        SELECT ${COLUMNS}, ${key} AS sort_key
        FROM ${scopeRows(scope, SEARCHED_INVENTORY_PRODUCTS, { alias: 'i', own, order })} i
        LEFT JOIN ${decisionsByProduct(tenantId, covered)} s ON s.product_id = i.product_id
        WHERE ${own} AND ${listed(filter, words)} AND ${afterPosition(columns, page.after)}
        ORDER BY ${order} LIMIT ${page.limit}`,
    );
  if (words.length === 0 || !isOrderedByRow) return read({ in: 'all' });
  const search = { list: SEARCHED_INVENTORY_PRODUCTS, tenantId, pieces: words, limit: page.limit };
  return searchPage(db, search, read);
}

/** Returns how many products fit the filter. */
export async function countProducts(
  db: Db,
  tenantId: string,
  filter: ProductFilter,
  covered: readonly CoveredProduct[],
): Promise<number> {
  const answer = await row(
    db,
    sql<{ total: number }>`
      SELECT count(*) AS total FROM inventory_products i
      LEFT JOIN ${decisionsByProduct(tenantId, covered)} s ON s.product_id = i.product_id
      WHERE ${ownConditions(tenantId, filter)} AND ${listed(filter, wordsOf(filter.query))}`,
  );
  return answer?.total ?? 0;
}

export interface CategoryNumbers {
  category: ProductCategory;
  /** Apps on devices. */
  apps: number;
  pending: number;
  drifted: number;
  fresh: number;
}

/**
 * Counts products per category: unreviewed, drifted and new this week. Each number is the total of the product list with
 * the filter of the same name, where `pending` leaves drifted products out.
 */
export function countProductsForReview(
  db: Db,
  tenantId: string,
  covered: readonly CoveredProduct[],
): Promise<CategoryNumbers[]> {
  return rows(
    db,
    sql<CategoryNumbers>`
      SELECT i.category, count(*) FILTER (WHERE ${PENDING} > 0 AND NOT (${IS_DRIFTED})) AS pending,
        count(*) FILTER (WHERE ${IS_DRIFTED}) AS drifted, count(*) FILTER (WHERE ${IS_FRESH}) AS fresh,
        coalesce(sum(i.application_count), 0)::integer AS apps
      FROM inventory_products i
      LEFT JOIN ${decisionsByProduct(tenantId, covered)} s ON s.product_id = i.product_id
      WHERE i.tenant_id = ${tenantId} AND ${IS_LISTED}
      GROUP BY i.category`,
  );
}

/** Null where the tenant has no such product. */
export function selectProductRecord(
  db: Db,
  tenantId: string,
  productId: string,
  covered: readonly CoveredProduct[],
): Promise<ProductRecord | null> {
  return row(
    db,
    sql<ProductRecord>`
      SELECT ${COLUMNS}, '[]'::json AS sort_key FROM inventory_products i
      LEFT JOIN ${decisionsByProduct(tenantId, covered)} s ON s.product_id = i.product_id
      WHERE i.tenant_id = ${tenantId} AND i.product_id = decode(${productId}, 'hex')`,
  );
}

/** Returns the product of an application; null where no device reported the application, or before it is grouped. */
export async function selectProductIdOf(
  db: Db,
  tenantId: string,
  entityId: string,
): Promise<string | null> {
  const application = await row(
    db,
    sql<{ product_id: string | null }>`
      SELECT encode(product_id, 'hex') AS product_id FROM products
      WHERE tenant_id = ${tenantId} AND entity_id = decode(${entityId}, 'hex')`,
  );
  return application?.product_id ?? null;
}

export interface ApplicationRecord
  extends Omit<
    ProductApplication,
    'approval_status' | 'drifted_at' | 'first_seen_at' | 'last_seen_at'
  > {
  approval_status: ApprovalStatus | null;
  drifted_at: Date | null;
  first_seen_at: Date;
  last_seen_at: Date;
}

/** The applications of a product, those that most devices have first. */
export function selectProductApplications(
  db: Db,
  tenantId: string,
  productId: string,
  covered: readonly CoveredProduct[],
  limit: number,
): Promise<ApplicationRecord[]> {
  return rows(
    db,
    sql<ApplicationRecord>`
      SELECT encode(p.entity_id, 'hex') AS entity_id, p.kind, p.source, p.platform, p.name,
        p.publisher, p.device_count, p.risk_hints, d.execution_policy, f.at AS drifted_at,
        ${applicationStatus(sql`f.at`, sql`d.approval_status`)} AS approval_status,
        p.first_seen_at, p.last_seen_at
      FROM products p
      LEFT JOIN ${decidedProducts(tenantId, covered)} d
        ON d.tenant_id = p.tenant_id AND d.entity_id = p.entity_id
      LEFT JOIN ${OPEN_DRIFT} ON true
      WHERE p.tenant_id = ${tenantId} AND p.product_id = decode(${productId}, 'hex')
      ORDER BY p.device_count DESC, p.entity_id LIMIT ${limit}`,
  );
}

/** On so many devices a process of the product runs now, as far as devices report what runs. */
export async function countRunningDevices(
  db: Db,
  tenantId: string,
  entityIds: readonly string[],
): Promise<number> {
  const answer = await row(
    db,
    sql<{ devices: number }>`
      SELECT count(DISTINCT device_id) AS devices FROM running_processes
      WHERE tenant_id = ${tenantId} AND entity_ids && ${[...entityIds]}::text[]`,
  );
  return answer?.devices ?? 0;
}

/** The product's platforms that a device has, those that most devices have first. */
export function platformsOf(record: ProductRecord): ProductRow['platforms'] {
  return PLATFORMS.map((platform) => ({ platform, device_count: record[`${platform}_devices`] }))
    .filter((entry) => entry.device_count > 0)
    .sort((a, b) => b.device_count - a.device_count);
}

/** Applications by status: of those that a device has, else of all that a device had. */
export function statusesOf(record: ProductRecord): ProductRow['statuses'] {
  const { application_count: count, present, absent } = record;
  const none = { approved: 0, restricted: 0, blocked: 0 };
  const decided = (count > 0 ? present : absent) ?? none;
  const sum = decided.approved + decided.restricted + decided.blocked;
  return { pending: Math.max(0, count - sum), ...decided };
}
