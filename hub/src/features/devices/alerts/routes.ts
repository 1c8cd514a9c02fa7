// POST /ea/v1/sync/alerts, the console's list and its acknowledgement.

import { Uuid } from '@gatewarden/shared/wire/common.ts';
import {
  AlertAcknowledgeQuery,
  AlertAnswer,
  AlertGroupsAnswer,
  AlertGroupsQuery,
  type AlertRow,
  AlertsDownloadQuery,
  AlertsHistogramQuery,
  AlertsList,
  AlertsQuery,
} from '@gatewarden/shared/wire/console/alerts.ts';
import { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { agentOf } from '../../../platform/auth/agent.ts';
import { personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { checkBatchItems } from '../../../platform/http/lists/batch-items.ts';
import {
  extractFilter,
  filterBinding,
  loadCountedPage,
  loadPage,
  type TenantList,
} from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { type Columns, fileRoute, sendTenantFile } from '../../../platform/http/lists/download.ts';
import { histogramSchema } from '../../../platform/http/lists/histogram.ts';
import type { App } from '../../../platform/http/server/app.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { admitDevice } from '../enrollment/index.ts';
import { registerGroupAcknowledgement } from './acknowledge-cluster.ts';
import { filterBy, isDay } from './alert-filter.ts';
import { alertRow, groupRow } from './alert-row.ts';
import { registerAlertAssignment } from './assign.ts';
import { registerAlertResolution } from './resolve.ts';
import {
  type AlertRecord,
  acknowledgeAlert,
  countAlerts,
  insertAlerts,
  selectAlertGroups,
  selectAlertHistogram,
  selectAlerts,
  selectOneAlert,
} from './store.ts';

const AlertParams = Type.Object({ tenant_id: Type.String(), alert_id: Uuid });

export interface AlertSyncDeps {
  db: Db;
  metrics: Metrics;
  /** Makes the deliveries of new alerts, in the transaction that stores those. */
  notifyOfAlerts(
    tx: Tx,
    fresh: {
      tenantId: string;
      deviceId: string;
      alerts: readonly { alert_id: string; severity: Severity }[];
    },
  ): Promise<void>;
}

export function registerAlertSync(app: App, deps: AlertSyncDeps): void {
  const endpoint = SYNC_ENDPOINTS.alerts;
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
      const { device, alerts } = request.body;
      checkBatchItems('alerts', alerts, 'alert_id');
      const fresh = await transact(deps.db, async (tx) => {
        const { device_id: deviceId } = await admitDevice(tx, agent, device, new Date());
        const stored = await insertAlerts(tx, { tenantId: agent.tenantId, deviceId }, alerts);
        if (stored.length > 0) {
          const isNew = new Set(stored);
          await deps.notifyOfAlerts(tx, {
            tenantId: agent.tenantId,
            deviceId,
            alerts: alerts
              .map(({ alert_id, severity }) => ({ alert_id: alert_id.toLowerCase(), severity }))
              .filter((alert) => isNew.has(alert.alert_id)),
          });
          await notify(tx, { kind: 'page', tenant: agent.tenantId, topic: 'alerts' });
        }
        return stored;
      });
      deps.metrics.ingestItems.inc({ kind: 'alert', result: 'accepted' }, fresh.length);
      return reply.code(202).send({
        accepted: alerts.map((alert) => alert.alert_id),
        request_id: request.id,
      });
    },
  );
}

type CountedList = TenantList<AlertRecord, AlertRow> & {
  count(tenantId: string): Promise<number | null>;
};

type AlertsFilter = Omit<Static<typeof AlertsQuery>, 'limit' | 'cursor'>;

/** Returns the filter of the store. Rejects a group without its day, and an invalid day, with 400. */
function readFilter(request: FastifyRequest, { group, day, ...rest }: AlertsFilter) {
  if ((group === undefined) !== (day === undefined)) {
    throw new HubError('invalid_request', '/query/group and /query/day must be used together');
  }
  if (day !== undefined && !isDay(day)) {
    throw new HubError('invalid_request', '/query/day must be a valid date');
  }
  return {
    ...filterBy(request, rest),
    ...(group === undefined || day === undefined ? {} : { group: { id: group, day } }),
  };
}

/** Returns the list of alerts with the filters of a query. */
function alertList(
  { db, cursors }: { db: Db; cursors: CursorSealer },
  request: FastifyRequest,
  query: AlertsFilter,
): CountedList {
  const filter = readFilter(request, query);
  return {
    cursors,
    list: 'alerts',
    by: filterBinding(filter),
    fetch: (tenantId, after, limit) => selectAlerts(db, tenantId, filter, after, limit),
    count: (tenantId) => countAlerts(db, tenantId, filter),
    keyOf: (alert) => [alert.sort_key, alert.alert_id],
    item: alertRow,
  };
}

