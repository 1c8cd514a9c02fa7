// Times at which credentials end, as requests give them and answers write them.
import { HubError } from './errors.ts';

const DATED =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/i;
/** From here on a year has five digits, and what is answered would be no RFC 3339 time. */
const TOO_FAR = Date.UTC(10_000, 0, 1);

/** An RFC 3339 time with a timezone, in the future. Throws 400 with the pointer; null stays null. */
export function futureTime(text: string | null, pointer: string, now: Date): Date | null {
  if (text === null) return null;
  const parts = DATED.exec(text);
  const at = new Date(text);
  // The engine turns the 31st of June into the 1st of July.
  const day = new Date(Date.UTC(Number(parts?.[1]), Number(parts?.[2]) - 1, Number(parts?.[3])));
  const isReal = parts !== null && day.getUTCDate() === Number(parts[3]);
  if (!isReal || Number.isNaN(at.getTime())) {
    throw new HubError(
      'invalid_request',
      `${pointer} must be a time with an explicit timezone like 2026-01-31T12:00:00Z`,
    );
  }
  if (at <= now) throw new HubError('invalid_request', `${pointer} must be in the future`);
  if (at.getTime() >= TOO_FAR) {
    throw new HubError('invalid_request', `${pointer} must be before the year 10000 in UTC`);
  }
  return at;
}

export function unixSeconds(at: Date): number {
  return at.getTime() / 1000;
}

export function unixSecondsOrNull(at: Date | null): number | null {
  return at === null ? null : unixSeconds(at);
}
