// Texts of the prices of models.
import { visibleText } from '../ui/visible.ts';

export const priceTexts = {
  title: 'Prices',
  lead: 'Prices in USD per million tokens, from which usage and cost are calculated.',
  search: 'Search models',
  order: (date: string) =>
    `A price set at a provider comes first, then your price, then the public list price as of ${date}.`,
  model: 'Model',
  modelHint: 'The name without a date covers all dated versions.',
  vendor: 'Vendor',
  input: 'Input',
  output: 'Output',
  cached: 'Cached input',
  perMillion: 'USD per million tokens',
  cachedHint: 'USD per million tokens. Leave blank to use the input price.',
  source: 'Source',
  override: 'Your price',
  list: 'List price',
  add: 'Add price',
  edit: 'Edit',
  modelTitle: (model: string) => visibleText`Price of ${model}`,
  applies: 'Applies to new requests. Costs of earlier requests stay.',
  save: 'Save price',
  saved: 'Price saved.',
  remove: 'Remove your price',
  usd: (amount: number | null) =>
    amount === null
      ? '–'
      : amount.toLocaleString('en-US', {
          style: 'currency',
          currency: 'USD',
          minimumFractionDigits: 2,
          maximumFractionDigits: 6,
        }),
} as const;
