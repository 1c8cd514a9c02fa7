// Writes an override: the steps that every change has in common.

import { randomUUID } from 'node:crypto';
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import type { OverrideInput } from '@gatewarden/shared/wire/console/overrides.ts';
import { type AuditEvent, recordAudit } from '../../../platform/audit.ts';
import { auditEventOf, type Person } from '../../../platform/auth/person.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { versionedWrite } from '../../../platform/versioned-write.ts';
import { selectGroup } from '../groups/index.ts';
import { selectProductsOfMatches } from '../inventory/scope-store.ts';
import { isUnderway, rolloutRow, type StoredRollout } from '../rollouts/rollout.ts';
import { selectRollouts, writeRollout } from '../rollouts/store.ts';
import { concernsSame, subjectOf } from './match-subject.ts';
import { applyOverrideEffects } from './override-effects.ts';
import {
  conflictMessage,
  mayLeaveScope,
  newOverride,
  overrideFacts,
  patchedOverride,
} from './override-rules.ts';
import {
  insertDeparture,
  insertOverride,
  type NewOverride,
  type OverrideRecord,
  selectDecidedSince,
  selectOverride,
  updateOverride,
} from './store.ts';

type OverrideChange = Omit<OverrideRecord, 'sort_key' | 'revision'>;

/** Stores a user's change. Throws like `versionedWrite`, and for an override that a default policy or a rollout owns. */
export function changeOverride(
  db: Db,
  person: Person,
  write: {
    overrideId: string;
    ifMatch: string | undefined;
    requestId: string;
    operation: AuditOperation;
    /** The feed number that the person looked at; left out, nothing is compared. */
    seen?: number | undefined;
    change(before: OverrideRecord): OverrideChange | null;
  },
): Promise<OverrideRecord> {
  const { tenantId } = person;
  return versionedWrite(db, {
    tenantId,
    feed: 'governance',
    page: 'overrides',
    ifMatch: write.ifMatch,
    load: (tx) => selectOverride(tx, tenantId, write.overrideId),
    change: (before) => {
      rejectManagedOverride(before);
      return write.change(before);
    },
    store: async (tx, before, change, revision) => {
      if (!change.deleted) await checkGroup(tx, tenantId, change);
      if (change.rollout_percent !== before.rollout_percent) {
        await checkNoRollout(tx, tenantId, before.override_id);
      }
      await checkNotDecidedSince(tx, tenantId, change, write.seen);
      return storeChange(tx, tenantId, before, { ...change, revision });
    },
    audit: (before, after) =>
      overrideEvent(person, write.operation, write.requestId, after.override_id, {
        before: overrideFacts(before),
        ...(after.deleted ? {} : { after: overrideFacts(after) }),
      }),
  });
}

/** Rejects an override that users change in another place. */
export function rejectManagedOverride(override: OverrideRecord): void {
  if (override.default_kind !== null) throw new HubError('default_policy');
  if (override.drift_hold) throw new HubError('drift_hold');
  if (override.product_policy_id !== null) throw new HubError('product_policy');
}

/** Stores a change with what hangs on it: whom it leaves, what is decided. Null where another writer was faster. */
export async function storeChange(
  tx: Tx,
  tenantId: string,
  before: OverrideRecord,
  change: Omit<OverrideRecord, 'sort_key'>,
): Promise<OverrideRecord | null> {
  const after = await updateOverride(tx, tenantId, before.version, change);
  if (after === null) return null;
  if (!after.deleted && mayLeaveScope(before, after)) {
    await insertDeparture(tx, tenantId, {
      revision: after.revision,
      override_id: after.override_id,
      scope_kind: before.scope_kind,
      scope_id: before.scope_id,
      rollout_percent: before.rollout_percent,
    });
  }
  await applyOverrideEffects(tx, tenantId, before, after);
  return after;
}

/** Sets whom the override aims at, in the caller's transaction, behind the feed's lock. */
export async function setPercent(
  tx: Tx,
  tenantId: string,
  override: OverrideRecord,
  to: { percent: number; revision: number; by: string; now: Date },
): Promise<OverrideRecord> {
  if (override.rollout_percent === to.percent) return override;
  const { sort_key: _key, ...same } = override;
  const after = await storeChange(tx, tenantId, override, {
    ...same,
    rollout_percent: to.percent,
    revision: to.revision,
    updated_at: to.now,
    updated_by: to.by,
  });
  if (after === null) throw new HubError('precondition_failed');
  return after;
}

/** Behind the feed's lock, so that the group cannot go while the override comes. Throws 400 where it is not there. */
export async function checkGroup(
  db: Db,
  tenantId: string,
  scope: Pick<OverrideRecord, 'scope_kind' | 'scope_id'>,
): Promise<void> {
  if (scope.scope_kind !== 'group') return;
  if ((await selectGroup(db, tenantId, scope.scope_id)) === null) {
    throw new HubError('invalid_request', '/scope/group_id must be an existing device group');
  }
}

async function checkNoRollout(tx: Tx, tenantId: string, overrideId: string): Promise<void> {
  const rollout = (await selectRollouts(tx, tenantId, [overrideId])).get(overrideId) ?? null;
  if (!isUnderway(rollout)) return;
  throw new HubError(
    'rollout_conflict',
    '/rollout_percent is controlled by the rollout. Revert the rollout before you set it manually.',
  );
}

