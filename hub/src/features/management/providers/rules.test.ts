// Changes of a provider: cleared settings, another mode of authentication, prices, endpoints.
import { modesOf, requirementsOf } from '@gatewarden/shared/provider-types.ts';
import {
  PROVIDER_SETTINGS,
  PROVIDER_TYPES,
  type ProviderSettings,
  type ProviderType,
  SECRET_SETTINGS,
  type SettingName,
} from '@gatewarden/shared/wire/management/providers.ts';
import { describe, expect, it, test } from 'vitest';
import { checkSettings, newProvider, patchedProvider } from './rules.ts';

const ACCOUNT = '{"type":"service_account","token_uri":"https://oauth2.googleapis.com/token"}';
const sample = (name: SettingName): string | number => {
  if (name === 'service_account_json') return ACCOUNT;
  if (name === 'vendorG_session_duration_seconds') return 900;
  return name === 'base_url' || name === 'vendorB_endpoint' ? 'https://x.example.com' : `a ${name}`;
};

/** Every type in every mode, with its required settings. */
const MODES = PROVIDER_TYPES.flatMap((type) => {
  const { chosenBy, modes } = modesOf(type);
  return modes.map((mode) => {
    const needs = requirementsOf(type, { [chosenBy]: mode } as ProviderSettings);
    if ('unknownMode' in needs) throw new Error(`${type} has no mode ${mode}`);
    const required = Object.fromEntries(needs.required.map((name) => [name, sample(name)]));
    const settings: ProviderSettings = { [chosenBy]: mode, ...required };
    return { type, mode, chosenBy, needs, settings };
  });
});
const made = (type: ProviderType, provider_settings: ProviderSettings) =>
  newProvider({ label: 'p', provider_name: type, provider_settings });

describe.each(MODES)(
  'null in a change of $type with $mode',
  ({ type, chosenBy, needs, settings }) => {
    const optional = (Object.keys(PROVIDER_SETTINGS) as SettingName[]).filter((name) => {
      const isStorable = needs.credentials.includes(name) || !SECRET_SETTINGS.includes(name);
      const isMode = name === 'auth_type' || name === 'vendorG_auth_mode';
      return isStorable && !isMode && !needs.required.includes(name);
    });

    it.each(optional)('removes %s completely', (name) => {
      const before = made(type, { ...settings, [name]: sample(name) });
      const after = patchedProvider(before, { provider_settings: { [name]: null } });
      expect(after).toEqual(made(type, settings));
      // A second time there is nothing to remove.
      expect(patchedProvider(after, { provider_settings: { [name]: null } })).toEqual(after);
    });

    it.each(needs.required.filter((name) => name !== chosenBy))(
      'rejects null for %s with a reason',
      (name) => {
        const change = () =>
          patchedProvider(made(type, settings), { provider_settings: { [name]: null } });
        expect(change).toThrow(`/provider_settings/${name} is required for ${type}`);
      },
    );
  },
);

