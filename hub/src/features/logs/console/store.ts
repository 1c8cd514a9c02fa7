// SQL of the console's lists of logs, of cost and of usage: newest first, within the tenant's retention.

import { foldName } from '@gatewarden/shared/names.ts';
import { isUuid } from '@gatewarden/shared/wire/common.ts';
import type {
  LlmRequestQuery,
  ToolCallQuery,
  UsageDimension,
  UsageMeasure,
  UsageRow,
  UsageSeriesDimension,
} from '@gatewarden/shared/wire/console/logs.ts';
import { LOG_ROWS_COUNTED_MAX, type TimeSort } from '@gatewarden/shared/wire/console/time-sorts.ts';
import { type RawBuilder, sql } from 'kysely';
import { type Db, row, rows } from '../../../platform/db/database.ts';
import {
  columnFacet,
  type Facet,
  facetConditions,
  periodConditions,
  selectHistogram,
} from '../../../platform/db/histogram.ts';
import { ANY, countRows } from '../../../platform/db/list-conditions.ts';
import { limitPageBytes, type PageRow } from '../../../platform/db/page-byte-limit.ts';
import {
  type Decided,
  foldEmail,
  keyText,
  type Micros,
  microsText,
  requestIdHash,
} from '../events/index.ts';

export interface LlmListRow {
  request_id: string;
  at: Micros;
  received_at: Date;
  app_id: string | null;
  app_name: string;
  user_email: string | null;
  conversation_id: string | null;
  model: string | null;
  provider: string | null;
  status_code: number | null;
  is_blocked: boolean;
  is_failed: boolean;
  is_anonymized: boolean;
  cost_usd: number | null;
  node_id: string | null;
  event: string;
  redaction_version: number;
}

type Filters<Query> = Omit<Query, 'limit' | 'cursor'>;

const MICROS_OF_AT = sql`(extract(epoch FROM at) * 1000000)::bigint`;
const optional = (value: string | undefined, condition: (value: string) => RawBuilder<unknown>) =>
  value === undefined ? sql`true` : condition(value);
const flag = (value: string | undefined, is: RawBuilder<unknown>) =>
  optional(value, (text) => (text === 'true' ? sql`(${is})` : sql`NOT (${is})`));
/** A node may send an event of eight megabytes. */
const EVENT_BYTES = sql`octet_length(event) AS own_bytes`;
const BLOCKED = sql`is_blocked`;
/** A failure for users. The column counts failures of the provider only, for alerts. */
const LLM_FAILED = sql`NOT is_blocked AND coalesce(status_code >= 400, llm_requests.is_failed)`;
const CALL_FAILED = sql`NOT is_blocked AND success IS FALSE`;
const byUser = (value: string | undefined) =>
  optional(value, (text) => sql`user_email = ${foldEmail(text) ?? ''}`);

/**
 * An app in a filter. Its rows are selected by its ids; rows of an unknown app have only the name that was sent, which
 * PostgreSQL folds here.
 */
export interface NamedApp {
  name: string;
  appIds: readonly string[];
}

const isNamed = (column: RawBuilder<unknown>, name: string) =>
  sql`lower(normalize(btrim(${column}))) = lower(${foldName(name)})`;
const ofApp = ({ name, appIds }: NamedApp) => sql`(app_id = ANY (${appIds}::uuid[])
  OR app_id IS NULL AND ${isNamed(sql`app_name`, name)})`;

type LlmFilter = Omit<Filters<LlmRequestQuery>, 'app'> & { app?: NamedApp };

interface LogPage {
  since: Micros;
  after: readonly string[] | undefined;
  limit: number;
}

/** The order of a page by time and key, and the condition for rows after its position. */
function logOrder(
  sort: TimeSort | undefined,
  after: readonly string[] | undefined,
  key: { name: string; type: 'text' | 'bigint' },
) {
  const [direction, past] = sort === 'time' ? [sql``, sql`>`] : [sql` DESC`, sql`<`];
  const name = sql.ref(key.name);
  return {
    /** `at` is qualified within the query, whose result has a column of that name in microseconds. */
    order: (at: RawBuilder<unknown>) => sql`${at}${direction}, ${name}${direction}`,
    isAfter:
      after === undefined
        ? sql`true`
        : sql`(at, ${name}) ${past} (${after[0]}::timestamptz, ${after[1]}::${sql.raw(key.type)})
          AND at ${past}= ${after[0]}::timestamptz`,
  };
}

