// Credentials of a provider at rest: a single sealed document, bound to tenant and label.
import type { ProviderSettings } from '@gatewarden/shared/wire/management/providers.ts';
import type { Sealer } from '../../../platform/crypto/seal.ts';
import { locationOf, type SealedColumn } from '../../../platform/crypto/sealed-columns.ts';
import type { ProviderDraft, ProviderRow } from './rules.ts';
import type { StoredProvider } from './store.ts';

export const SEALED_SETTINGS: SealedColumn = {
  table: 'providers',
  column: 'sealed_settings',
  key: ['tenant_id', 'label'],
};

const placeOf = (tenantId: string, label: string) => locationOf(SEALED_SETTINGS, [tenantId, label]);

export function sealedProvider(
  sealer: Sealer,
  tenantId: string,
  { secrets, ...open }: ProviderDraft,
): StoredProvider {
  const isEmpty = Object.keys(secrets).length === 0;
  return {
    ...open,
    sealed_settings: isEmpty
      ? null
      : sealer.seal(JSON.stringify(secrets), placeOf(tenantId, open.label)),
  };
}

export function openedProvider(sealer: Sealer, tenantId: string, row: ProviderRow): ProviderDraft {
  return {
    label: row.label,
    provider_name: row.provider_name,
    enabled: row.enabled,
    settings: row.settings,
    secrets: openedSecrets(sealer, tenantId, row),
    selected_models: row.selected_models,
    model_costs: row.model_costs,
  };
}

export function openedSecrets(
  sealer: Sealer,
  tenantId: string,
  row: Pick<ProviderRow, 'label' | 'sealed_settings'>,
): ProviderSettings {
  return row.sealed_settings === null
    ? {}
    : (JSON.parse(
        sealer.unseal(row.sealed_settings, placeOf(tenantId, row.label)),
      ) as ProviderSettings);
}