describe('another mode of authentication', () => {
  const pairs = MODES.flatMap((from) =>
    MODES.filter((to) => to.type === from.type && to.mode !== from.mode).map((to) => ({
      ...{ type: from.type, from: from.mode, to: to.mode },
      ...{ before: from, after: to },
    })),
  );

  it.each(pairs)(
    'requires new fields and drops former fields of $type from $from to $to',
    ({ type, before, after }) => {
      const stored = made(type, before.settings);
      const chosen = { [after.chosenBy]: after.mode };
      const ofMode = after.needs.required.filter((name) => after.needs.ofMode.includes(name));
      const [missing] = ofMode;
      if (missing !== undefined) {
        expect(() => patchedProvider(stored, { provider_settings: chosen })).toThrow(
          `/provider_settings/${missing} is required`,
        );
      }
      const fields = Object.fromEntries(ofMode.map((name) => [name, 'new']));
      if ('service_account_json' in fields) fields.service_account_json = ACCOUNT;
      const changed = patchedProvider(stored, { provider_settings: { ...chosen, ...fields } });
      expect(changed).toEqual(made(type, { ...after.settings, ...fields }));
    },
  );

  it('keeps the mode when the default mode is named or cleared', () => {
    const stored = made('vendorG', {
      vendorG_region: 'r',
      vendorG_access_key: 'a',
      vendorG_secret_key: 's',
    });
    const named = patchedProvider(stored, { provider_settings: { vendorG_auth_mode: 'static' } });
    expect(named.secrets).toEqual(stored.secrets);
    expect(patchedProvider(named, { provider_settings: { vendorG_auth_mode: null } })).toEqual(
      stored,
    );
  });

  it('requires the fields of the default mode when a named mode is cleared', () => {
    const stored = made('vendorG', {
      vendorG_auth_mode: 'assume_role',
      vendorG_region: 'r',
      vendorG_role_arn: 'arn',
      vendorG_access_key: 'a',
      vendorG_secret_key: 's',
    });
    expect(() =>
      patchedProvider(stored, { provider_settings: { vendorG_auth_mode: null } }),
    ).toThrow('/provider_settings/vendorG_access_key is required');
  });
});

test('limits merged prices to the models of a single request', () => {
  const costs = (from: number, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`m${from + i}`, { input_per_1m: 1 }]),
    );
  const full = newProvider({ label: 'p', provider_name: 'gw_ai', model_costs: costs(0, 1000) });
  expect(() => patchedProvider(full, { model_costs: costs(1000, 1) })).toThrow(
    '/model_costs must not have more than 1000',
  );
  const exchanged = patchedProvider(full, { model_costs: { ...costs(1000, 1), m0: null } });
  expect(Object.keys(exchanged.model_costs)).toHaveLength(1000);
  const grown = { ...full, model_costs: costs(0, 2000) };
  const fewer = patchedProvider(grown, { model_costs: { m0: null } });
  expect(Object.keys(fewer.model_costs)).toHaveLength(1999);
  expect(() => patchedProvider(grown, { model_costs: costs(2000, 1) })).toThrow('must not have');
});

test.each([
  'https:x.example.com',
  'https:/x.example.com',
  'https:///x.example.com',
  'https://x.example.com\\@evil.example.com',
  ' https://x.example.com',
  'https://x.example.com/v 1',
  'ht\ntps://x.example.com',
  'https://x.example.com/\u0085',
  'ftp://x.example.com',
])('rejects an endpoint that clients may parse differently: %j', (base_url) => {
  expect(() => checkSettings({ base_url })).toThrow('/provider_settings/base_url must begin with');
  expect(() => checkSettings({ base_url: 'HTTPS://x.example.com/v1' })).not.toThrow();
});

test('rejects a service account with a duplicate or deceptive token URI', () => {
  const check = (service_account_json: string) => () => checkSettings({ service_account_json });
  const uri = (at: string) => `"token_uri":"https://${at}/token"`;
  const good = uri('oauth2.googleapis.com');
  expect(check(`{"type":"service_account",${good}}`)).not.toThrow();
  for (const more of [`${uri('evil.example')},${good}`, uri('u:p@oauth2.googleapis.com')]) {
    const refused = check(`{"type":"service_account",${more}}`);
    expect(refused).toThrow('/provider_settings/service_account_json must');
  }
});

test('accepts its own label with outer blanks, and rejects a changed or dotted label', () => {
  const made = newProvider({ label: ' p ', provider_name: 'gw_ai' });
  expect(patchedProvider(made, { label: ' p ' }).label).toBe('p');
  expect(() => patchedProvider(made, { label: 'q' })).toThrow('/label cannot be changed');
  for (const label of ['.', ' .. ']) {
    expect(() => newProvider({ label, provider_name: 'gw_ai' })).toThrow('/label must not be . or');
  }
});