/** The conditions of all filters except the facets. */
const llmConditions = (tenantId: string, filter: LlmFilter, since: Micros) =>
  sql.join(
    [
      sql`tenant_id = ${tenantId}`,
      sql`at >= ${microsText(since)}::timestamptz`,
      // An id leads to its time, and the time to its day.
      optional(
        filter.request_id,
        (id) => sql`request_id = ${id} AND at = (
          SELECT at FROM llm_request_ids
          WHERE tenant_id = ${tenantId} AND id_hash = ${requestIdHash(id)}::uuid)`,
      ),
      byUser(filter.user),
      optional(filter.conversation_id, (id) => sql`conversation_id = ${keyText(id)}`),
      optional(filter.provider, (provider) => sql`provider = ${provider}`),
      flag(filter.blocked, BLOCKED),
      flag(filter.failed, LLM_FAILED),
      periodConditions(sql`at`, filter),
    ],
    sql` AND `,
  );

/** The filters whose values are counted beside the list. */
const llmFacets = (filter: LlmFilter): Record<string, Facet> => {
  const status = sql`CASE WHEN is_blocked THEN 'blocked' WHEN ${LLM_FAILED} THEN 'failed' ELSE 'passed' END`;
  return {
    app: { value: sql`app_name`, matches: filter.app === undefined ? ANY : ofApp(filter.app) },
    model: columnFacet(sql`model`, filter.model),
    status: columnFacet(status, filter.status),
    guardrail: {
      value: sql`categories`,
      isArray: true,
      matches:
        filter.guardrail === undefined
          ? ANY
          : sql`coalesce(${filter.guardrail} = ANY (categories), false)`,
    },
  };
};

const llmListConditions = (tenantId: string, filter: LlmFilter, since: Micros) =>
  sql`${llmConditions(tenantId, filter, since)} AND ${facetConditions(llmFacets(filter))}`;

/** Returns the counts of LLM requests by time and facet, stacked by status. */
export const selectLlmHistogram = (db: Db, tenantId: string, filter: LlmFilter, since: Micros) =>
  selectHistogram(db, {
    source: sql`FROM llm_requests WHERE ${llmConditions(tenantId, filter, since)}`,
    at: sql`at`,
    facets: llmFacets(filter),
    series: 'status',
    ...{ from: filter.from, to: filter.to },
  });

export function selectLlmRequests(
  db: Db,
  tenantId: string,
  filter: LlmFilter,
  page: LogPage,
): Promise<(LlmListRow & PageRow)[]> {
  const { order, isAfter } = logOrder(filter.sort, page.after, {
    name: 'request_id',
    type: 'text',
  });
  const found = sql`
    SELECT request_id, ${MICROS_OF_AT} AS at, received_at, app_id, app_name, user_email,
      conversation_id, model, provider, status_code, is_blocked, (${LLM_FAILED}) AS is_failed,
      is_anonymized, cost_usd, node_id, event, redaction_version, ${EVENT_BYTES}
    FROM llm_requests WHERE ${llmListConditions(tenantId, filter, page.since)} AND ${isAfter}
    ORDER BY ${order(sql`llm_requests.at`)} LIMIT ${page.limit}`;
  return rows(db, sql<LlmListRow & PageRow>`${limitPageBytes(found, order(sql`at`))}`);
}

/** Returns how many LLM requests the list has with this filter; null where they are too many to count. */
export const countLlmRequests = (
  db: Db,
  tenantId: string,
  filter: LlmFilter,
  since: Micros,
): Promise<number | null> =>
  countRows(
    db,
    sql`SELECT 1 FROM llm_requests WHERE ${llmListConditions(tenantId, filter, since)}`,
    LOG_ROWS_COUNTED_MAX,
  );

