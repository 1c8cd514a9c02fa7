// Paths of the routes of an app. The name is a query parameter, because it may contain any character.
import { withQuery } from '../api/query-string.ts';

export const appPath = (name: string, rest = ''): string =>
  withQuery(`/gateway/app${rest}`, { app_name: name });

/** Converts Unix seconds of the management API to ISO 8601. */
export const secondsToIso = (seconds: number | null): string | null =>
  seconds === null ? null : new Date(seconds * 1_000).toISOString();
