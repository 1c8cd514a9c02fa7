import { PROVIDER_TYPES } from '@gatewarden/shared/wire/management/providers.ts';
import { describe, expect, it } from 'vitest';
import { nameInWords } from './schema-fields.ts';
import { isOfUnnamedVendor, providerTypeLabel, setVendorNames } from './vendors.ts';

describe('the label of a provider type', () => {
  it.each([
    ['vendorA', 'OpenAI'],
    ['vendorB_vendorA', 'OpenAI on Microsoft Azure'],
    ['vendorA_responses_vendorB', 'OpenAI Responses on Microsoft Azure'],
    ['vendorC_messages_vendorG', 'Anthropic Messages on AWS'],
    ['vendorE_ai', 'Google AI'],
    ['vendorH_rerank', 'Vendor H Rerank'],
    ['vendorK', 'Sarvam'],
    ['vendorB_studio', 'Microsoft Azure Studio'],
    ['general', 'OpenAI-compatible'],
  ])('labels provider type %s as %s', (type, label) => {
    expect(providerTypeLabel(type)).toBe(label);
  });

  it('differs between all types and contains no vendor letter', () => {
    const labels = PROVIDER_TYPES.map(providerTypeLabel);
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels.join()).not.toMatch(/vendor[A-L]/);
  });
});

it.each([
  ['vendorG_region', 'AWS region'],
  ['vendorC_version', 'Anthropic version'],
  ['api_key', 'API key'],
])('shows the setting %s as %s', (name, label) => {
  expect(nameInWords(name)).toBe(label);
});

it('takes the names of an operator for vendors without a built-in name', () => {
  setVendorNames({ D: 'Acme', A: 'Impostor' });
  expect(providerTypeLabel('vendorD')).toBe('Acme');
  expect(providerTypeLabel('vendorA')).toBe('OpenAI');
  expect([isOfUnnamedVendor('vendorD'), isOfUnnamedVendor('vendorH_rerank')]).toEqual([
    false,
    true,
  ]);
  expect(nameInWords('vendorD_region')).toBe('Acme region');
  setVendorNames({});
  expect(providerTypeLabel('vendorD')).toBe('Vendor D');
});
