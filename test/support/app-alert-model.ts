// Model of app alerts: computes the alerts that a history has to raise from the documented rules alone, without the hub's code.

export const MINUTE = 60_000;
export interface Level {
  enabled: boolean;
  window_minutes: number;
  failure_rate_threshold: number;
  minimum_requests: number;
  cooldown_minutes: number;
  notify_on_recovery: boolean;
}
export type Levels = Partial<Record<'app_level' | 'provider_level', Level>>;
export const level = (over: Partial<Level> = {}): Level => ({
  enabled: true,
  window_minutes: 15,
  failure_rate_threshold: 50,
  minimum_requests: 5,
  cooldown_minutes: 10,
  notify_on_recovery: true,
  ...over,
});

export interface AlertFacts {
  event: 'failing' | 'recovered';
  level: 'app' | 'provider';
  provider: string | null;
  requests: number;
  failures: number;
  at: string;
}
export interface PastRow {
  at: number;
  failed: boolean;
  provider: string | null;
}

/** `now`: when both hubs looked; `rows`: what came since they did before. */
export function expectedAlerts(
  history: { now: number; rows: PastRow[]; levels: Levels }[],
): AlertFacts[] {
  const alerts: AlertFacts[] = [];
  const state = new Map<string, { failing: boolean; raised: number }>();
  const known: PastRow[] = [];
  for (const { now, rows, levels: of } of history) {
    known.push(...rows);
    for (const name of ['app', 'provider'] as const) {
      const rules = of[`${name}_level`];
      if (rules?.enabled !== true) {
        for (const [key, level] of state) {
          if (key.startsWith(name)) state.set(key, { ...level, failing: false });
        }
        continue;
      }
      const within = known.filter(({ at }) => at >= now - rules.window_minutes * MINUTE);
      const subjects = name === 'app' ? [null] : ['p', 'q'];
      for (const subject of subjects) {
        const own = within.filter(({ provider }) => name === 'app' || provider === subject);
        const failures = own.filter(({ failed }) => failed).length;
        const requests = own.length;
        if (requests === 0) continue;
        const key = `${name} ${subject}`;
        const before = state.get(key) ?? { failing: false, raised: Number.NEGATIVE_INFINITY };
        const above = failures > 0 && failures * 100 >= rules.failure_rate_threshold * requests;
        const facts = { level: name, provider: subject, requests, failures };
        const at = new Date(now).toISOString();
        if (before.failing && !above) {
          state.set(key, { ...before, failing: false });
          if (rules.notify_on_recovery) alerts.push({ event: 'recovered', ...facts, at });
        } else if (
          !before.failing &&
          above &&
          requests >= rules.minimum_requests &&
          now - before.raised >= rules.cooldown_minutes * MINUTE
        ) {
          state.set(key, { failing: true, raised: now });
          alerts.push({ event: 'failing', ...facts, at });
        }
      }
    }
  }
  return alerts;
}

const byPlace = (facts: AlertFacts) => `${facts.at} ${facts.level} ${facts.provider ?? '~'}`;
export const inOrder = (alerts: readonly AlertFacts[]) =>
  alerts
    .map(({ event, level: of, provider, requests, failures, at }) => ({
      ...{ event, level: of, provider, requests, failures, at },
    }))
    .sort((a, b) => (byPlace(a) < byPlace(b) ? -1 : 1));
