// Search parameters as plain text without JSON, such as `?kind=ai_tool`, so that people can read and write links.
import { withQuery } from '../api/query-string.ts';

/** Drops parameters that the page does not declare, such as tracking parameters of mail and chat. */
export const searchFormat = {
  search: { strict: true },
  parseSearch: (text: string): Record<string, string> =>
    Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: Record<string, unknown>): string =>
    withQuery('', search as Parameters<typeof withQuery>[1]),
} as const;
