// Actions of administrators on devices: scan now, change user, retire, admit again, erase a person.

import { foldName } from '@gatewarden/shared/names.ts';
import { Uuid } from '@gatewarden/shared/wire/common.ts';
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import {
  DuplicateSolvedAnswer,
  EraseAnswer,
  MoveDeviceAnswer,
  MoveDeviceInput,
  RetireAnswer,
  ScanNowAnswer,
} from '@gatewarden/shared/wire/console/device-lifecycle.ts';
import { SubscriberId } from '@gatewarden/shared/wire/sync/device.ts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  eraseDetails,
  eraseFromAudit,
  type NamedInAudit,
  recordAudit,
} from '../../../platform/audit.ts';
import { actorOf, type Person, personOf, recordByPerson } from '../../../platform/auth/person.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import type { App } from '../../../platform/http/server/app.ts';
import { IfMatch, requireMatchIfSent } from '../../../platform/http/server/etag.ts';
import { eraseViews } from '../../people/saved-views/index.ts';
import { eraseRequests, withdrawRequests } from '../access-requests/index.ts';
import { eraseActivity } from '../activity/index.ts';
import { eraseAlerts } from '../alerts/index.ts';
import { TOKEN_CACHE } from '../enrollment/index.ts';
import { eraseFromRules } from '../groups/index.ts';
import { deleteInventory, lockInventories } from '../ingest/index.ts';
import { eraseOverridesOfSubscriber } from '../overrides/index.ts';
import { forgetProcesses, lockUnknownOf } from '../processes/index.ts';
import { erasePoliciesFor } from '../products/index.ts';
import { hashSubscriber } from '../sync/index.ts';
import { registerDeviceSettings } from './settings-routes.ts';
import {
  admitAgain,
  eraseNames,
  lockDevice,
  lockDevicesOf,
  moveDevice,
  raiseEpoch,
  retireDevice,
  settleDuplicate,
  takeTenures,
} from './store.ts';

const Params = Type.Object({ tenant_id: Type.String(), device_id: Uuid });

export interface DeviceLifecycleDeps {
  db: Db;
  /** Takes away what else is known of the person; gives how many rows went. */
  eraseLogs(tx: Tx, tenantId: string, subscriberId: string): Promise<number>;
  /** Deletes the person's data of the MCP gateway; returns the number of deleted rows. */
  eraseMcp(tx: Tx, tenantId: string, subscriberId: string): Promise<number>;
  /** Events of the audit trail that lost a name. */
  renewAudit(tx: Tx, tenantId: string, eventIds: readonly string[]): Promise<void>;
}

export function registerDeviceLifecycle(app: App, deps: DeviceLifecycleDeps): void {
  const { db } = deps;

  app.post(
    '/devices/:device_id/scan',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['devices'],
        summary: 'Request a full scan of a device',
        params: Params,
        response: { 200: ScanNowAnswer },
      },
    },
    async (request) => {
      const { person, deviceId } = subject(request, request.params.device_id);
      const epoch = await transact(db, async (tx) => {
        const { subscriber_id: of } = await present(tx, person.tenantId, deviceId);
        const raised = await raiseEpoch(tx, person.tenantId, deviceId);
        await recordDeviceEvent(tx, request, { operation: 'device.scan', deviceId, of: [of] });
        return raised;
      });
      return { device_id: deviceId, inventory_epoch: epoch, request_id: request.id };
    },
  );

  registerDuplicateSolved(app, deps);
  registerMove(app, deps);
  registerRetirement(app, db);

  app.post(
    '/people/:subscriber_id/erase',
    {
      config: { access: 'Admin', beyondTenant: true },
      schema: {
        tags: ['devices'],
        summary: 'Erase the personal data of a user',
        params: Type.Object({ tenant_id: Type.String(), subscriber_id: SubscriberId }),
        response: { 200: EraseAnswer },
      },
    },
    async (request) => {
      const person = personOf(request);
      const { subscriber_id: subscriberId } = request.params;
      const erased = await transact(db, (tx) =>
        erasePerson(tx, deps, { person, subscriberId, requestId: request.id }),
      );
      return { ...erased, request_id: request.id };
    },
  );

  registerDeviceSettings(app, db);
}

function registerMove(app: App, deps: DeviceLifecycleDeps): void {
  const { db } = deps;

  app.post(
    '/devices/:device_id/move',
    {
      config: { access: 'Admin' },
      schema: {
        tags: ['devices'],
        summary: 'Assign a device to another user',
        params: Params,
        headers: IfMatch,
        body: MoveDeviceInput,
        response: { 200: MoveDeviceAnswer },
      },
    },
    async (request) => {
      const { person, deviceId } = subject(request, request.params.device_id);
      const { subscriber_id: subscriberId } = request.body;
      await transact(db, async (tx) => {
        const before = await present(tx, person.tenantId, deviceId);
        requireMatchIfSent(request.headers['if-match'], before.version);
        if (before.subscriber_id === subscriberId) return;
        const tokens = await moveDevice(tx, person.tenantId, before, subscriberId);
        await forgetTokens(tx, tokens);
        await withdrawRequests(tx, person.tenantId, deviceId);
        const detail = { before: before.subscriber_id, after: subscriberId };
        const of = [before.subscriber_id, subscriberId];
        await recordDeviceEvent(tx, request, { operation: 'device.move', deviceId, of, detail });
      });
      return { device_id: deviceId, subscriber_id: subscriberId, request_id: request.id };
    },
  );
}

