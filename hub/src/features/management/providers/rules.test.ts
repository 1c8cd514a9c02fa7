// What a change of a provider makes of it.
import { expect, test } from 'vitest';
import { checkSettings, newProvider, patchedProvider } from './rules.ts';

test('prices that merge are never of more models than one request may name', () => {
  const costs = (from: number, count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => [`m${from + i}`, { input_per_1m: 1 }]),
    );
  const full = newProvider({ label: 'p', provider_name: 'gw_ai', model_costs: costs(0, 1000) });
  expect(() => patchedProvider(full, { model_costs: costs(1000, 1) })).toThrow(
    '/model_costs must not hold more than 1000',
  );
  const exchanged = patchedProvider(full, { model_costs: { ...costs(1000, 1), m0: null } });
  expect(Object.keys(exchanged.model_costs)).toHaveLength(1000);
  const grown = { ...full, model_costs: costs(0, 2000) };
  const fewer = patchedProvider(grown, { model_costs: { m0: null } });
  expect(Object.keys(fewer.model_costs)).toHaveLength(1999);
  expect(() => patchedProvider(grown, { model_costs: costs(2000, 1) })).toThrow('must not hold');
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
])('an endpoint that readers may take for another is refused: %j', (base_url) => {
  expect(() => checkSettings({ base_url })).toThrow('/provider_settings/base_url must begin with');
  expect(() => checkSettings({ base_url: 'HTTPS://x.example.com/v1' })).not.toThrow();
});

test('a service account names one place where its assertions go, for every reader', () => {
  const check = (service_account_json: string) => () => checkSettings({ service_account_json });
  const uri = (at: string) => `"token_uri":"https://${at}/token"`;
  const good = uri('oauth2.googleapis.com');
  expect(check(`{"type":"service_account",${good}}`)).not.toThrow();
  for (const more of [`${uri('evil.example')},${good}`, uri('u:p@oauth2.googleapis.com')]) {
    const refused = check(`{"type":"service_account",${more}}`);
    expect(refused).toThrow('/provider_settings/service_account_json must');
  }
});

test('a label is told again with blanks around it, and is no step of a path', () => {
  const made = newProvider({ label: ' p ', provider_name: 'gw_ai' });
  expect(patchedProvider(made, { label: ' p ' }).label).toBe('p');
  expect(() => patchedProvider(made, { label: 'q' })).toThrow('/label cannot be changed');
  for (const label of ['.', ' .. ']) {
    expect(() => newProvider({ label, provider_name: 'gw_ai' })).toThrow('/label must not be . or');
  }
});