/** A person's new decision, in the caller's transaction, behind the feed's lock; with its audit event. Throws 400. */
export async function storeDecision(
  tx: Tx,
  person: Person,
  decision: { revision: number; requestId: string; now: Date; input: OverrideInput },
): Promise<OverrideRecord> {
  const { tenantId, email } = person;
  const draft = newOverride(decision.input, {
    overrideId: decision.input.override_id ?? randomUUID(),
    email,
    now: decision.now,
  });
  const stored = await storeNew(tx, tenantId, draft, {
    revision: decision.revision,
    seen: decision.input.as_of_revision,
  });
  await recordAudit(
    tx,
    overrideEvent(person, 'override.create', decision.requestId, stored.override_id, {
      after: overrideFacts(stored),
    }),
  );
  return stored;
}

/**
 * Changes the override of a person's new decision, in the caller's transaction, behind the feed's lock; with its audit event.
 * Returns the override unchanged where it has the terms already. Throws 412 where others changed or made a decision since.
 */
export async function changeDecision(
  tx: Tx,
  person: Person,
  before: OverrideRecord,
  decision: Parameters<typeof storeDecision>[2],
): Promise<OverrideRecord> {
  const { input, now, revision, requestId } = decision;
  const { match: _match, scope: _scope, ...patch } = input;
  const change = patchedOverride(before, patch, { email: person.email, now });
  if (change === null) return before;
  if (input.as_of_revision !== undefined && before.revision > input.as_of_revision) {
    throw new HubError('precondition_failed', conflictMessage(before, input.match));
  }
  await checkNotDecidedSince(tx, person.tenantId, change, input.as_of_revision);
  const after = await storeChange(tx, person.tenantId, before, { ...change, revision });
  if (after === null) throw new HubError('precondition_failed');
  await recordAudit(
    tx,
    overrideEvent(person, 'override.update', requestId, after.override_id, {
      before: overrideFacts(before),
      after: overrideFacts(after),
    }),
  );
  return after;
}

/** Stores an override with a rollout. `input` has the percentage of the first ring. */
export async function storeStaged(
  tx: Tx,
  person: Person,
  decision: Parameters<typeof storeDecision>[2],
  rollout: StoredRollout,
): Promise<OverrideRecord> {
  const stored = await storeDecision(tx, person, decision);
  const { override_id: overrideId, rollout_percent: percent } = stored;
  await writeRollout(tx, person.tenantId, overrideId, rollout);
  await recordAudit(
    tx,
    rolloutEvent(person, 'override.rollout_start', decision.requestId, overrideId, {
      before: null,
      after: rollout,
      percent: { before: percent, after: percent },
    }),
  );
  return stored;
}

/** Returns the audit detail of a rollout that a user starts or changes. */
export function rolloutEvent(
  person: Person,
  operation: AuditOperation,
  requestId: string,
  overrideId: string,
  change: {
    before: StoredRollout | null;
    after: StoredRollout;
    percent: { before: number; after: number };
  },
): AuditEvent {
  const { before, after, percent } = change;
  return overrideEvent(person, operation, requestId, overrideId, {
    before: before === null ? null : rolloutRow(before),
    after: rolloutRow(after),
    rollout_percent: percent,
  });
}

/**
 * Stores a new decision behind the feed's lock, where whoever decided about the same before has committed. `seen` is the
 * feed number that its maker looked at. Throws 400 for a group that is not there, 412 where others decided since.
 */
export async function storeNew(
  tx: Tx,
  tenantId: string,
  draft: NewOverride,
  at: { revision: number; seen: number | undefined },
): Promise<OverrideRecord> {
  await checkGroup(tx, tenantId, draft);
  await checkNotDecidedSince(tx, tenantId, draft, at.seen);
  const stored = await insertOverride(tx, tenantId, draft, at.revision);
  await applyOverrideEffects(tx, tenantId, null, stored);
  return stored;
}

/** Throws 412 where another decision about the same, in whatever words, was made for the same scope since then. */
export async function checkNotDecidedSince(
  tx: Tx,
  tenantId: string,
  mine: Pick<OverrideRecord, 'override_id' | 'match' | 'scope_kind' | 'scope_id'>,
  seen: number | undefined,
): Promise<void> {
  if (seen === undefined) return;
  const subject = subjectOf(mine.match, await selectProductsOfMatches(tx, tenantId, [mine.match]));
  const entityIds = subject.products.map((product) => product.entity_id);
  const scope = { scope_kind: mine.scope_kind, scope_id: mine.scope_id };
  const target = {
    ...scope,
    entityIds: mine.match.entity_id === undefined ? entityIds : [mine.match.entity_id],
  };
  const since = await selectDecidedSince(tx, tenantId, target, seen);
  const other = since.find(
    (override) =>
      override.override_id !== mine.override_id && concernsSame(subject, override.match),
  );
  if (other) throw new HubError('precondition_failed', conflictMessage(other, mine.match));
}

/** Returns the audit event of a user's change of an override. */
export function overrideEvent(
  person: Person,
  operation: AuditOperation,
  requestId: string,
  overrideId: string,
  detail: object,
): AuditEvent {
  return auditEventOf(person, requestId, {
    operation,
    resource: { kind: 'override', id: overrideId },
    detail,
  });
}