export interface ToolCallListRow {
  log_id: number;
  at: Micros;
  received_at: Date;
  backend_id: string | null;
  backend_name: string;
  user_email: string | null;
  rpc_id: string | null;
  tool_name: string | null;
  method: string | null;
  success: boolean | null;
  is_blocked: boolean;
  is_completed: boolean;
  node_id: string | null;
  decided: Decided | null;
  event: string;
  redaction_version: number;
}

/** The conditions of all filters except the facets. `request_id` may be the id that a blocked call named to its user; ids of clients may look like it. */
const callConditions = (tenantId: string, filter: Filters<ToolCallQuery>, since: Micros) =>
  sql.join(
    [
      sql`tenant_id = ${tenantId}`,
      sql`at >= ${microsText(since)}::timestamptz`,
      optional(filter.log_id, (id) => sql`log_id = ${id}::bigint`),
      optional(filter.request_id, (id) =>
        isUuid(id) ? sql`(rpc_id = ${id} OR event_id = ${id}::uuid)` : sql`rpc_id = ${id}`,
      ),
      byUser(filter.user),
      optional(filter.conversation_id, (id) => sql`conversation_id = ${id}`),
      optional(filter.backend_id, (id) => sql`backend_id = ${id}`),
      flag(filter.blocked, BLOCKED),
      flag(filter.failed, CALL_FAILED),
      periodConditions(sql`at`, filter),
    ],
    sql` AND `,
  );

const VERDICT = sql`CASE WHEN is_blocked THEN 'blocked' WHEN success IS NULL THEN 'incomplete'
  WHEN success THEN 'passed' ELSE 'failed' END`;

/** The filters whose values are counted beside the list. */
const callFacets = (filter: Filters<ToolCallQuery>): Record<string, Facet> => ({
  backend: {
    value: sql`backend_name`,
    matches: optional(filter.backend, (name) => isNamed(sql`backend_name`, name)),
  },
  tool: columnFacet(sql`tool_name`, filter.tool),
  verdict: columnFacet(VERDICT, filter.verdict),
});

const callListConditions = (tenantId: string, filter: Filters<ToolCallQuery>, since: Micros) =>
  sql`${callConditions(tenantId, filter, since)} AND ${facetConditions(callFacets(filter))}`;

/** Returns the counts of tool calls by time and facet, stacked by verdict. */
export const selectCallHistogram = (
  db: Db,
  tenantId: string,
  filter: Filters<ToolCallQuery>,
  since: Micros,
) =>
  selectHistogram(db, {
    source: sql`FROM mcp_tool_calls WHERE ${callConditions(tenantId, filter, since)}`,
    at: sql`at`,
    facets: callFacets(filter),
    series: 'verdict',
    ...{ from: filter.from, to: filter.to },
  });

export function selectToolCalls(
  db: Db,
  tenantId: string,
  filter: Filters<ToolCallQuery>,
  page: LogPage,
): Promise<(ToolCallListRow & PageRow)[]> {
  const { order, isAfter } = logOrder(filter.sort, page.after, { name: 'log_id', type: 'bigint' });
  const found = sql`
    SELECT log_id, ${MICROS_OF_AT} AS at, received_at, backend_id, backend_name, user_email,
      rpc_id, tool_name, method, success, is_blocked, is_completed, node_id, decided, event,
      redaction_version, ${EVENT_BYTES}
    FROM mcp_tool_calls WHERE ${callListConditions(tenantId, filter, page.since)} AND ${isAfter}
    ORDER BY ${order(sql`mcp_tool_calls.at`)} LIMIT ${page.limit}`;
  return rows(db, sql<ToolCallListRow & PageRow>`${limitPageBytes(found, order(sql`at`))}`);
}

/** Returns how many tool calls the list has with this filter; null where they are too many to count. */
export const countToolCalls = (
  db: Db,
  tenantId: string,
  filter: Filters<ToolCallQuery>,
  since: Micros,
): Promise<number | null> =>
  countRows(
    db,
    sql`SELECT 1 FROM mcp_tool_calls WHERE ${callListConditions(tenantId, filter, since)}`,
    LOG_ROWS_COUNTED_MAX,
  );

