// Keeps one slow or dead server, or one eager person, from taking the gateway away from everybody else: a limit of calls at
// once, and a circuit breaker for each server. In the memory of one hub process.
//
// States of a circuit: closed (calls pass) → open after `failures` failures within `windowMs` (calls are refused for
// `pauseMs`) → half-open (one call probes the server, the others are refused) → closed if the probe reaches the server,
// open again if not. Only a server that cannot be reached is a failure.

export interface GuardLimits {
  /** At once, of one person at one server, and of all at one server. */
  perPerson: number;
  perBackend: number;
  failures: number;
  windowMs: number;
  pauseMs: number;
}

export const GUARD: GuardLimits = {
  perPerson: 64,
  perBackend: 512,
  failures: 5,
  windowMs: 60_000,
  pauseMs: 10_000,
};

/** `reached`: the server answered, whatever it answered. `neither`: the call says nothing about that. */
export type Outcome = 'reached' | 'unreachable' | 'neither';

export type Admission =
  | { admitted: true; end(outcome: Outcome): void }
  | { admitted: false; isOpen: boolean; why: string };

export interface Guard {
  /** `end` is called once, however the call ends. */
  enter(backendId: string, person: string): Admission;
}

interface Circuit {
  /** When calls failed to reach the server, oldest first. */
  failedAt: number[];
  isTripped: boolean;
  /** Of a tripped circuit: the next probe starts after this. */
  openUntil: number;
}

const refused = (why: string, isOpen = false): Admission => ({ admitted: false, isOpen, why });

export function createGuard(nowMs: () => number, limits: GuardLimits = GUARD): Guard {
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
    enter(backendId, person) {
      const own = `${backendId} ${person}`;
      const circuit = circuits.get(backendId);
      const isProbe = circuit?.isTripped === true;
      if (isProbe && circuit.openUntil > nowMs()) {
        return refused('it was unreachable several times; the gateway retries soon', true);
      }
      if ((running.get(own) ?? 0) >= limits.perPerson) {
        return refused('you have too many calls in progress');
      }
      if ((running.get(backendId) ?? 0) >= limits.perBackend) {
        return refused('too many calls are in progress');
      }
      // Of a probe that takes long itself the next one starts after as long a pause again.
      const probedUntil = nowMs() + limits.pauseMs;
      if (isProbe) circuit.openUntil = probedUntil;
      add(own, 1);
      add(backendId, 1);
      let isOver = false;
      return {
        admitted: true,
        end(outcome) {
          if (isOver) return;
          isOver = true;
          add(own, -1);
          add(backendId, -1);
          if (outcome === 'reached') return void circuits.delete(backendId);
          if (outcome === 'unreachable') return recordFailure(backendId);
          // The probe says nothing: the next one may start, unless another has started already.
          const isLatest =
            circuits.get(backendId) === circuit && circuit?.openUntil === probedUntil;
          if (isProbe && isLatest) circuit.openUntil = 0;
        },
      };
    },
  };
}
