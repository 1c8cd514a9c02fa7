// C/llm/prices: list prices of models, and the prices that the organization set instead.
import { type Static, Type } from 'typebox';
import { ModelCost } from '../management/providers.ts';

export const PRICE_OVERRIDES_MAX = 1000;
const PriceOverrides = Type.Unsafe<Record<string, ModelCost>>({
  type: 'object',
  propertyNames: { type: 'string', minLength: 1, maxLength: 512 },
  maxProperties: PRICE_OVERRIDES_MAX,
  additionalProperties: ModelCost,
});

export const ListPrice = Type.Object(
  {
    vendor: Type.String(),
    /** The name without region, version and date; it covers all of them. */
    model: Type.String(),
    ...ModelCost.properties,
  },
  { title: 'ListPrice' },
);
export type ListPrice = Static<typeof ListPrice>;

export const PricesInput = Type.Object(
  {
    /** US dollars per million tokens by model. They replace all stored prices of the organization. */
    overrides: PriceOverrides,
  },
  { additionalProperties: false, title: 'PricesInput' },
);
export const PricesAnswer = Type.Object({
  /** The day to which the list prices refer. */
  list_date: Type.String(),
  list: Type.Array(ListPrice),
  overrides: PriceOverrides,
  version: Type.String(),
  request_id: Type.String(),
});
export type PricesAnswer = Static<typeof PricesAnswer>;