export function registerAlertPages(app: App, deps: { db: Db; cursors: CursorSealer }): void {
  registerAlertAssignment(app, deps);
  registerGroupAcknowledgement(app, deps);
  registerAlertResolution(app, deps);
  registerAlertReading(app, deps);
  app.post(
    '/alerts/:alert_id/acknowledge',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['alerts'],
        summary: 'Acknowledge an alert',
        params: AlertParams,
        querystring: AlertAcknowledgeQuery,
        response: { 200: AlertAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const alertId = request.params.alert_id.toLowerCase();
      const deviceId = request.query.device_id?.toLowerCase() ?? null;
      const alert = await transact(deps.db, async (tx) => {
        const done = await acknowledgeAlert(
          tx,
          person.tenantId,
          { alertId, deviceId },
          person.email,
        );
        if (done === null) throw new HubError('not_found');
        if (done.isFirst) {
          await recordByPerson(tx, request, {
            operation: 'alert.acknowledge',
            resource: { kind: 'alert', id: alertId },
            detail: { device_id: done.alert.device_id },
          });
          await notify(tx, { kind: 'page', tenant: person.tenantId, topic: 'alerts' });
        }
        return done.alert;
      });
      return { alert: alertRow(alert), request_id: request.id };
    },
  );
}

function registerAlertReading(app: App, deps: { db: Db; cursors: CursorSealer }): void {
  registerAlert(app, deps.db);
  app.get(
    '/alerts',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['alerts'],
        summary: 'List alerts, newest first',
        querystring: AlertsQuery,
        response: { 200: AlertsList },
      },
    },
    async (request) =>
      loadCountedPage(request, alertList(deps, request, extractFilter(request.query))),
  );

  app.get(
    '/alerts/download',
    fileRoute('Viewer', 'alerts', 'the alerts', AlertsList, { querystring: AlertsDownloadQuery }),
    async (request, reply) => {
      const { format, ...filter } = request.query;
      return sendTenantFile(request, reply, alertList(deps, request, filter), {
        format,
        columns: COLUMNS,
      });
    },
  );

  app.get(
    '/alerts/histogram',
    {
      config: { access: 'Viewer' },
      schema: histogramSchema('alerts', 'the alerts', AlertsHistogramQuery),
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const filter = readFilter(request, request.query);
      return {
        ...(await selectAlertHistogram(deps.db, tenantId, filter)),
        request_id: request.id,
      };
    },
  );

  app.get(
    '/alert-groups',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['alerts'],
        summary: 'List alerts grouped by device, app, rule and day',
        querystring: AlertGroupsQuery,
        response: { 200: AlertGroupsAnswer },
      },
    },
    async (request) => {
      const filter = filterBy(request, extractFilter(request.query));
      return loadPage(request, {
        cursors: deps.cursors,
        list: 'alert-groups',
        by: filterBinding(filter),
        fetch: (tenantId, after, limit) =>
          selectAlertGroups(deps.db, tenantId, filter, after, limit),
        keyOf: (row) => [row.day, row.last_text, row.group],
        item: groupRow,
      });
    },
  );
}

function registerAlert(app: App, db: Db): void {
  app.get(
    '/alerts/:alert_id',
    {
      config: { access: 'Viewer' },
      schema: {
        tags: ['alerts'],
        summary: 'Get an alert',
        params: AlertParams,
        querystring: AlertAcknowledgeQuery,
        response: { 200: AlertAnswer },
      },
    },
    async (request) => {
      const alert = await selectOneAlert(db, personOf(request).tenantId, {
        alertId: request.params.alert_id.toLowerCase(),
        deviceId: request.query.device_id?.toLowerCase() ?? null,
      });
      if (alert === null) throw new HubError('not_found');
      return { alert: alertRow(alert), request_id: request.id };
    },
  );
}

const COLUMNS: Columns<AlertRow> = {
  occurred_at: (row) => row.occurred_at,
  severity: (row) => row.severity,
  action: (row) => row.action,
  hostname: (row) => row.hostname,
  subscriber_id: (row) => row.subscriber_id,
  application_name: (row) => row.application_name,
  process: (row) => row.process?.name ?? null,
  executable_path: (row) => row.process?.executable_path ?? null,
  message: (row) => row.message,
  outcome: (row) => row.outcome,
  state: (row) => row.state,
  assigned_to: (row) => row.assigned_to,
  acknowledged_by: (row) => row.acknowledged_by,
  acknowledged_at: (row) => row.acknowledged_at,
  resolution: (row) => row.resolution,
  resolution_comment: (row) => row.resolution_comment,
  received_at: (row) => row.received_at,
  code: (row) => row.code,
  device_id: (row) => row.device_id,
  override_id: (row) => row.override_id,
  alert_id: (row) => row.alert_id,
};