/** Returns the tool call with this event id: the id leads to its time, and the time to its partition. */
export function selectCallsOfEvent(
  db: Db,
  tenantId: string,
  eventId: string,
  since: Micros,
): Promise<{ log_id: number; at: Micros; user_email: string | null }[]> {
  return rows(
    db,
    sql<{ log_id: number; at: Micros; user_email: string | null }>`
      SELECT log_id, ${MICROS_OF_AT} AS at, user_email FROM mcp_tool_calls
      WHERE tenant_id = ${tenantId} AND event_id = ${eventId}::uuid
        AND at >= ${microsText(since)}::timestamptz
        AND at = (SELECT at FROM mcp_tool_call_ids
          WHERE tenant_id = ${tenantId} AND event_id = ${eventId}::uuid)`,
  );
}

const USED_BY = (tenantId: string, user: string, since: Micros) => sql`
  tenant_id = ${tenantId} AND user_email = ${user} AND at >= ${microsText(since)}::timestamptz`;

/** Returns counts of LLM requests and tool calls of this folded address. */
export async function selectPersonsUse(
  db: Db,
  tenantId: string,
  user: string,
  since: Micros,
): Promise<{
  llm: { requests: number; blocked: number; cost_usd: number };
  mcp: { calls: number; blocked: number };
}> {
  const [llm, mcp] = await Promise.all([
    row(
      db,
      sql<{ requests: number; blocked: number; cost_usd: number }>`
        SELECT count(*)::integer AS requests, count(*) FILTER (WHERE is_blocked)::integer AS blocked,
          ${DOLLARS} AS cost_usd
        FROM llm_requests WHERE ${USED_BY(tenantId, user, since)}`,
    ),
    row(
      db,
      sql<{ calls: number; blocked: number }>`
        SELECT count(*)::integer AS calls, count(*) FILTER (WHERE is_blocked)::integer AS blocked
        FROM mcp_tool_calls WHERE ${USED_BY(tenantId, user, since)}`,
    ),
  ]);
  return {
    llm: llm ?? { requests: 0, blocked: 0, cost_usd: 0 },
    mcp: mcp ?? { calls: 0, blocked: 0 },
  };
}

/** Returns whether a log row since then names this folded address. */
export async function isNamedInLogs(
  db: Db,
  tenantId: string,
  user: string,
  since: Micros,
): Promise<boolean> {
  const answer = await row(
    db,
    sql<{ named: boolean }>`
      SELECT EXISTS (SELECT 1 FROM llm_requests WHERE ${USED_BY(tenantId, user, since)})
        OR EXISTS (SELECT 1 FROM mcp_tool_calls WHERE ${USED_BY(tenantId, user, since)}) AS named`,
  );
  return answer?.named ?? false;
}

const DIMENSIONS: Record<UsageDimension, RawBuilder<unknown>> = {
  day: sql`to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`,
  app: sql`app_name`,
  user: sql`user_email`,
  // A node that sends an empty string knows as little as a node that sends none.
  model: sql`nullif(model, '')`,
  provider: sql`nullif(provider, '')`,
};

/** Counts come from nodes: a sum may exceed a bigint, and the integers that a number represents exactly. */
const summed = (column: string) => sql`
  least(coalesce(sum(${sql.ref(column)}), 0), ${sql.lit(Number.MAX_SAFE_INTEGER)})::bigint
    AS ${sql.ref(column)}`;

/** Adds up decimals, as users do: a sum of doubles depends on the order, and has rounding errors. */
const DOLLARS = sql`
  least(coalesce(sum(cost_usd::numeric), 0), ${sql.lit(Number.MAX_SAFE_INTEGER)})::float8`;

const SUMS = sql`count(*) AS requests, count(*) FILTER (WHERE is_blocked) AS blocked,
  count(*) FILTER (WHERE ${LLM_FAILED}) AS failed,
  ${summed('tokens_request')}, ${summed('tokens_response')}, ${summed('tokens_cache_read')},
  ${DOLLARS} AS cost_usd, count(*) FILTER (WHERE cost_usd IS NULL) AS without_price`;

export interface UsageRange {
  tenantId: string;
  start: Micros;
  end: Micros;
}

const inRange = ({ tenantId, start, end }: UsageRange) => sql`
  tenant_id = ${tenantId} AND at >= ${microsText(start)}::timestamptz
    AND at < ${microsText(end)}::timestamptz`;

