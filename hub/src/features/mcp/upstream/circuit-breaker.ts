// A circuit breaker and concurrency limits per server, so that a slow server or an eager user does not block all others. Each
// hub process counts for itself.
//
// States of a circuit: closed (calls pass) → open after `failures` failures within `windowMs` (calls are refused for
// `pauseMs`) → half-open (one call probes the server, the others are refused) → closed if the probe reaches the server,
// open again if not. Only a server that cannot be reached is a failure.

export interface CircuitBreakerLimits {
  /** Calls in flight at a server: per user, and of all users. */
  perUser: number;
  perBackend: number;
  failures: number;
  windowMs: number;
  pauseMs: number;
}

export const CIRCUIT_BREAKER_LIMITS: CircuitBreakerLimits = {
  perUser: 64,
  perBackend: 512,
  failures: 5,
  windowMs: 60_000,
  pauseMs: 10_000,
};

/** `reached`: the server responded, with any status. `neither`: the call allows no conclusion. */
export type Outcome = 'reached' | 'unreachable' | 'neither';

export type Admission =
  | { admitted: true; end(outcome: Outcome): void }
  | { admitted: false; isOpen: boolean; why: string };

export interface CircuitBreaker {
  /** Admits a call, whose end must be reported. */
  admit(backendId: string, userKey: string): Admission;
  /** Receives whether each admitted call reached its server; absent: not recorded. `error`: null for a server that was reached. */
  onOutcome?(
    server: { tenantId: string; backendId: string },
    outcome: Exclude<Outcome, 'neither'>,
    error: string | null,
  ): void;
}

interface Circuit {
  /** Times of failures, oldest first. */
  failedAt: number[];
  isTripped: boolean;
  /** Time of the next probe of a tripped circuit. */
  openUntil: number;
}

const refused = (why: string, isOpen = false): Admission => ({ admitted: false, isOpen, why });

export function createCircuitBreaker(
  nowMs: () => number,
  limits: CircuitBreakerLimits = CIRCUIT_BREAKER_LIMITS,
): CircuitBreaker {
  const running = new Map<string, number>();
  const circuits = new Map<string, Circuit>();
  const add = (key: string, by: 1 | -1) => {
    const next = (running.get(key) ?? 0) + by;
    if (next <= 0) running.delete(key);
    else running.set(key, next);
  };
  const recordFailure = (backendId: string) => {
    const now = nowMs();
    const before = circuits.get(backendId);
    const recent = (before?.failedAt ?? []).filter((at) => at > now - limits.windowMs);
    const failedAt = [...recent, now].slice(-limits.failures);
    const isTripped = before?.isTripped === true || failedAt.length >= limits.failures;
    circuits.set(backendId, { failedAt, isTripped, openUntil: now + limits.pauseMs });
  };
  return {
    admit(backendId, userKey) {
      const key = `${backendId} ${userKey}`;
      const circuit = circuits.get(backendId);
      const isProbe = circuit?.isTripped === true;
      if (isProbe && circuit.openUntil > nowMs()) {
        return refused('it was unreachable several times; the gateway retries soon', true);
      }
      if ((running.get(key) ?? 0) >= limits.perUser) {
        return refused('you have too many calls in progress');
      }
      if ((running.get(backendId) ?? 0) >= limits.perBackend) {
        return refused('too many calls are in progress');
      }
      // If a probe takes long, the next probe starts after another pause.
      const probedUntil = nowMs() + limits.pauseMs;
      if (isProbe) circuit.openUntil = probedUntil;
      add(key, 1);
      add(backendId, 1);
      let isOver = false;
      return {
        admitted: true,
        end(outcome) {
          if (isOver) return;
          isOver = true;
          add(key, -1);
          add(backendId, -1);
          if (outcome === 'reached') return void circuits.delete(backendId);
          if (outcome === 'unreachable') return recordFailure(backendId);
          // An inconclusive probe allows the next probe at once, unless that has started already.
          const isLatest =
            circuits.get(backendId) === circuit && circuit?.openUntil === probedUntil;
          if (isProbe && isLatest) circuit.openUntil = 0;
        },
      };
    },
  };
}
