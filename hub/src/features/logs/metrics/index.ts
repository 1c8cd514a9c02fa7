// The metrics view over a window of LLM requests.
import type { RawBuilder } from 'kysely';
import { type Db, isDatabaseAway } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { documentOf } from './document.ts';
import { hasMore, selectFigures } from './store.ts';

const MAX_SCAN_ROWS = 250_000;

export interface MetricsAsked {
  tenantId: string;
  scope: 'app' | 'all_apps';
  /** Rows of the scope. */
  condition: RawBuilder<unknown>;
  apps: readonly { name: string }[];
  window: { start: string; end: string; shown: Record<string, unknown> };
}

/** Throws `metrics_failed`. `maxRows` is for tests. */
export async function metricsDocument(db: Db, asked: MetricsAsked, maxRows = MAX_SCAN_ROWS) {
  const { tenantId, condition, window } = asked;
  const rowsOf = { tenantId, condition, start: window.start, end: window.end };
  try {
    const figures = await selectFigures(db, rowsOf, maxRows);
    const isFull = figures.scanned >= maxRows;
    const complete = !isFull || !(await hasMore(db, rowsOf, maxRows));
    return documentOf(figures, { ...asked, shown: window.shown, complete, maxRows });
  } catch (error) {
    if (error instanceof HubError || isDatabaseAway(error)) throw error;
    throw Object.assign(new HubError('metrics_failed'), { cause: error });
  }
}
