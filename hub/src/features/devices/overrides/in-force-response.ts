// What is decided and in force on one device, as a list that a page shows.

import type { PolicyProduct } from '@gatewarden/shared/wire/console/overrides.ts';
import type { FastifyRequest } from 'fastify';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { isoOrNull, loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { selectProductNames } from '../inventory/scope-store.ts';
import type { Snapshots } from '../sync/snapshot-cache.ts';
import { type ListedDevice, selectInForce } from './in-force.ts';
import { selectPolicyProducts } from './list-store.ts';
import type { OverrideRecord } from './store.ts';

/** The row of a policy in force in every list. */
type InForce = ReturnType<typeof inForceRow>;

/** One page, newest first; `list` is what the page's cursor is bound to, `item` adds what that list says besides. */
export async function loadInForcePage<Item>(
  request: FastifyRequest & { query: { limit?: string; cursor?: string } },
  spec: {
    db: Db;
    cursors: CursorSealer;
    snapshots: Snapshots;
    list: string;
    device: ListedDevice;
    item(override: OverrideRecord, common: InForce): Item;
  },
) {
  const { tenantId } = personOf(request);
  const { db, cursors, list, device } = spec;
  const page = await loadPage(request, {
    cursors,
    list,
    by: [device.device_id],
    fetch: (_tenant, after, limit) =>
      selectInForce(spec, tenantId, device, after && Number(after[0]), limit),
    keyOf: (override) => [String(override.revision)],
    item: (override) => override,
  });
  const ids = page.items.flatMap(({ match }) => match.entity_id ?? []);
  const policyIds = page.items.flatMap((override) => override.product_policy_id ?? []);
  const [names, products] = await Promise.all([
    selectProductNames(db, tenantId, ids),
    selectPolicyProducts(db, tenantId, policyIds),
  ]);
  const items = page.items.map((override) =>
    spec.item(override, inForceRow(override, names, products)),
  );
  return { ...page, items };
}

function inForceRow(
  override: OverrideRecord,
  names: ReadonlyMap<string, string>,
  products: ReadonlyMap<string, PolicyProduct>,
) {
  return {
    override_id: override.override_id,
    match: override.match,
    application_name: names.get(override.match.entity_id ?? '') ?? null,
    product: products.get(override.product_policy_id ?? '') ?? null,
    approval_status: override.approval_status,
    execution_policy: override.execution_policy,
    reason: override.reason,
    expires_at: isoOrNull(override.expires_at),
    decided_at: override.updated_at.toISOString(),
    decided_by: override.updated_by,
    default_kind: override.default_kind,
    drift_hold: override.drift_hold,
  };
}
