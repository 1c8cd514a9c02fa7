// The order of prices, and the names of models with regions, versions and dates.
import { expect, it } from 'vitest';
import { findPrice, normalizeModel, type PricedProvider } from './find-price.ts';
import { PRICE_LIST } from './price-list.ts';

const provider = (
  label: string,
  provider_name: string,
  model_costs: PricedProvider['model_costs'] = {},
): PricedProvider => ({ label, provider_name, model_costs });

const PROVIDERS = [
  provider('main', 'vendorA', { 'gpt-4o': { input_per_1m: 1 } }),
  provider('other', 'vendorA'),
  provider('local', 'general'),
  provider('claude', 'vendorC'),
];
const OVERRIDES = { 'gpt-4o': { input_per_1m: 2 }, 'gpt-4.1': { input_per_1m: 3 } };
const input = (request: Parameters<typeof findPrice>[2]) =>
  findPrice(PROVIDERS, OVERRIDES, request)?.input_per_1m ?? null;

it.each([
  ['the price of the provider', 'main', 'gpt-4o', 1],
  ['the price of the organization before the list', 'other', 'gpt-4o', 2],
  ['the price of the organization for a dated model', 'other', 'gpt-4.1-2025-04-14', 3],
  ['the price of the organization for its own server', 'local', 'gpt-4.1', 3],
  ['the price of the organization without a provider', null, 'gpt-4.1', 3],
  ['the list price', 'other', 'gpt-4o-mini', 0.15],
  ['the list price by the type of a single provider', 'vendorC', 'claude-sonnet-4-5', 3],
  ['no list price for the type of several providers', 'vendorA', 'gpt-4o-mini', null],
  ['no list price on an own server', 'local', 'gpt-4o-mini', null],
  ['no list price without a provider', null, 'gpt-4o-mini', null],
  ['no price of an unknown model', 'other', 'constructor', null],
  ['no price without a model', 'main', null, null],
])('returns %s', (_claim, name, model, expected) => {
  expect(input({ provider: name, model })).toBe(expected);
});

it.each([
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
  ['claude-3-5-sonnet@20241022', 'claude-3-5-sonnet'],
  ['claude-3-7-sonnet-latest', 'claude-3-7-sonnet'],
  ['publishers/google/models/gemini-2.5-pro', 'gemini-2.5-pro'],
  ['gpt-4o-2024-08-06', 'gpt-4o'],
  ['GPT-3.5-turbo-0125', 'gpt-3.5-turbo'],
  ['amazon.nova-pro-v1:0', 'nova-pro'],
  ['meta.llama3-1-8b-instruct-v1:0', 'llama3-1-8b-instruct'],
  ['command-a-03-2025', 'command-a'],
  ['mistral-large-2411', 'mistral-large'],
  ['embed-english-v3.0', 'embed-english-v3.0'],
  ['gpt-4', 'gpt-4'],
])('normalizes the name %s', (name, expected) => {
  expect(normalizeModel(name)).toBe(expected);
});

it('lists each model once, by its normalized name', () => {
  const names = PRICE_LIST.map(({ model }) => model);
  expect(names.map(normalizeModel)).toEqual(names);
  expect(new Set(names).size).toBe(names.length);
});