function registerDuplicateSolved(app: App, deps: DeviceLifecycleDeps): void {
  const { db } = deps;

  app.post(
    '/devices/:device_id/duplicate-solved',
    {
      config: { access: 'Reviewer' },
      schema: {
        tags: ['devices'],
        summary: 'Mark a duplicate device ID as resolved',
        params: Params,
        headers: IfMatch,
        response: { 200: DuplicateSolvedAnswer },
      },
    },
    async (request) => {
      const { person, deviceId } = subject(request, request.params.device_id);
      await transact(db, async (tx) => {
        const device = await present(tx, person.tenantId, deviceId);
        requireMatchIfSent(request.headers['if-match'], device.version);
        const since = await settleDuplicate(tx, person.tenantId, deviceId);
        if (since === null) return;
        const detail = { duplicate_since: since.toISOString() };
        const of = [device.subscriber_id];
        await recordDeviceEvent(tx, request, {
          operation: 'device.duplicate_solved',
          deviceId,
          of,
          detail,
        });
      });
      return { device_id: deviceId, duplicate_since: null, request_id: request.id };
    },
  );
}

/** Registers the routes that retire a device and admit it again. */
export function registerRetirement(app: App, db: Db): void {
  const retirement = (summary: string) => ({
    config: { access: 'Admin' as const },
    schema: {
      tags: ['devices'],
      summary,
      params: Params,
      headers: IfMatch,
      response: { 200: RetireAnswer },
    },
  });

  app.delete('/devices/:device_id', retirement('Retire a device'), (request) =>
    setRetired(db, request, request.params.device_id, true),
  );

  app.post('/devices/:device_id/admit', retirement('Readmit a retired device'), (request) =>
    setRetired(db, request, request.params.device_id, false),
  );
}

/** The console's lists that an erasure changes. */
const ERASED_TOPICS = [
  'devices',
  'applications',
  'alerts',
  'overrides',
  'access-requests',
  'device-groups',
] as const;

/** Erases a user's data, and overwrites the name in rows that stay. Throws 404 for a user that nothing names. */
async function erasePerson(
  tx: Tx,
  deps: DeviceLifecycleDeps,
  act: { person: Person; subscriberId: string; requestId: string },
): Promise<Omit<EraseAnswer, 'request_id'>> {
  const { person, subscriberId } = act;
  const { tenantId } = person;
  const by = { email: person.email, now: new Date(), erased: ERASED.subscriberId };
  const policies = await eraseOverridesOfSubscriber(tx, tenantId, subscriberId, by);
  const { overrideIds: decisions, hadAny } = policies;
  await erasePoliciesFor(tx, tenantId, subscriberId, by);
  const rules = await eraseFromRules(tx, tenantId, subscriberId, by);
  const { own: devices, locked } = await lockDevicesOf(tx, tenantId, subscriberId);
  const counts = {
    devices: devices.length,
    activity: 0,
    alerts: 0,
    decisions: decisions.length,
    log_rows: await deps.eraseLogs(tx, tenantId, subscriberId),
    mcp_rows: await deps.eraseMcp(tx, tenantId, subscriberId),
  };
  // Rows that several devices share are locked first, so that no two erasures lock them in opposite order.
  await lockInventories(tx, tenantId, devices);
  await lockUnknownOf(tx, tenantId, devices);
  for (const deviceId of devices) {
    counts.activity += await eraseActivity(tx, tenantId, deviceId);
    counts.alerts += await eraseAlerts(tx, tenantId, deviceId);
    await takeAway(tx, tenantId, deviceId, ERASED);
  }
  const tenures = await takeTenures(tx, tenantId, subscriberId);
  for (const { device_id: deviceId, ...then } of tenures) {
    counts.activity += await eraseActivity(tx, tenantId, deviceId, then);
    counts.alerts += await eraseAlerts(tx, tenantId, deviceId, then);
  }
  const asked =
    (await eraseRequests(tx, tenantId, subscriberId)) +
    (await eraseViews(tx, tenantId, foldName(subscriberId)));
  const named = (await eraseNames(tx, tenantId, subscriberId, { ...ERASED, locked })) + asked;
  const others = (hadAny ? 1 : 0) + rules.length + counts.log_rows + counts.mcp_rows;
  if (devices.length + tenures.length + named + others === 0) {
    throw new HubError('not_found');
  }
  const emptied = await eraseDetails(tx, tenantId, {
    operation: 'device.claim_refused',
    ids: devices,
  });
  const renamed = await eraseFromAudit(tx, tenantId, subscriberId, {
    erased: ERASED.subscriberId,
    where: NAMED_IN_AUDIT,
  });
  for (const spelled of new Set(rules.flatMap((rule) => rule.spelled))) {
    const to = { erased: ERASED.subscriberId, where: RULES_IN_AUDIT };
    renamed.push(...(await eraseFromAudit(tx, tenantId, spelled, to)));
  }
  await deps.renewAudit(tx, tenantId, [...new Set([...emptied, ...renamed])]);
  await recordAudit(tx, {
    tenantId,
    actor: actorOf(person),
    operation: 'person.erase',
    // The fact of the erasure stays, the identity does not: only a reader who knows the name can verify it.
    resource: { kind: 'person', id: hashSubscriber(subscriberId) },
    requestId: act.requestId,
    detail: { ...counts, decisions, group_rules: rules.map((rule) => rule.group_id) },
  });
  for (const topic of ERASED_TOPICS) {
    await notify(tx, { kind: 'page', tenant: tenantId, topic, of: [foldName(subscriberId)] });
  }
  return { ...counts, group_rules: rules.map(({ group_id, name }) => ({ group_id, name })) };
}

