// Metrics view: counts and shares of LLM requests in a window, for the export and the console.
// Main types: `MetricsRequest`, `MetricFigures`.
// Invariants: every figure is a sum over the same scanned rows; a cut scan is marked as incomplete.
// Depends on events for the bits of findings.
// Start reading at store.ts, then document.ts.
import type { RawBuilder } from 'kysely';
import { type Db, isDatabaseAway } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { documentOf } from './document.ts';
import { hasMore, selectFigures } from './store.ts';

const MAX_SCAN_ROWS = 250_000;

export interface MetricsRequest {
  tenantId: string;
  scope: 'app' | 'all_apps';
  /** The condition on rows of the scope. */
  condition: RawBuilder<unknown>;
  apps: readonly { name: string }[];
  window: { start: string; end: string; shown: Record<string, unknown> };
}

/** Returns the metrics document. Throws `metrics_failed`. `maxRows` is for tests. */
export async function metricsDocument(db: Db, request: MetricsRequest, maxRows = MAX_SCAN_ROWS) {
  const { tenantId, condition, window } = request;
  const rowRange = { tenantId, condition, start: window.start, end: window.end };
  try {
    const figures = await selectFigures(db, rowRange, maxRows);
    const isFull = figures.scanned >= maxRows;
    const complete = !isFull || !(await hasMore(db, rowRange, maxRows));
    return documentOf(figures, { ...request, shown: window.shown, complete, maxRows });
  } catch (error) {
    if (error instanceof HubError || isDatabaseAway(error)) throw error;
    throw Object.assign(new HubError('metrics_failed'), { cause: error });
  }
}
