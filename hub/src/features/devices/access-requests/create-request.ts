// Creates access requests from any source: the app must be on the device, a repetition is the same request,
// and nobody asks without end.
import { randomUUID } from 'node:crypto';
import { foldName } from '@gatewarden/shared/names.ts';
import { type Actor, recordAudit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { ActivityRecord } from '../activity/index.ts';
import { selectEntitiesOf } from '../inventory/index.ts';
import {
  askAgain,
  countAsked,
  insertRequest,
  lockPerson,
  type NewRequest,
  selectAsked,
  selectDeviceOf,
  selectSame,
} from './store.ts';

/** Limits per person: open requests, and requests per day. */
export const OPEN_MAX = 20;
export const DAILY_MAX = 50;
const DAY_MS = 86_400_000;

export interface Ask {
  tenantId: string;
  device: { device_id: string; subscriber_id: string };
  via: 'console' | 'agent';
  actor: Actor;
  requestId: string;
  /** A new id for each request of a person; the same id when an agent repeats it. */
  askId: string;
  about: { entityId: string } | { activity: ActivityRecord } | { processName: string };
  reason: string;
}

/** Notifies reviewers outside of the console of a new request, in the transaction that stores it. */
export type NotifyReviewers = (
  tx: Tx,
  asked: { tenantId: string; deviceId: string; accessRequestId: string },
) => Promise<void>;

/**
 * Stores what is asked in the caller's transaction; gives the request's id. Throws `not_found` where the application
 * is not on the device, and `too_many_requests`.
 */
export async function askForAccess(
  tx: Tx,
  ask: Ask,
  notifyReviewers: NotifyReviewers,
): Promise<string> {
  const { tenantId, device } = ask;
  const person = foldName(device.subscriber_id);
  const thing = await thingOf(tx, ask);
  await lockPerson(tx, tenantId, person);
  const now = new Date();
  const wanted = {
    ...thing,
    access_request_id: ask.askId,
    device_id: device.device_id,
    subscriber_id: device.subscriber_id,
    person,
    via: ask.via,
    reason: ask.reason.trim(),
    at: now,
  };
  const before = await selectAsked(tx, tenantId, { ...wanted, askId: ask.askId });
  if (before !== null) return before.access_request_id;
  const same = await selectSame(tx, tenantId, wanted);
  const asked = await countAsked(tx, tenantId, person, new Date(now.getTime() - DAY_MS));
  if (asked.lately >= DAILY_MAX || (same === null && asked.open >= OPEN_MAX)) {
    throw new HubError(
      'too_many_requests',
      `Too many access requests: the limit is ${DAILY_MAX} per day and ${OPEN_MAX} open requests per user.`,
      { retryAfterSeconds: 3600 },
    );
  }
  if (same !== null) await askAgain(tx, tenantId, same.access_request_id, wanted);
  const id = same?.access_request_id ?? (await storeNew(tx, tenantId, wanted));
  if (id === null) return ask.askId;
  await recordAudit(tx, {
    tenantId,
    actor: ask.actor,
    operation: same === null ? 'access_request.create' : 'access_request.repeat',
    resource: { kind: 'access_request', id },
    requestId: ask.requestId,
    detail: { ...device, entity_id: thing.entity_id, process_name: thing.process_name },
  });
  if (same === null) {
    await notifyReviewers(tx, { tenantId, deviceId: device.device_id, accessRequestId: id });
  }
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'access-requests' });
  return id;
}

/**
 * Stores the request under its id, or under a new id if another device, such as a copy of this device's folder, used
 * the id. Returns null if this device used the id for another person, who owned the device then.
 */
async function storeNew(tx: Tx, tenantId: string, wanted: NewRequest): Promise<string | null> {
  const askId = wanted.access_request_id;
  if (await insertRequest(tx, tenantId, wanted, askId)) return askId;
  if ((await selectDeviceOf(tx, tenantId, askId)) === wanted.device_id) return null;
  const id = randomUUID();
  await insertRequest(tx, tenantId, { ...wanted, access_request_id: id }, askId);
  return id;
}

/** Returns the subject of a request as stored. A stopped process of an application is stored as the application. */
async function thingOf(tx: Tx, { tenantId, device, about }: Ask) {
  const activity = 'activity' in about ? about.activity : null;
  const entityId = 'entityId' in about ? about.entityId : (activity?.entity_id ?? null);
  const stopped = {
    activity_id: activity?.activity_id ?? null,
    blocked_by: activity?.override_id ?? null,
  };
  const [entity] =
    entityId === null
      ? []
      : await selectEntitiesOf(tx, tenantId, {
          deviceIds: [device.device_id],
          entityIds: [entityId],
        });
  if (entity !== undefined) {
    return {
      ...stopped,
      subject: `entity/${entity.entity_id}`,
      entity_id: entity.entity_id,
      process_name: null,
      application_name: entity.name,
    };
  }
  const name = 'processName' in about ? about.processName : activity?.process.name;
  if (name === undefined || foldName(name) === '') throw new HubError('not_found');
  return {
    ...stopped,
    subject: `process/${foldName(name)}`,
    entity_id: null,
    process_name: name,
    application_name: activity?.application_name ?? null,
  };
}
