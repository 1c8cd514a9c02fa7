// The chain of a decision: event on a device, process mapping, override, access request and audit events.
import { findMapping } from '@gatewarden/shared/process-map.ts';
import type { WhyAnswer } from '@gatewarden/shared/wire/console/why.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import { selectAuditOf } from '../../../platform/audit.ts';
import type { Db } from '../../../platform/db/database.ts';
import { selectRequestOf } from '../access-requests/index.ts';
import { selectDevice, selectEntityNamed, selectProductNames } from '../inventory/index.ts';
import { explainOverride, type OverrideRecord, selectOverridesByIds } from '../overrides/index.ts';

const EVENTS_MAX = 50;

export type Chain = Omit<WhyAnswer, 'request_id'>;
type Happened = Pick<Chain, 'happened' | 'process' | 'application'> & {
  override_id: string | null;
};

export interface ChainDeps {
  db: Db;
  mappingsOf(tenantId: string): Promise<readonly ProcessMapping[]>;
}

/** Returns an override, even if it is withdrawn; null for an unknown id. */
export async function overrideOf(
  db: Db,
  tenantId: string,
  overrideId: string,
): Promise<OverrideRecord | null> {
  const found = await selectOverridesByIds(db, tenantId, [overrideId], { withWithdrawn: true });
  return found[0] ?? null;
}

/** Returns the chain from an event on a device to its override, author and audit events. */
export async function chainOf(deps: ChainDeps, tenantId: string, event: Happened): Promise<Chain> {
  const { db } = deps;
  const { override_id: overrideId, ...reported } = event;
  const override = overrideId === null ? null : await overrideOf(db, tenantId, overrideId);
  const mapping = await mappingOf(deps, tenantId, reported);
  const happened = {
    ...reported,
    mapping: mapping && {
      process_name: mapping.process_name,
      match: mapping.match,
      application_name: mapping.application_name,
    },
    application:
      reported.application &&
      (await knownApplication(db, tenantId, reported, [
        override?.match.entity_id,
        mapping?.entity_id ?? undefined,
      ])),
  };
  if (override === null) {
    return { ...happened, override: null, access_request_id: null, events: [] };
  }
  const request = await selectRequestOf(db, tenantId, override.override_id);
  // A default policy is decided with all others of the tenant.
  const ids = [override.override_id, ...(override.default_kind === null ? [] : [tenantId])];
  const events = await selectAuditOf(db, tenantId, ids, EVENTS_MAX);
  return {
    ...happened,
    application: happened.application ?? (await namedBy(db, tenantId, override)),
    override: {
      ...explainOverride(override),
      revision: override.revision,
      deleted: override.deleted,
      scope_kind: override.scope_kind,
    },
    access_request_id: request?.access_request_id ?? null,
    events: events
      .filter((event) => override.default_kind === null || event.operation.startsWith('default_'))
      .map((event) => ({
        event_id: event.event_id,
        at: event.at.toISOString(),
        operation: event.operation,
        by: event.actor.email ?? event.actor.kind,
        request_id: event.request_id,
      })),
  };
}

/** Returns the chain as the device's user sees it, without the scope. */
export function ownChain(chain: Chain): Chain {
  return { ...chain, override: chain.override && { ...chain.override, scope: null } };
}

/** Returns the mapping that names the process on its device, in the current process map. */
async function mappingOf(
  { db, mappingsOf }: ChainDeps,
  tenantId: string,
  { happened, process }: Omit<Happened, 'override_id'>,
): Promise<ProcessMapping | null> {
  if (happened === null || process === null) return null;
  const device = await selectDevice(db, tenantId, happened.device_id);
  if (device === null) return null;
  return findMapping(await mappingsOf(tenantId), device.platform, process.name);
}

/** Returns the app with its id, if it can be found: devices report an app that they cannot identify by name only. */
async function knownApplication(
  db: Db,
  tenantId: string,
  { happened, application }: Omit<Happened, 'override_id'>,
  others: readonly (string | undefined)[],
): Promise<Chain['application']> {
  if (application === null || application.entity_id !== null || happened === null) {
    return application;
  }
  const there = await selectEntityNamed(db, tenantId, happened.device_id, application.name);
  const entityId = there ?? others.find((item) => item !== undefined) ?? null;
  return { ...application, entity_id: entityId };
}

async function namedBy(
  db: Db,
  tenantId: string,
  override: OverrideRecord,
): Promise<Chain['application']> {
  const id = override.match.entity_id;
  if (id === undefined) return null;
  const name = (await selectProductNames(db, tenantId, [id])).get(id);
  return name === undefined ? null : { entity_id: id, name };
}

/** The chain of an override without an event. */
export const DECISION_ITSELF = { happened: null, process: null, application: null } as const;
