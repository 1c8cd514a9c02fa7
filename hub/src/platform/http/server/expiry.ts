// Expiry times of credentials: parsing requests and formatting responses.
import { HubError } from '../errors/errors.ts';

const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/i;
/** Later years have five digits, which RFC 3339 cannot express. */
const MAX_TIME = Date.UTC(10_000, 0, 1);

/** Parses a future RFC 3339 time with a timezone. Returns null for null. Throws `invalid_request` with the pointer. */
export function parseFutureTime(text: string | null, pointer: string, now: Date): Date | null {
  if (text === null) return null;
  const parts = RFC_3339.exec(text);
  const at = new Date(text);
  // JavaScript parses June 31 as July 1.
  const day = new Date(Date.UTC(Number(parts?.[1]), Number(parts?.[2]) - 1, Number(parts?.[3])));
  const isReal = parts !== null && day.getUTCDate() === Number(parts[3]);
  if (!isReal || Number.isNaN(at.getTime())) {
    throw new HubError(
      'invalid_request',
      `${pointer} must be a time with an explicit timezone like 2026-01-31T12:00:00Z`,
    );
  }
  if (at <= now) throw new HubError('invalid_request', `${pointer} must be in the future`);
  if (at.getTime() >= MAX_TIME) {
    throw new HubError('invalid_request', `${pointer} must be before the year 10000 in UTC`);
  }
  return at;
}

/** Returns a time in Unix seconds. */
export function unixSeconds(at: Date): number {
  return at.getTime() / 1000;
}

/** Returns a time in Unix seconds, or null for null. */
export function unixSecondsOrNull(at: Date | null): number | null {
  return at === null ? null : unixSeconds(at);
}
