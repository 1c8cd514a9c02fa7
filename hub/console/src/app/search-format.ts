// The text of a page's search parameters: `?kind=ai_tool`, no JSON in it, so that links can be read and written by hand.
import { withQuery } from '../api/query-string.ts';

/** Parameters that a page does not declare, as links through mail and chat get them, are neither kept nor sent to the hub. */
export const searchFormat = {
  search: { strict: true },
  parseSearch: (text: string): Record<string, string> =>
    Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Record<string, unknown>): string =>
    withQuery('', search as Parameters<typeof withQuery>[1]),
} as const;
