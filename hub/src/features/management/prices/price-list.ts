// Public list prices of common models in US dollars per million tokens: input, output, cached input. Data only. Vendors change
// prices: check their pages, change the entries, and set LIST_DATE.
import type { ModelCost } from '@gatewarden/shared/wire/management/providers.ts';

/** The day to which the prices refer. */
export const LIST_DATE = '2025-11-30';

export interface ListPrice extends ModelCost {
  vendor: string;
  /** The name without a date, a version or a region: see `normalizeModel`. */
  model: string;
}

type Entry = readonly [model: string, input: number, output: number, cached?: number];

/** Prices of the shortest prompts where a vendor charges more for long ones. */
const PRICES: Readonly<Record<string, readonly Entry[]>> = {
  OpenAI: [
    ['gpt-5.1', 1.25, 10, 0.125],
    ['gpt-5', 1.25, 10, 0.125],
    ['gpt-5-codex', 1.25, 10, 0.125],
    ['gpt-5-mini', 0.25, 2, 0.025],
    ['gpt-5-nano', 0.05, 0.4, 0.005],
    ['gpt-5-pro', 15, 120],
    ['gpt-4.1', 2, 8, 0.5],
    ['gpt-4.1-mini', 0.4, 1.6, 0.1],
    ['gpt-4.1-nano', 0.1, 0.4, 0.025],
    ['gpt-4o', 2.5, 10, 1.25],
    ['gpt-4o-mini', 0.15, 0.6, 0.075],
    ['gpt-4-turbo', 10, 30],
    ['gpt-4', 30, 60],
    ['gpt-3.5-turbo', 0.5, 1.5],
    ['o1', 15, 60, 7.5],
    ['o1-mini', 1.1, 4.4, 0.55],
    ['o3', 2, 8, 0.5],
    ['o3-mini', 1.1, 4.4, 0.55],
    ['o3-pro', 20, 80],
    ['o4-mini', 1.1, 4.4, 0.275],
    ['text-embedding-3-large', 0.13, 0],
    ['text-embedding-3-small', 0.02, 0],
    ['text-embedding-ada-002', 0.1, 0],
  ],
  Anthropic: [
    ['claude-opus-4-5', 5, 25, 0.5],
    ['claude-opus-4-1', 15, 75, 1.5],
    ['claude-opus-4', 15, 75, 1.5],
    ['claude-sonnet-4-5', 3, 15, 0.3],
    ['claude-sonnet-4', 3, 15, 0.3],
    ['claude-haiku-4-5', 1, 5, 0.1],
    ['claude-3-7-sonnet', 3, 15, 0.3],
    ['claude-3-5-sonnet', 3, 15, 0.3],
    ['claude-3-5-haiku', 0.8, 4, 0.08],
    ['claude-3-opus', 15, 75, 1.5],
    ['claude-3-haiku', 0.25, 1.25, 0.03],
  ],
  Google: [
    ['gemini-3-pro-preview', 2, 12, 0.2],
    ['gemini-2.5-pro', 1.25, 10, 0.125],
    ['gemini-2.5-flash', 0.3, 2.5, 0.03],
    ['gemini-2.5-flash-lite', 0.1, 0.4, 0.01],
    ['gemini-2.0-flash', 0.1, 0.4, 0.025],
    ['gemini-2.0-flash-lite', 0.075, 0.3],
    ['gemini-1.5-pro', 1.25, 5, 0.3125],
    ['gemini-1.5-flash', 0.075, 0.3, 0.01875],
    ['gemini-embedding-001', 0.15, 0],
  ],
  Mistral: [
    ['mistral-large', 2, 6],
    ['mistral-medium', 0.4, 2],
    ['mistral-small', 0.1, 0.3],
    ['magistral-medium', 2, 5],
    ['magistral-small', 0.5, 1.5],
    ['codestral', 0.3, 0.9],
    ['pixtral-large', 2, 6],
    ['ministral-8b', 0.1, 0.1],
    ['ministral-3b', 0.04, 0.04],
    ['mistral-embed', 0.1, 0],
  ],
  Cohere: [
    ['command-a', 2.5, 10],
    ['command-r-plus', 2.5, 10],
    ['command-r', 0.15, 0.6],
    ['command-r7b', 0.0375, 0.15],
    ['embed-v4.0', 0.12, 0],
    ['embed-english-v3.0', 0.1, 0],
    ['embed-multilingual-v3.0', 0.1, 0],
  ],
  Amazon: [
    ['nova-premier', 2.5, 12.5, 0.625],
    ['nova-pro', 0.8, 3.2, 0.2],
    ['nova-lite', 0.06, 0.24, 0.015],
    ['nova-micro', 0.035, 0.14, 0.00875],
    ['titan-embed-text', 0.02, 0],
  ],
  'Meta on AWS': [
    ['llama4-maverick-17b-instruct', 0.24, 0.97],
    ['llama4-scout-17b-instruct', 0.17, 0.66],
    ['llama3-3-70b-instruct', 0.72, 0.72],
    ['llama3-2-90b-instruct', 0.72, 0.72],
    ['llama3-2-11b-instruct', 0.16, 0.16],
    ['llama3-2-3b-instruct', 0.15, 0.15],
    ['llama3-1-405b-instruct', 2.4, 2.4],
    ['llama3-1-70b-instruct', 0.72, 0.72],
    ['llama3-1-8b-instruct', 0.22, 0.22],
  ],
};

/** All list prices, by vendor. */
export const PRICE_LIST: readonly ListPrice[] = Object.entries(PRICES).flatMap(
  ([vendor, entries]) =>
    entries.map(([model, input, output, cached]) => ({
      vendor,
      model,
      input_per_1m: input,
      output_per_1m: output,
      ...(cached === undefined ? {} : { cache_per_1m: cached }),
    })),
);
