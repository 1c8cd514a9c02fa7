// GET C/llm/usage: requests, tokens and cost by app, user, model and day, as JSON and as CSV.
import {
  USAGE_DIMENSIONS,
  UsageAnswer,
  type UsageDimension,
  UsageQuery,
  type UsageRow,
} from '@gatewarden/shared/wire/console/logs.ts';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { MICROS, type Micros, parseMicros } from '../events/index.ts';
import { csvOf } from './csv.ts';
import { retainedSince } from './settings.ts';
import { selectTotals, selectUsage } from './store.ts';

const GROUPS_MAX = 10_000;
const DAYS_DEFAULT = 7;
const SUMS = [
  'requests',
  'blocked',
  'failed',
  'tokens_request',
  'tokens_response',
  'tokens_cache_read',
  'cost_usd',
  'without_price',
];

/** Registers the usage report. */
export function registerUsage(app: App, { db }: { db: Db }): void {
  app.get(
    '/llm/usage',
    {
      config: { access: 'Viewer', alsoSends: ['text/csv'] },
      schema: {
        tags: ['logs'],
        summary:
          'Get requests, tokens and cost by day, app, user, model or provider; CSV with format=csv',
        querystring: UsageQuery,
        response: { 200: UsageAnswer },
      },
    },
    async (request, reply) => {
      const { tenantId } = personOf(request);
      const { by = 'day,app,user,model', format = 'json' } = request.query;
      const dimensions = USAGE_DIMENSIONS.filter((dimension) => by.split(',').includes(dimension));
      const { from, to } = daysOf(request.query, Date.now() * 1_000);
      const start = Math.max(from, await retainedSince(db, tenantId));
      const range = { tenantId, start, end: to + MICROS.day };
      const groups = await selectUsage(db, range, dimensions, GROUPS_MAX + 1);
      const items = groups.slice(0, GROUPS_MAX);
      if (format === 'csv') {
        // A file cannot mark that it is cut, and nobody should be billed by a part of the rows.
        if (groups.length > GROUPS_MAX) {
          throw new HubError(
            'invalid_request',
            `/query/by produces more than ${GROUPS_MAX} rows. Choose fewer dimensions or days.`,
          );
        }
        return sendCsv(reply, dimensions, items, dayText(from), dayText(to));
      }
      return {
        from: dayText(from),
        to: dayText(to),
        items,
        totals: await selectTotals(db, range),
        is_cut: groups.length > GROUPS_MAX,
        request_id: request.id,
      };
    },
  );
}

interface CsvReply {
  header(name: string, value: string): CsvReply;
  type(type: string): CsvReply;
  send(payload: never): unknown;
}

function sendCsv(
  reply: unknown,
  dimensions: readonly UsageDimension[],
  items: readonly UsageRow[],
  from: string,
  to: string,
): never {
  const name = `usage-${from}-${to}.csv`;
  return (reply as CsvReply)
    .header('content-disposition', `attachment; filename="${name}"`)
    .type('text/csv; charset=utf-8')
    .send(Buffer.from(csvOf([...dimensions, ...SUMS], items.map(toFileRow))) as never) as never;
}

/** Returns the row of the file. If no request had a price, the cost is unknown, not zero, as on the page. */
function toFileRow(row: UsageRow): Record<string, unknown> {
  const isUnknown = row.requests > 0 && row.without_price === row.requests;
  return isUnknown ? { ...row, cost_usd: null } : row;
}

/** Returns the first and the last day of a query as the times of their midnights. Throws `invalid_request`. */
export function daysOf(
  query: { from?: string; to?: string },
  now: Micros,
): { from: Micros; to: Micros } {
  const to = query.to === undefined ? now - (now % MICROS.day) : dayOf(query.to, 'to');
  const from =
    query.from === undefined ? to - (DAYS_DEFAULT - 1) * MICROS.day : dayOf(query.from, 'from');
  if (from > to) throw new HubError('invalid_request', '/query/from must not be after /query/to');
  return { from, to };
}

function dayOf(text: string, name: string): Micros {
  const at = parseMicros(text);
  if (at === null) throw new HubError('invalid_request', `/query/${name} is not a valid date`);
  return at;
}

/** Returns the day in UTC, like 2026-01-31. */
export const dayText = (at: Micros) => new Date(at / 1_000).toISOString().slice(0, 10);
