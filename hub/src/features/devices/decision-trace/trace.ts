// The chain of a decision, from what happened on a device to who decided it and the audit events of that.
import { findMapping } from '@gatewarden/shared/process-map.ts';
import type { WhyAnswer } from '@gatewarden/shared/wire/console/why.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import { selectAuditOf } from '../../../platform/audit.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isoOrNull } from '../../../platform/http/lists/console-lists.ts';
import { selectRequestOf } from '../access-requests/index.ts';
import { selectDevice, selectEntityNamed, selectProductNames } from '../inventory/index.ts';
import { joinScope, type OverrideRecord, selectOverridesByIds } from '../overrides/index.ts';

const EVENTS_MAX = 50;

export type Chain = Omit<WhyAnswer, 'request_id'>;
type Happened = Pick<Chain, 'happened' | 'process' | 'application'> & {
  override_id: string | null;
};

export interface ChainDeps {
  db: Db;
  mappingsOf(tenantId: string): Promise<readonly ProcessMapping[]>;
}

/** An override, also a withdrawn one; null where the id is unknown. */
export async function overrideOf(
  db: Db,
  tenantId: string,
  overrideId: string,
): Promise<OverrideRecord | null> {
  const found = await selectOverridesByIds(db, tenantId, [overrideId], { withWithdrawn: true });
  return found[0] ?? null;
}

/** From what happened to who decided it. */
export async function chainOf(deps: ChainDeps, tenantId: string, what: Happened): Promise<Chain> {
  const { db } = deps;
  const { override_id: overrideId, ...reported } = what;
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
      override_id: override.override_id,
      revision: override.revision,
      deleted: override.deleted,
      match: override.match,
      approval_status: override.approval_status,
      execution_policy: override.execution_policy,
      reason: override.reason,
      scope_kind: override.scope_kind,
      scope: joinScope(override.scope_kind, override.scope_id),
      expires_at: isoOrNull(override.expires_at),
      default_kind: override.default_kind,
      drift_hold: override.drift_hold,
      decided_by: override.updated_by,
      decided_at: override.updated_at.toISOString(),
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

/** As the person themselves sees it. */
export function ownChain(chain: Chain): Chain {
  return { ...chain, override: chain.override && { ...chain.override, scope: null } };
}

/** The entry of the process map that names it on its device, as the map is now. */
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

/** Devices report an application by its name alone where they could not identify it. */
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

/** Nothing happened: the decision itself is asked about. */
export const DECISION_ITSELF = { happened: null, process: null, application: null } as const;