/** Returns usage grouped by these dimensions, at most `limit` rows. */
export function selectUsage(
  db: Db,
  range: UsageRange,
  by: readonly UsageDimension[],
  limit: number,
): Promise<UsageRow[]> {
  const columns = by.map(
    (dimension) => sql`${DIMENSIONS[dimension]} AS ${sql.ref(`${dimension}_of`)}`,
  );
  const positions = sql.raw(by.map((_, i) => String(i + 1)).join(', '));
  // Aliases differ from the columns, or they would mean the column in GROUP BY.
  return rows(
    db,
    sql<Record<string, unknown>>`
      SELECT ${sql.join(columns)}, ${SUMS} FROM llm_requests WHERE ${inRange(range)}
      GROUP BY ${positions} ORDER BY ${positions} LIMIT ${limit}`,
  ).then((groups) =>
    groups.map((group) => {
      const sums = Object.entries(group).filter(([name]) => !name.endsWith('_of'));
      const labels = by.map((name) => [name, group[`${name}_of`]]);
      return Object.fromEntries([...labels, ...sums]) as UsageRow;
    }),
  );
}

export type UsageSums = Omit<UsageRow, UsageDimension>;

/** Returns the totals of usage in the range. */
export async function selectTotals(db: Db, range: UsageRange): Promise<UsageSums> {
  const [totals] = await rows(
    db,
    sql<UsageSums>`SELECT ${SUMS} FROM llm_requests WHERE ${inRange(range)}`,
  );
  return totals as UsageSums;
}

/** Sums without a limit, as decimals; `sum` of a bigint is a decimal. */
const MEASURES: Record<UsageMeasure, RawBuilder<unknown>> = {
  cost: sql`coalesce(sum(cost_usd::numeric), 0)`,
  tokens: sql`coalesce(sum(tokens_request), 0) + coalesce(sum(tokens_response), 0)`,
  requests: sql`count(*)::numeric`,
};

/** A sum of a day and a series; without a day, of the series; without a position, of the range, even if it is empty. */
export interface DailyUsageRow {
  day: string | null;
  /** Starts with 1; the last position sums up the remaining names. */
  position: number | null;
  name: string | null;
  names: number;
  value: number;
  requests: number;
  without_price: number;
}

/** Returns sums of a measure by day and by the `seriesMax` largest names; a last series has the remaining names. */
export function selectDailyUsage(
  db: Db,
  range: UsageRange,
  { by, measure }: { by: UsageSeriesDimension; measure: UsageMeasure },
  seriesMax: number,
): Promise<DailyUsageRow[]> {
  return rows(
    db,
    sql<DailyUsageRow>`
      WITH cells AS (
        SELECT (at AT TIME ZONE 'UTC')::date AS day_of, ${DIMENSIONS[by]} AS name_of,
          ${MEASURES[measure]} AS measured, count(*) AS requests,
          count(*) FILTER (WHERE cost_usd IS NULL) AS without_price
        FROM llm_requests WHERE ${inRange(range)} GROUP BY 1, 2
      ), summed AS (
        SELECT *, sum(measured) OVER (PARTITION BY name_of) AS name_sum FROM cells
      ), ranked AS (
        SELECT *, dense_rank() OVER (ORDER BY name_sum DESC, name_of) AS rank FROM summed
      ), placed AS (
        SELECT *, least(rank, ${seriesMax + 1}::bigint) AS position,
          CASE WHEN rank <= ${seriesMax} THEN name_of END AS name FROM ranked
      )
      SELECT to_char(day_of, 'YYYY-MM-DD') AS day, position, name, max(rank) - min(rank) + 1 AS names,
        least(coalesce(sum(measured), 0), ${sql.lit(Number.MAX_SAFE_INTEGER)})::float8 AS value,
        coalesce(sum(requests), 0)::bigint AS requests,
        coalesce(sum(without_price), 0)::bigint AS without_price
      FROM placed
      GROUP BY GROUPING SETS ((day_of, position, name), (position, name), ())
      ORDER BY position NULLS LAST, day_of NULLS FIRST`,
  );
}
