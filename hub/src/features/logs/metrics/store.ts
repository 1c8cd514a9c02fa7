// SQL of the metrics view: a single pass over the window groups requests that count alike; every figure is a sum over
// those few groups. The cap takes the first rows in the order of the export.
import { type RawBuilder, sql } from 'kysely';
import { type Db, row } from '../../../platform/db/database.ts';
import { FINDINGS } from '../events/index.ts';

export interface Counted {
  name: string;
  count: number;
}

export interface MetricFigures {
  scanned: number;
  blocked: number;
  injection: number;
  jailbreak: number;
  secrets: number;
  personal: number;
  pii: number;
  phi: number;
  pci: number;
  pfi: number;
  high: number;
  client: number;
  violations: number;
  violations_blocked: number;
  violations_anonymized: number;
  high_blocked: number;
  secrets_blocked: number;
  injection_blocked: number;
  jailbreak_blocked: number;
  protected: number;
  traffic: Counted[];
  violating_apps: Counted[];
  violating_users: Counted[];
  categories: Counted[];
}

export interface MetricWindow {
  tenantId: string;
  condition: RawBuilder<unknown>;
  start: string;
  end: string;
}

const F = FINDINGS;
export const HIGH = F.injection | F.jailbreak | F.exploit | F.secrets;
export const PERSONAL = F.pii | F.phi | F.pci | F.pfi;
export const CLIENT = PERSONAL | F.edm | F.client;
export const DATA_RISK = CLIENT | F.secrets;

const TOP = 10;

const within = ({ tenantId, condition, start, end }: MetricWindow) => sql`
  tenant_id = ${tenantId} AND ${condition}
    AND at >= ${start}::timestamptz AND at < ${end}::timestamptz`;

/** Returns the number of requests with any of the bits that meet the condition. */
const having = (bits: number, also: RawBuilder<unknown> = sql`true`) =>
  sql`coalesce(sum(n) FILTER (WHERE findings & ${sql.lit(bits)} <> 0 AND ${also}), 0)::bigint`;
const BLOCKED = sql`is_blocked`;

const counted = (name: RawBuilder<unknown>, from: RawBuilder<unknown>, cut: RawBuilder<unknown>) =>
  sql`(SELECT coalesce(json_agg(json_build_object('name', name, 'count', count)), '[]'::json)
    FROM (SELECT ${name} COLLATE "C" AS name, sum(n)::bigint AS count FROM ${from}
      GROUP BY 1 ${cut}) AS counted)`;
const DOWN = sql`ORDER BY 2 DESC, 1`;

/** Returns the figures of the window, over at most `maxRows` rows. */
export async function selectFigures(
  db: Db,
  window: MetricWindow,
  maxRows: number,
): Promise<MetricFigures> {
  const figures = await row(
    db,
    sql<MetricFigures>`
      WITH groups AS MATERIALIZED (
        SELECT app_name, findings, is_blocked, is_anonymized, person, categories, count(*) AS n
        FROM (
          SELECT app_name, findings, is_blocked, is_anonymized, categories,
            CASE WHEN findings <> 0 THEN extra_email END AS person
          FROM llm_requests WHERE ${within(window)}
          ORDER BY at, request_id LIMIT ${maxRows}
        ) AS scanned
        GROUP BY 1, 2, 3, 4, 5, 6
      )
      SELECT coalesce(sum(n), 0)::bigint AS scanned,
        coalesce(sum(n) FILTER (WHERE is_blocked), 0)::bigint AS blocked,
        ${having(F.injection)} AS injection, ${having(F.jailbreak)} AS jailbreak,
        ${having(F.secrets)} AS secrets, ${having(PERSONAL)} AS personal,
        ${having(F.pii)} AS pii, ${having(F.phi)} AS phi, ${having(F.pci)} AS pci,
        ${having(F.pfi)} AS pfi, ${having(HIGH)} AS high, ${having(CLIENT)} AS client,
        ${having(F.any)} AS violations, ${having(F.any, BLOCKED)} AS violations_blocked,
        ${having(F.any, sql`is_anonymized AND NOT is_blocked`)} AS violations_anonymized,
        ${having(HIGH, BLOCKED)} AS high_blocked, ${having(F.secrets, BLOCKED)} AS secrets_blocked,
        ${having(F.injection, BLOCKED)} AS injection_blocked,
        ${having(F.jailbreak, BLOCKED)} AS jailbreak_blocked,
        ${having(DATA_RISK, sql`(is_blocked OR is_anonymized)`)} AS protected,
        ${counted(sql`app_name`, sql`groups`, DOWN)} AS traffic,
        ${counted(sql`app_name`, sql`groups WHERE findings <> 0`, sql`${DOWN} LIMIT ${TOP}`)}
          AS violating_apps,
        ${counted(
          sql`person`,
          sql`groups WHERE person IS NOT NULL`,
          sql`HAVING sum(n) >= 2 ${DOWN} LIMIT ${TOP}`,
        )} AS violating_users,
        ${counted(
          sql`category`,
          sql`groups CROSS JOIN unnest(categories) AS c (category)`,
          sql`${DOWN} LIMIT ${TOP}`,
        )} AS categories
      FROM groups`,
  );
  return figures as MetricFigures;
}

/** Returns whether the window has more rows than were scanned. */
export async function hasMore(db: Db, window: MetricWindow, scanned: number): Promise<boolean> {
  const next = await row(
    db,
    sql`SELECT 1 FROM llm_requests WHERE ${within(window)} OFFSET ${scanned} LIMIT 1`,
  );
  return next !== null;
}
