// Finds the price of a request: the provider's own price, else the organization's price, else the list price. Pure.
import type { ModelCost, ProviderType } from '@gatewarden/shared/wire/management/providers.ts';
import { PRICE_LIST } from './price-list.ts';

export interface PricedProvider {
  label: string;
  provider_name: string;
  model_costs: Readonly<Record<string, ModelCost | null>>;
}

/** Prices that an organization set for models, whatever provider serves them. */
export type PriceOverrides = Readonly<Record<string, ModelCost>>;

/** Types whose models run on servers of the organization: no vendor bills them. */
const OWN_SERVERS: readonly string[] = [
  'general',
  'general_rerank',
  'gw_ai',
] satisfies ProviderType[];

const LIST = new Map(PRICE_LIST.map(({ model, vendor: _vendor, ...cost }) => [model, cost]));

/**
 * Returns the price of a model at a provider; null if there is none. A request names its provider by label, or by type if
 * a single provider has the type. A request without a known provider has a price only if the organization set one.
 */
export function findPrice(
  providers: readonly PricedProvider[],
  overrides: PriceOverrides,
  request: { provider: string | null; model: string | null },
): ModelCost | null {
  const { provider: name, model } = request;
  if (model === null) return null;
  const ofType = providers.filter((item) => item.provider_name === name);
  const provider =
    providers.find(({ label }) => label === name) ?? (ofType.length === 1 ? ofType[0] : undefined);
  const own = getOwn(provider?.model_costs ?? {}, model) ?? null;
  if (own !== null) return own;
  const general = normalizeModel(model);
  const override = getOwn(overrides, model) ?? getOwn(overrides, general);
  if (override !== undefined) return override;
  if (provider === undefined || OWN_SERVERS.includes(provider.provider_name)) return null;
  return LIST.get(general) ?? null;
}

const getOwn = <Value>(values: Readonly<Record<string, Value>>, name: string) =>
  Object.hasOwn(values, name) ? values[name] : undefined;

const REGION = /^(?:us|eu|apac|global|us-gov|au|jp|ca)\./;
const VENDOR = /^(?:anthropic|amazon|meta|mistral|cohere|google)\./;
const VERSION = /(?:@.*|-v\d+(?::\d+)*|:\d+)$/;
const DATE = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{4}|latest)$/;

/**
 * Returns a model's name without path, region, vendor, version and date: `claude-sonnet-4-5` for
 * `us.anthropic.claude-sonnet-4-5-20250929-v1:0`.
 */
export function normalizeModel(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  return last.replace(REGION, '').replace(VENDOR, '').replace(VERSION, '').replace(DATE, '');
}
