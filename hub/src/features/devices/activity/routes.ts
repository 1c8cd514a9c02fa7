// POST /ea/v1/sync/activity and the console's list.
import {
  ActivityDownloadQuery,
  ActivityHistogramQuery,
  ActivityList,
  ActivityQuery,
  type ActivityRow,
} from '@gatewarden/shared/wire/console/alerts.ts';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import { agentOf } from '../../../platform/auth/agent.ts';
import { personOf } from '../../../platform/auth/person.ts';
import { type Db, transact } from '../../../platform/db/database.ts';
import type { PageEvents } from '../../../platform/feed/page-events.ts';
import { checkBatchItems } from '../../../platform/http/lists/batch-items.ts';
import {
  extractFilter,
  filterBinding,
  loadCountedPage,
  type TenantList,
} from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { type Columns, fileRoute, sendTenantFile } from '../../../platform/http/lists/download.ts';
import { histogramSchema } from '../../../platform/http/lists/histogram.ts';
import type { App } from '../../../platform/http/server/app.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { admitDevice } from '../enrollment/index.ts';
import {
  type ActivityFilter,
  type ActivityRecord,
  countActivity,
  insertActivity,
  type ListedActivity,
  selectActivity,
  selectActivityHistogram,
} from './store.ts';

type CountedActivity = TenantList<ListedActivity, ActivityRow> & {
  count(tenantId: string): Promise<number | null>;
};

export function registerActivitySync(
  app: App,
  deps: { db: Db; pages: PageEvents; metrics: Metrics },
): void {
  const endpoint = SYNC_ENDPOINTS.activity;
  app.post(
    endpoint.path,
    {
      config: { sync: 'post' },
      schema: {
        tags: ['device'],
        summary: endpoint.summary,
        body: endpoint.request,
        response: { 202: endpoint.answer },
      },
    },
    async (request, reply) => {
      const agent = agentOf(request);
      const { device, events } = request.body;
      checkBatchItems('events', events, 'activity_id');
      const stored = await transact(deps.db, async (tx) => {
        const { device_id: deviceId } = await admitDevice(tx, agent, device, new Date());
        return insertActivity(tx, { tenantId: agent.tenantId, deviceId }, events);
      });
      deps.metrics.ingestItems.inc({ kind: 'activity', result: 'accepted' }, stored);
      if (stored > 0) deps.pages.announce(agent.tenantId, 'activity', agent.subscriberId);
      return reply.code(202).send({ accepted: events.length, request_id: request.id });
    },
  );
}

export function registerActivityPages(app: App, deps: { db: Db; cursors: CursorSealer }): void {
  const activity = (filter: ActivityFilter): CountedActivity => ({
    cursors: deps.cursors,
    list: 'activity',
    by: filterBinding(filter),
    fetch: (tenantId, after, limit) => selectActivity(deps.db, tenantId, filter, after, limit),
    count: (tenantId) => countActivity(deps.db, tenantId, filter),
    keyOf: (event) => [event.sort_key, event.activity_id, event.sort_text],
    item: activityRow,
  });

  app.get(
    '/activity',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['activity'],
        summary: 'List activity events, newest first',
        querystring: ActivityQuery,
        response: { 200: ActivityList },
      },
    },
    async (request) => loadCountedPage(request, activity(extractFilter(request.query))),
  );

  app.get(
    '/activity/histogram',
    {
      config: { access: 'Viewer' },
      schema: histogramSchema('activity', 'the activity events', ActivityHistogramQuery),
    },
    async (request) => {
      const { tenantId } = personOf(request);
      return {
        ...(await selectActivityHistogram(deps.db, tenantId, request.query)),
        request_id: request.id,
      };
    },
  );

  app.get(
    '/activity/download',
    fileRoute('Viewer', 'activity', 'the activity events', ActivityList, {
      querystring: ActivityDownloadQuery,
    }),
    (request, reply) => {
      const { format, ...filter } = request.query;
      return sendTenantFile(request, reply, activity(filter), { format, columns: COLUMNS });
    },
  );
}

const COLUMNS: Columns<ActivityRow> = {
  decided_at: (row) => row.decided_at,
  hostname: (row) => row.hostname,
  subscriber_id: (row) => row.subscriber_id,
  process: (row) => row.process.name,
  executable_path: (row) => row.process.executable_path ?? null,
  application_name: (row) => row.application_name,
  decision: (row) => row.decision,
  outcome: (row) => row.outcome,
  enforced: (row) => String(row.enforced),
  received_at: (row) => row.received_at,
  device_id: (row) => row.device_id,
  entity_id: (row) => row.entity_id,
  override_id: (row) => row.override_id,
  activity_id: (row) => row.activity_id,
};

/** As lists show it. */
export function activityRow({
  sort_key: _key,
  sort_text: _text,
  ...event
}: ActivityRecord & Partial<ListedActivity>): ActivityRow {
  return {
    ...event,
    decided_at: event.decided_at.toISOString(),
    received_at: event.received_at.toISOString(),
  };
}
