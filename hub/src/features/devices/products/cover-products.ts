// Brings the overrides that product policies own in line with the policies and the applications: after a change of a policy,
// at ingest in the transaction that records a new application, and each minute for what both missed (an application that an
// ingest of another process stored while a policy was created, or that the rules moved to another product).
import { randomUUID } from 'node:crypto';
import type { AuditOperation } from '@gatewarden/shared/wire/console/audit-operations.ts';
import type { By } from '../../../platform/audit.ts';
import { type AuditEvent, recordAudits } from '../../../platform/audit.ts';
import { type Db, type Tx, transact } from '../../../platform/db/database.ts';
import { advanceFeed, lockFeed, notify } from '../../../platform/feed/feed.ts';
import { forEachIsolated } from '../../../platform/for-each-isolated.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import {
  checkNotDecidedSince,
  type OverrideRecord,
  overrideFacts,
  selectOverridesOfPolicies,
  storeChange,
  storeNew,
} from '../overrides/index.ts';
import { POLICY_CACHE } from './policy-cache.ts';
import {
  fieldsOf,
  type OverrideChanges,
  overrideChanges,
  overrideOf,
  type PolicyRecord,
  targetsOf,
} from './policy-rules.ts';
import {
  type ProductMember,
  selectCoveredIds,
  selectMembers,
  selectPolicies,
  selectPolicyTenants,
} from './policy-store.ts';

export const BY_HUB: By = {
  actor: { kind: 'hub', id: 'products', email: null },
  requestId: null,
};

export interface Coverage extends By {
  now: Date;
  /** Products whose policies or applications changed. */
  productIds: readonly string[];
  /** Policies that the transaction has removed: their overrides are removed. */
  removed?: readonly PolicyRecord[];
  /** Applications that the transaction is about to store. */
  arriving?: readonly ProductMember[];
  /** The feed number that a person based the change on; 412 where somebody decided about the same since. */
  seen?: number | undefined;
}

/**
 * Creates, changes and removes overrides behind the feed's lock, each with a feed number and an audit event of its own.
 * What comes goes before what ends, so that no device is without either in between. Returns how many changed.
 */
export async function coverProducts(tx: Tx, tenantId: string, change: Coverage): Promise<number> {
  const { productIds, removed = [], arriving = [] } = change;
  const policies = await selectPolicies(tx, tenantId, productIds);
  const members = [...(await selectMembers(tx, tenantId, productIds)), ...arriving];
  const targets = productIds.flatMap((productId) =>
    targetsOf(
      policies.filter((policy) => policy.product_id === productId),
      members.filter((member) => member.product_id === productId),
    ),
  );
  const concerned = [...policies, ...removed];
  const owned = await selectOverridesOfPolicies(
    tx,
    tenantId,
    concerned.map((policy) => policy.policy_id),
  );
  const changes = overrideChanges(targets, owned);
  const count = changes.create.length + changes.update.length + changes.remove.length;
  if (count === 0) return 0;
  const last = await advanceFeed(tx, tenantId, 'governance', count);
  const events = await applyChanges(tx, tenantId, changes, {
    ...change,
    revision: last - count + 1,
    products: new Map(concerned.map((policy) => [policy.policy_id, productOf(policy)])),
  });
  await recordAudits(tx, events);
  await notify(tx, { kind: 'forget', cache: POLICY_CACHE, keys: [tenantId] });
  await notify(tx, { kind: 'page', tenant: tenantId, topic: 'overrides' });
  return count;
}

/** Names the product in audit events. */
export const productOf = (policy: PolicyRecord) => ({
  policy_id: policy.policy_id,
  product_id: policy.product_id,
  product_name: policy.product_name,
  platform: policy.platform,
});

async function applyChanges(
  tx: Tx,
  tenantId: string,
  changes: OverrideChanges,
  change: Coverage & {
    /** The first of the numbers. */
    revision: number;
    products: ReadonlyMap<string, ReturnType<typeof productOf>>;
  },
): Promise<AuditEvent[]> {
  const { now, seen, actor, requestId } = change;
  let { revision } = change;
  const eventOf = (
    operation: AuditOperation,
    override: OverrideRecord,
    detail: { before?: OverrideRecord; after?: OverrideRecord },
  ): AuditEvent => ({
    ...{ tenantId, actor, requestId, operation },
    resource: { kind: 'override', id: override.override_id },
    detail: {
      product: change.products.get(override.product_policy_id ?? ''),
      ...(detail.before === undefined ? {} : { before: overrideFacts(detail.before) }),
      ...(detail.after === undefined ? {} : { after: overrideFacts(detail.after) }),
    },
  });
  const events: AuditEvent[] = [];
  for (const target of changes.create) {
    const draft = overrideOf(target, randomUUID(), now);
    const after = await storeNew(tx, tenantId, draft, { revision: revision++, seen });
    events.push(eventOf('override.create', after, { after }));
  }
  for (const { override: before, policy } of changes.update) {
    await checkNotDecidedSince(tx, tenantId, before, seen);
    const fields = { ...fieldsOf(policy), updated_at: now, updated_by: policy.updated_by };
    const after = await replaceOverride(tx, tenantId, before, fields, revision++);
    events.push(eventOf('override.update', after, { before, after }));
  }
  for (const before of changes.remove) {
    const updatedBy = actor.email ?? before.updated_by;
    const fields = { deleted: true, updated_at: now, updated_by: updatedBy };
    const after = await replaceOverride(tx, tenantId, before, fields, revision++);
    events.push(eventOf('override.delete', after, { before }));
  }
  return events;
}

async function replaceOverride(
  tx: Tx,
  tenantId: string,
  before: OverrideRecord,
  fields: Partial<OverrideRecord>,
  revision: number,
): Promise<OverrideRecord> {
  const { sort_key: _key, ...same } = before;
  const after = await storeChange(tx, tenantId, before, { ...same, ...fields, revision });
  if (after === null) throw new HubError('precondition_failed');
  return after;
}

/** Covers what ingest and changes of policies missed, in all tenants. Safe to repeat, by many hubs at once. */
export async function coverMissedApplications(db: Db): Promise<void> {
  await forEachIsolated(
    await selectPolicyTenants(db),
    'some product policies were not extended',
    async (tenantId) => {
      for (const productId of await selectUncoveredProducts(db, tenantId)) {
        await transact(db, async (tx) => {
          await lockFeed(tx, tenantId, 'governance');
          await coverProducts(tx, tenantId, {
            ...BY_HUB,
            now: new Date(),
            productIds: [productId],
          });
        });
      }
    },
  );
}

/** Products whose policies own more or fewer overrides than they are to own. */
async function selectUncoveredProducts(db: Db, tenantId: string): Promise<string[]> {
  const policies = await selectPolicies(db, tenantId);
  const productIds = [...new Set(policies.map((policy) => policy.product_id))];
  const members = await selectMembers(db, tenantId, productIds);
  const covered = await selectCoveredIds(db, tenantId);
  return productIds.filter((productId) => {
    const ofProduct = policies.filter((policy) => policy.product_id === productId);
    const targets = targetsOf(
      ofProduct,
      members.filter((member) => member.product_id === productId),
    );
    return ofProduct.some(({ policy_id: id }) => {
      const wanted = targets.filter(({ policy }) => policy.policy_id === id);
      const existing = new Set(covered.get(id));
      return (
        wanted.length !== existing.size || wanted.some(({ entityId }) => !existing.has(entityId))
      );
    });
  });
}
