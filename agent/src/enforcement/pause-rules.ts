// A person makes the agent only watch for a while, where the company allows it: so many minutes within 24 hours. By the
// hub's time, which the device's clock does not move. Pure.
import type { PauseState } from '@gatewarden/shared/wire/local/service.ts';
import { PlainError } from '../runtime/errors.ts';

/** Stored pauses; times in milliseconds. */
export interface PauseRecord {
  /** When the 24 hours began. */
  windowMs: number;
  /** Pause time used within the last 24 hours, without the last pause. */
  usedMs: number;
  /** The last pause, as requested. */
  beganMs: number;
  untilMs: number;
}

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Returns the allowed, remaining and current pause; a lowered setting ends a pause that is too long. */
export function pauseState(
  record: PauseRecord | null,
  allowedMinutes: number,
  nowMs: number,
): PauseState {
  const { usedMs, untilMs } = look(record, allowedMinutes, nowMs);
  const leftMs = allowedMinutes * MINUTE_MS - usedMs;
  return {
    allowed_minutes: allowedMinutes,
    left_minutes: Math.max(0, Math.floor(leftMs / MINUTE_MS)),
    until: untilMs > nowMs ? new Date(untilMs).toISOString() : null,
  };
}

/** Returns whether a pause is under way. */
export function isPaused(
  record: PauseRecord | null,
  allowedMinutes: number,
  nowMs: number,
): boolean {
  return look(record, allowedMinutes, nowMs).untilMs > nowMs;
}

/** Starts a pause, which replaces a pause under way. Throws a `PlainError` where it is not allowed. */
export function beginPause(
  record: PauseRecord | null,
  allowedMinutes: number,
  minutes: number,
  nowMs: number,
): PauseRecord {
  if (allowedMinutes === 0) throw new PlainError('a pause is not allowed on this device');
  const { windowMs, usedMs } = look(record, allowedMinutes, nowMs);
  const left = Math.floor((allowedMinutes * MINUTE_MS - usedMs) / MINUTE_MS);
  if (minutes > left) {
    throw new PlainError(`${Math.max(0, left)} minutes of pause are left within 24 hours`);
  }
  return { windowMs, usedMs, beganMs: nowMs, untilMs: nowMs + minutes * MINUTE_MS };
}

/** The unused part of a pause is available later. */
export function endPause(record: PauseRecord, nowMs: number): PauseRecord {
  return { ...record, untilMs: Math.min(record.untilMs, Math.max(nowMs, record.beganMs)) };
}

/** Returns the time used until now, and the end of the last pause: after its 24 hours at the latest. */
function look(record: PauseRecord | null, allowedMinutes: number, nowMs: number) {
  if (record === null || nowMs - record.windowMs >= DAY_MS) {
    return { windowMs: nowMs, usedMs: 0, untilMs: 0 };
  }
  const room = Math.max(0, allowedMinutes * MINUTE_MS - record.usedMs);
  const untilMs = Math.min(record.untilMs, record.beganMs + room, record.windowMs + DAY_MS);
  const last = Math.max(0, Math.min(untilMs, nowMs) - record.beganMs);
  return { windowMs: record.windowMs, usedMs: record.usedMs + last, untilMs };
}

/** Checks what came in through the socket. */
export function readMinutes(text: string): number {
  let fields: { minutes?: unknown };
  try {
    fields = JSON.parse(text) as typeof fields;
  } catch {
    throw new PlainError('this is no request');
  }
  const minutes = fields?.minutes;
  if (typeof minutes !== 'number' || !Number.isInteger(minutes) || minutes < 1) {
    throw new PlainError('minutes must be a whole number from 1');
  }
  return minutes;
}
