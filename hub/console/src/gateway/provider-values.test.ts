import { PROVIDER_TYPES } from '@gatewarden/shared/wire/management/providers.ts';
import { expect, test } from 'vitest';
import {
  dropSecretOfOldAddress,
  EMPTY_PROVIDER,
  listFormSettings,
  toProviderInput,
  toProviderPatch,
  toProviderValues,
} from './provider-values.ts';

const STORED = {
  label: 'main',
  provider_name: 'vendorA' as const,
  provider_settings: { base_url: 'https://a.example.com' },
  selected_models: ['m'],
  model_costs: { m: { input_per_1m: 1, output_per_1m: 2 }, old: { input_per_1m: 9 } },
  enabled: true,
  credential_configured: true,
  created_at: 1,
  updated_at: 1,
  version: '"1"',
};

test("requires the fields of each provider type's usual mode", () => {
  for (const type of PROVIDER_TYPES) {
    const asked = listFormSettings(type, {});
    expect(new Set(asked.map((item) => item.name)).size).toBe(asked.length);
  }
  expect(listFormSettings('vendorA', {})).toContainEqual({
    name: 'api_key',
    isSecret: true,
    isRequired: true,
  });
  const role = listFormSettings('vendorG', { vendorG_auth_mode: 'assume_role' });
  expect(role).toContainEqual({ name: 'vendorG_role_arn', isSecret: false, isRequired: true });
  expect(listFormSettings('vendorA', { auth_type: 'gateway_user_principal' })).not.toContainEqual(
    expect.objectContaining({ name: 'api_key' }),
  );
});

test('sends typed values with numbers as numbers, without fields of other types', () => {
  const input = toProviderInput({
    ...EMPTY_PROVIDER,
    label: ' main ',
    type: 'vendorG',
    settings: {
      vendorG_auth_mode: 'static',
      vendorG_region: 'eu-west-1',
      vendorG_access_key: 'a',
      vendorG_secret_key: 'b',
      vendorG_session_duration_seconds: '900',
      vendorF_region: 'left over',
      base_url: '',
    },
    costs: { m: { input: '1.5', output: '', cache: '0' } },
  });
  expect(input).toEqual({
    label: 'main',
    provider_name: 'vendorG',
    provider_settings: {
      vendorG_auth_mode: 'static',
      vendorG_region: 'eu-west-1',
      vendorG_access_key: 'a',
      vendorG_secret_key: 'b',
      vendorG_session_duration_seconds: 900,
    },
    selected_models: [],
    enabled: true,
    model_costs: { m: { input_per_1m: 1.5, output_per_1m: null, cache_per_1m: 0 } },
  });
});

test('rotates only typed secrets, and removes deleted prices', () => {
  const values = toProviderValues(STORED);
  const { old: _gone, ...costs } = values.costs;
  expect(toProviderPatch({ ...values, costs }, STORED)).toEqual({
    selected_models: ['m'],
    enabled: true,
    model_costs: { old: null, m: { input_per_1m: 1, output_per_1m: 2, cache_per_1m: null } },
  });
  const rotated = { ...values, settings: { ...values.settings, api_key: 'new' } };
  expect(toProviderPatch(rotated, STORED).provider_settings).toEqual({ api_key: 'new' });
});

test('asks for the credential again when the address of a provider changes', () => {
  const stored = toProviderValues(STORED);
  const mine = { ...stored, settings: { ...stored.settings, api_key: 'typed' } };
  expect(dropSecretOfOldAddress(mine, { ...mine, label: 'other' })).toBeNull();
  const moved = { ...mine.settings, base_url: 'https://b.example.com' };
  expect(dropSecretOfOldAddress(mine, { ...mine, settings: moved })).toEqual({
    values: { ...mine, settings: { ...stored.settings, base_url: 'https://b.example.com' } },
    address: 'https://b.example.com',
  });
  expect(dropSecretOfOldAddress(stored, { ...stored, settings: moved })).toBeNull();
  const other = { ...mine.settings, vendorB_endpoint: 'https://c.example.com' };
  expect(dropSecretOfOldAddress(mine, { ...mine, settings: other })?.address).toBe(
    'https://c.example.com',
  );
});

test('sends null for a cleared setting and omits an untouched one', () => {
  const values = toProviderValues(STORED);
  const cleared = { ...values, settings: { ...values.settings, base_url: '' } };
  expect(toProviderPatch(cleared, STORED).provider_settings).toEqual({ base_url: null });
  expect(toProviderPatch(values, STORED)).not.toHaveProperty('provider_settings');
});