/** Retires a device or admits it again; a repetition changes nothing. */
async function setRetired(db: Db, request: FastifyRequest, id: string, retired: boolean) {
  const { person, deviceId } = subject(request, id);
  await transact(db, async (tx) => {
    const device = await lockDevice(tx, person.tenantId, deviceId);
    if (device === null) throw new HubError('not_found');
    requireMatchIfSent(request.headers['if-match'], device.version);
    if ((device.retired_at !== null) === retired) return;
    if (retired) await takeAway(tx, person.tenantId, deviceId, null);
    else await admitAgain(tx, person.tenantId, deviceId);
    const operation = retired ? 'device.retire' : 'device.admit';
    await recordDeviceEvent(tx, request, { operation, deviceId, of: [device.subscriber_id] });
  });
  return { device_id: deviceId, retired, request_id: request.id };
}

const ERASED = { hostname: '', subscriberId: 'erased' };
/** Scopes of decisions and claims; whose a device was, and became. */
const NAMED_IN_AUDIT: readonly NamedInAudit[] = [
  {
    field: 'subscriber_id',
    without: [['reason'], ['before', 'reason'], ['after', 'reason']],
  },
  { field: 'before', operation: 'device.move' },
  { field: 'after', operation: 'device.move' },
  // Of approvals, rules and groups of the MCP gateway.
  { field: 'email' },
];

/** Values of a condition are a list. */
const RULES_IN_AUDIT: readonly NamedInAudit[] = [
  { operation: 'device_group.create' },
  { operation: 'device_group.update' },
  { operation: 'device_group.delete' },
];

function subject(request: FastifyRequest, deviceId: string): { person: Person; deviceId: string } {
  return { person: personOf(request), deviceId: deviceId.toLowerCase() };
}

/** The device, locked; 404 where it is not there or retired. */
async function present(tx: Tx, tenantId: string, deviceId: string) {
  const device = await lockDevice(tx, tenantId, deviceId);
  if (device === null || device.retired_at !== null) throw new HubError('not_found');
  return device;
}

/** Everything that is known of the device, and everything that it may do. */
async function takeAway(
  tx: Tx,
  tenantId: string,
  deviceId: string,
  shown: { hostname: string; subscriberId: string } | null,
): Promise<void> {
  await deleteInventory(tx, tenantId, deviceId);
  await forgetProcesses(tx, tenantId, deviceId);
  await withdrawRequests(tx, tenantId, deviceId);
  await forgetTokens(tx, await retireDevice(tx, tenantId, deviceId, shown));
  await notify(tx, { kind: 'forget', cache: 'device', keys: [`${tenantId}/${deviceId}`] });
}

async function forgetTokens(tx: Tx, hashes: readonly Buffer[]): Promise<void> {
  if (hashes.length === 0) return;
  const keys = hashes.map((hash) => hash.toString('hex'));
  await notify(tx, { kind: 'forget', cache: TOKEN_CACHE, keys });
}

async function recordDeviceEvent(
  tx: Tx,
  request: FastifyRequest,
  act: { operation: AuditOperation; deviceId: string; of: readonly string[]; detail?: object },
): Promise<void> {
  const person = personOf(request);
  const { tenantId } = person;
  await recordByPerson(tx, request, {
    operation: act.operation,
    resource: { kind: 'device', id: act.deviceId },
    detail: act.detail ?? {},
  });
  await notify(tx, { kind: 'forget', cache: 'device', keys: [`${tenantId}/${act.deviceId}`] });
  const of = act.of.map(foldName);
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'devices', of });
}
