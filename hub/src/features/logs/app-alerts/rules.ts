// When an app or one of its providers is said to fail, and when to have recovered. Pure.

export interface AlertLevel {
  enabled: boolean;
  window_minutes: number;
  failure_rate_threshold: number;
  minimum_requests: number;
  cooldown_minutes: number;
  notify_on_recovery: boolean;
}

const DEFAULTS: AlertLevel = {
  enabled: false,
  window_minutes: 15,
  failure_rate_threshold: 10,
  minimum_requests: 20,
  cooldown_minutes: 10,
  notify_on_recovery: true,
};

/** A level as it is stored, what is left out filled in. */
export function levelOf(stored: Partial<AlertLevel> | null | undefined): AlertLevel {
  return { ...DEFAULTS, ...stored };
}

export interface Counts {
  requests: number;
  failures: number;
}

export interface AlertState {
  isFailing: boolean;
  /** When it was told last that it fails; milliseconds. */
  raisedAt: number;
}

export type Change = { to: 'failing'; tell: true } | { to: 'recovered'; tell: boolean } | null;

export function failureRate({ requests, failures }: Counts): number {
  return requests === 0 ? 0 : (failures / requests) * 100;
}

/**
 * What changes now. Within the cooldown after the last alert nothing new is raised, so that what goes to and fro is told
 * once; it is looked at again later. Silence is no recovery: without a request nothing is known.
 */
export function changeOf(
  level: AlertLevel,
  counts: Counts,
  state: AlertState | null,
  nowMs: number,
): Change {
  const isAbove = counts.failures > 0 && failureRate(counts) >= level.failure_rate_threshold;
  if (state?.isFailing === true) {
    if (isAbove || counts.requests === 0) return null;
    return { to: 'recovered', tell: level.notify_on_recovery };
  }
  if (!isAbove || counts.requests < level.minimum_requests) return null;
  const coolUntil = state === null ? 0 : state.raisedAt + level.cooldown_minutes * 60_000;
  return nowMs < coolUntil ? null : { to: 'failing', tell: true };
}
