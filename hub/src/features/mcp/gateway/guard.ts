// What keeps one slow or dead server, or one eager person, from taking the gateway away from everybody else: a bound on
// calls at once, and a pause for a server that failed several times in a row. Of this process alone.

export interface GuardLimits {
  /** At once, of one person at one server, and of all at one server. */
  perPerson: number;
  perBackend: number;
  /** So many failures in a row open the circuit, for so long. */
  failures: number;
  pauseMs: number;
}

export const GUARD: GuardLimits = {
  perPerson: 64,
  perBackend: 512,
  failures: 5,
  pauseMs: 10_000,
};

/** `neither`: its client gave it up, or it is nothing that others would meet there too. */
export type Outcome = 'ok' | 'failed' | 'neither';

export type Admission =
  | { admitted: true; end(outcome: Outcome): void }
  | { admitted: false; why: string };

export interface Guard {
  /** `end` is called once, however the call ends. */
  enter(backendId: string, person: string): Admission;
}

export function createGuard(nowMs: () => number, limits: GuardLimits = GUARD): Guard {
  const running = new Map<string, number>();
  const health = new Map<string, { failures: number; closedUntil: number }>();
  const add = (key: string, by: 1 | -1) => {
    const next = (running.get(key) ?? 0) + by;
    if (next <= 0) running.delete(key);
    else running.set(key, next);
  };
  return {
    enter(backendId, person) {
      const own = `${backendId} ${person}`;
      const state = health.get(backendId);
      if (state !== undefined && state.closedUntil > nowMs()) {
        return {
          admitted: false,
          why: 'it failed several times in a row and is left alone for a moment',
        };
      }
      if ((running.get(own) ?? 0) >= limits.perPerson) {
        return { admitted: false, why: 'you have too many calls under way there' };
      }
      if ((running.get(backendId) ?? 0) >= limits.perBackend) {
        return { admitted: false, why: 'too many calls are under way there' };
      }
      // After the pause one call tries it; where that one takes long itself, the next after as long a pause again.
      const isTrial = state !== undefined && state.failures >= limits.failures;
      const triedUntil = nowMs() + limits.pauseMs;
      if (isTrial) state.closedUntil = triedUntil;
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
          if (outcome === 'neither') {
            // Who tried it gave up, and says nothing: the next may, where no other tries it already.
            const isLast = health.get(backendId) === state && state?.closedUntil === triedUntil;
            if (isTrial && isLast) state.closedUntil = 0;
            return;
          }
          if (outcome === 'ok') return void health.delete(backendId);
          const failures = (health.get(backendId)?.failures ?? 0) + 1;
          // One more failure closes it again; one success forgets all of them.
          const closedUntil = failures >= limits.failures ? nowMs() + limits.pauseMs : 0;
          health.set(backendId, { failures, closedUntil });
        },
      };
    },
  };
}
