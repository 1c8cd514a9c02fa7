import { PROVIDER_TYPES } from '@gatewarden/shared/wire/management/providers.ts';
import { expect, test } from 'vitest';
import {
  askedSettings,
  EMPTY_PROVIDER,
  inputOfProvider,
  patchOfProvider,
  valuesOfProvider,
  withoutSecret,
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
    const asked = askedSettings(type, {});
    expect(new Set(asked.map((item) => item.name)).size).toBe(asked.length);
  }
  expect(askedSettings('vendorA', {})).toContainEqual({
    name: 'api_key',
    isSecret: true,
    isRequired: true,
  });
  const role = askedSettings('vendorG', { vendorG_auth_mode: 'assume_role' });
  expect(role).toContainEqual({ name: 'vendorG_role_arn', isSecret: false, isRequired: true });
  expect(askedSettings('vendorA', { auth_type: 'gateway_user_principal' })).not.toContainEqual(
    expect.objectContaining({ name: 'api_key' }),
  );
});

test('sends typed values with numbers as numbers, without fields of other types', () => {
  const input = inputOfProvider({
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
  const values = valuesOfProvider(STORED);
  const { old: _gone, ...costs } = values.costs;
  expect(patchOfProvider({ ...values, costs }, STORED)).toEqual({
    selected_models: ['m'],
    enabled: true,
    model_costs: { old: null, m: { input_per_1m: 1, output_per_1m: 2, cache_per_1m: null } },
  });
  const rotated = { ...values, settings: { ...values.settings, api_key: 'new' } };
  expect(patchOfProvider(rotated, STORED).provider_settings).toEqual({ api_key: 'new' });
});

test('asks for the credential again when the address of a provider changes', () => {
  const stored = valuesOfProvider(STORED);
  const mine = { ...stored, settings: { ...stored.settings, api_key: 'typed' } };
  expect(withoutSecret(mine, { ...mine, label: 'other' })).toBeNull();
  const moved = { ...mine.settings, base_url: 'https://b.example.com' };
  expect(withoutSecret(mine, { ...mine, settings: moved })).toEqual({
    values: { ...mine, settings: { ...stored.settings, base_url: 'https://b.example.com' } },
    address: 'https://b.example.com',
  });
  expect(withoutSecret(stored, { ...stored, settings: moved })).toBeNull();
  const other = { ...mine.settings, vendorB_endpoint: 'https://c.example.com' };
  expect(withoutSecret(mine, { ...mine, settings: other })?.address).toBe('https://c.example.com');
});

test('sends null for a cleared setting and omits an untouched one', () => {
  const values = valuesOfProvider(STORED);
  const cleared = { ...values, settings: { ...values.settings, base_url: '' } };
  expect(patchOfProvider(cleared, STORED).provider_settings).toEqual({ base_url: null });
  expect(patchOfProvider(values, STORED)).not.toHaveProperty('provider_settings');
});
