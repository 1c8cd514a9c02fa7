// The policies in force on a device, as a page of a list.

import type { PolicyProduct } from '@gatewarden/shared/wire/console/overrides.ts';
import type { FastifyRequest } from 'fastify';
import { personOf } from '../../../platform/auth/person.ts';
import type { Db } from '../../../platform/db/database.ts';
import { loadPage } from '../../../platform/http/lists/console-lists.ts';
import type { CursorSealer } from '../../../platform/http/lists/cursors.ts';
import { selectProductNames } from '../inventory/scope-store.ts';
import type { Snapshots } from '../sync/snapshot-cache.ts';
import { explainOverride } from './explain-override.ts';
import { type ListedDevice, selectInForce } from './in-force.ts';
import { selectPolicyProducts } from './list-store.ts';
import type { OverrideRecord } from './store.ts';

/** The row of a policy in force in every list. */
type InForce = ReturnType<typeof inForceRow>;

/** Returns a page, newest first. The cursor is bound to `list`; `item` adds the fields of that list. */
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
  const { scope: _scope, ...explanation } = explainOverride(override);
  return {
    ...explanation,
    application_name: names.get(override.match.entity_id ?? '') ?? null,
    product: products.get(override.product_policy_id ?? '') ?? null,
  };
}
