// Where an app's routes are: by the query, for a name may hold any letter.
import { withQuery } from '../api/query-string.ts';

export const appPath = (name: string, rest = ''): string =>
  withQuery(`/gateway/app${rest}`, { app_name: name });

/** As pages show times: the management API speaks in Unix seconds. */
export const isoOf = (seconds: number | null): string | null =>
  seconds === null ? null : new Date(seconds * 1_000).toISOString();
