// Times at which credentials end, as requests give them and answers write them.
import { HubError } from './errors.ts';

const DATED =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(Z|[+-]\d{2}:\d{2})$/i;

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
  return at;
}

export function unixSeconds(at: Date): number {
  return at.getTime() / 1000;
}

export function unixSecondsOrNull(at: Date | null): number | null {
  return at === null ? null : unixSeconds(at);
}
