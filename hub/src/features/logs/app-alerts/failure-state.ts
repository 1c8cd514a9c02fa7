// When an app or a provider is failing, and when it has recovered. Pure.
// States: ok → failing (rate at or above the threshold, enough requests, cooldown over) → ok (rate below the threshold,
// with requests).

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

/** Returns a stored level with defaults for omitted fields. */
export function levelOf(stored: Partial<AlertLevel> | null | undefined): AlertLevel {
  return { ...DEFAULTS, ...stored };
}

export interface Counts {
  requests: number;
  failures: number;
}

export interface AlertState {
  isFailing: boolean;
  /** The time of the last notification of a failure, in milliseconds. */
  raisedAt: number;
}

export type Change = { to: 'failing'; notify: true } | { to: 'recovered'; notify: boolean } | null;

/** Returns the share of failed requests in percent; 0 without requests. */
export function failureRate({ requests, failures }: Counts): number {
  return requests === 0 ? 0 : (failures / requests) * 100;
}

/**
 * Returns the change of state at `nowMs`; null for none. Within the cooldown after the last alert no new alert is
 * raised, so that a flapping app is reported once; it is evaluated again later. Without requests nothing is known, so
 * an app does not recover by silence.
 */
export function nextChange(
  level: AlertLevel,
  counts: Counts,
  state: AlertState | null,
  nowMs: number,
): Change {
  const isAbove = counts.failures > 0 && failureRate(counts) >= level.failure_rate_threshold;
  if (state?.isFailing === true) {
    if (isAbove || counts.requests === 0) return null;
    return { to: 'recovered', notify: level.notify_on_recovery };
  }
  if (!isAbove || counts.requests < level.minimum_requests) return null;
  const coolUntil = state === null ? 0 : state.raisedAt + level.cooldown_minutes * 60_000;
  return nowMs < coolUntil ? null : { to: 'failing', notify: true };
}
