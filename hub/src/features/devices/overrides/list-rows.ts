// A decision as the list shows it, and as its file: with its rollout, its state, and the name of what it is about.

import type {
  ListedOverride,
  OverridesQuery,
  PolicyProduct,
} from '@gatewarden/shared/wire/console/overrides.ts';
import type { Static } from 'typebox';
import type { Db } from '../../../platform/db/database.ts';
import type { TenantList } from '../../../platform/http/lists/console-lists.ts';
import type { Columns } from '../../../platform/http/lists/download.ts';
import { selectProductNames } from '../inventory/scope-store.ts';
import type { StoredRollout } from '../rollouts/rollout.ts';
import { selectRollouts } from '../rollouts/store.ts';
import { type ListedRecord, selectOverrides, selectPolicyProducts } from './list-store.ts';
import { overrideRow } from './override-rules.ts';

export type OverridesFilter = Omit<Static<typeof OverridesQuery>, 'limit' | 'cursor'>;

interface Listed {
  record: ListedRecord;
  rollout: StoredRollout | null;
  product: PolicyProduct | null;
}

export type DecisionList = TenantList<Listed, ListedOverride>;

export async function selectListed(
  db: Db,
  tenantId: string,
  ...asked: Parameters<typeof selectOverrides> extends [Db, string, ...infer Rest] ? Rest : never
): Promise<Listed[]> {
  const records = await selectOverrides(db, tenantId, ...asked);
  const ids = records.map((record) => record.override_id);
  const policyIds = records.flatMap((record) => record.product_policy_id ?? []);
  const [rollouts, products] = await Promise.all([
    selectRollouts(db, tenantId, ids),
    selectPolicyProducts(db, tenantId, policyIds),
  ]);
  return records.map((record) => ({
    record,
    rollout: rollouts.get(record.override_id) ?? null,
    product: products.get(record.product_policy_id ?? '') ?? null,
  }));
}

export function listedOverride({ record, rollout, product }: Listed): ListedOverride {
  const { state, replaced_by, ...override } = record;
  return { ...overrideRow(override, rollout), state, replaced_by, product };
}

interface Named extends ListedOverride {
  /** Name of the app that the override matches by its id, if a device has reported it. */
  application_name: string | null;
}

/** The same list with names: a file is read without the pages that an id leads to. */
export function withAppNames(
  db: Db,
  { fetch, item, ...list }: DecisionList,
): TenantList<Listed & { name: string | null }, Named> {
  return {
    ...list,
    fetch: async (tenantId, after, limit) => {
      const found = await fetch(tenantId, after, limit);
      const ids = found.flatMap(({ record }) => record.match.entity_id ?? []);
      const names = await selectProductNames(db, tenantId, ids);
      return found.map((element) => ({
        ...element,
        name: names.get(element.record.match.entity_id ?? '') ?? null,
      }));
    },
    item: ({ name, ...element }) => ({ application_name: name, ...item(element) }),
  };
}

const scopeIdOf = ({ scope }: ListedOverride): string | null => {
  if (scope.kind === 'group') return scope.group_id;
  if (scope.kind === 'subscriber') return scope.subscriber_id;
  return scope.kind === 'device' ? scope.device_id : null;
};

export const FILE_COLUMNS: Columns<Named> = {
  application_name: (row) => row.product?.name ?? row.application_name ?? row.match.name ?? null,
  match: ({ match }) =>
    Object.entries(match)
      .map(([key, value]) => `${key}=${value}`)
      .join('; '),
  approval_status: (row) => row.approval_status,
  execution_policy: (row) => row.execution_policy,
  state: (row) => row.state,
  scope: (row) => row.scope.kind,
  scope_id: scopeIdOf,
  rollout_percent: (row) => row.rollout_percent,
  severity: (row) => row.severity,
  reason: (row) => row.reason,
  effective_at: (row) => row.effective_at,
  expires_at: (row) => row.expires_at,
  created_at: (row) => row.created_at,
  created_by: (row) => row.created_by,
  updated_at: (row) => row.updated_at,
  updated_by: (row) => row.updated_by,
  replaced_by: (row) => row.replaced_by,
  default_kind: (row) => row.default_kind,
  override_id: (row) => row.override_id,
};
