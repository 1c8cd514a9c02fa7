// /…/why: the chains of overrides, activity events and alerts; users see those of their own devices.
import { foldName } from '@gatewarden/shared/names.ts';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import { WhyAnswer, WhyQuery } from '@gatewarden/shared/wire/console/why.ts';
import { type TSchema, Type } from 'typebox';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { type ActivityRecord, selectOneActivity } from '../activity/index.ts';
import { type SentAlert, selectSentAlerts } from '../alerts/index.ts';
import { selectPersonsDevice } from '../inventory/index.ts';
import { selectOwnedSince } from '../lifecycle/index.ts';
import { loadOverridesInForce } from '../overrides/index.ts';
import type { Snapshots } from '../sync/index.ts';
import { type ChainDeps, chainOf, DECISION_ITSELF, overrideOf, ownChain } from './trace.ts';

const params = <P extends Record<string, TSchema>>(more: P) =>
  Type.Object({ tenant_id: Type.String(), ...more });
const answer = { tags: ['why'], response: { 200: WhyAnswer } };

export function registerWhy(app: App, deps: ChainDeps & { snapshots: Snapshots }): void {
  const { db } = deps;
  const viewer = { access: 'Viewer' as const };
  app.get(
    '/overrides/:override_id/why',
    {
      config: viewer,
      schema: { ...answer, summary: 'Explain a policy', params: params({ override_id: Uuid }) },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const overrideId = request.params.override_id.toLowerCase();
      if ((await overrideOf(db, tenantId, overrideId)) === null) throw new HubError('not_found');
      const chain = await chainOf(deps, tenantId, { ...DECISION_ITSELF, override_id: overrideId });
      return { ...chain, request_id: request.id };
    },
  );

  app.get(
    '/activity/:activity_id/why',
    {
      config: viewer,
      schema: {
        ...answer,
        summary: 'Explain an activity event',
        params: params({ activity_id: Uuid }),
        querystring: WhyQuery,
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const activity = await selectOneActivity(db, tenantId, {
        deviceId: request.query.device_id.toLowerCase(),
        activityId: request.params.activity_id.toLowerCase(),
        since: null,
      });
      if (activity === null) throw new HubError('not_found');
      return { ...(await chainOf(deps, tenantId, ofActivity(activity))), request_id: request.id };
    },
  );

  app.get(
    '/alerts/:alert_id/why',
    {
      config: viewer,
      schema: {
        ...answer,
        summary: 'Explain an alert',
        params: params({ alert_id: Uuid }),
        querystring: WhyQuery,
      },
    },
    async (request) => {
      const { tenantId } = personOf(request);
      const [alert] = await selectSentAlerts(db, tenantId, [
        {
          alert_id: request.params.alert_id.toLowerCase(),
          device_id: request.query.device_id.toLowerCase(),
        },
      ]);
      if (alert === undefined) throw new HubError('not_found');
      return { ...(await chainOf(deps, tenantId, ofAlert(alert))), request_id: request.id };
    },
  );
  registerOwnWhy(app, deps);
}

function registerOwnWhy(app: App, deps: ChainDeps & { snapshots: Snapshots }): void {
  const { db, snapshots } = deps;
  const member = { access: 'Member' as const };

  app.get(
    '/own/devices/:device_id/activity/:activity_id/why',
    {
      config: member,
      schema: {
        ...answer,
        summary: 'Explain an activity event of your device',
        params: params({ device_id: Uuid, activity_id: Uuid }),
      },
    },
    async (request) => {
      const { tenantId, email } = personOf(request);
      const device = await ownDevice(db, tenantId, email, request.params.device_id);
      const activity = await selectOneActivity(db, tenantId, {
        deviceId: device.device_id,
        activityId: request.params.activity_id.toLowerCase(),
        since: await selectOwnedSince(db, tenantId, device.device_id),
      });
      if (activity === null) throw new HubError('not_found');
      const chain = await chainOf(deps, tenantId, ofActivity(activity));
      return { ...ownChain(chain), request_id: request.id };
    },
  );

  app.get(
    '/own/devices/:device_id/decisions/:override_id/why',
    {
      config: member,
      schema: {
        ...answer,
        summary: 'Explain a policy on your device',
        params: params({ device_id: Uuid, override_id: Uuid }),
      },
    },
    async (request) => {
      const { tenantId, email } = personOf(request);
      const device = await ownDevice(db, tenantId, email, request.params.device_id);
      const overrideId = request.params.override_id.toLowerCase();
      const inForce = await loadOverridesInForce(snapshots, tenantId, device);
      const isInForce = inForce.some((override) => override.override_id === overrideId);
      if (!isInForce) throw new HubError('not_found');
      const chain = await chainOf(deps, tenantId, { ...DECISION_ITSELF, override_id: overrideId });
      return { ...ownChain(chain), request_id: request.id };
    },
  );
}

async function ownDevice(db: Db, tenantId: string, email: string, deviceId: string) {
  const me = foldName(email);
  const device = await selectPersonsDevice(db, tenantId, me, deviceId.toLowerCase());
  if (device === null) throw new HubError('not_found');
  return device;
}

function ofActivity(activity: ActivityRecord) {
  const { process, entity_id: entityId, application_name: name } = activity;
  return {
    happened: {
      at: activity.decided_at.toISOString(),
      decision: activity.decision,
      outcome: activity.outcome,
      device_id: activity.device_id,
      hostname: activity.hostname,
    },
    process: { name: process.name, executable_path: process.executable_path ?? null },
    application: name === null ? null : { entity_id: entityId, name },
    override_id: activity.override_id,
  };
}

function ofAlert(alert: SentAlert) {
  const { process, application_name: name } = alert;
  return {
    happened: {
      at: alert.occurred_at.toISOString(),
      decision: null,
      outcome: alert.outcome,
      device_id: alert.device_id,
      hostname: alert.hostname,
    },
    process:
      process === null
        ? null
        : { name: process.name, executable_path: process.executable_path ?? null },
    application: name === null ? null : { entity_id: null, name },
    override_id: alert.override_id,
  };
}
