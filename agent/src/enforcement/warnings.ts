// Tells the person at the screen that an application is not wanted here; they may go on. Once for each start of it.
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { People } from '../people.ts';
import { applicationName, type CorrelatedProcess } from '../processes/correlator.ts';

export interface Warning {
  warning_id: string;
  at: string;
  application_name: string;
  reason: string | null;
}

export interface Warnings {
  warn(correlated: CorrelatedProcess, override: WireOverride): void;
  /** A person's own, the newest last; none for who does not show that person's key. */
  listFor(key: string | null): Warning[];
}

/** An application starts many processes, and some start anew all the time: within this it is one start. */
export const ONE_START_MS = 10 * 60_000;
const KEPT = 50;
const PEOPLE_MAX = 1000;

/** `notify` shows it on the desktop of the person with that user id. */
export function createWarnings(options: {
  people: People;
  makeId: () => string;
  now: () => number;
  notify: (uid: number, title: string, text: string) => void;
}): Warnings {
  const warnedAt = new Map<string, number>();
  const warned = new Map<number, Warning[]>();
  const warningsOf = (uid: number): Warning[] => {
    const warnings = warned.get(uid) ?? [];
    if (warned.size < PEOPLE_MAX) warned.set(uid, warnings);
    options.people.know(uid);
    return warnings;
  };
  return {
    warn(correlated, override) {
      const { uid, name } = correlated.process;
      if (uid === null) return;
      const application = applicationName(correlated) ?? name;
      const now = options.now();
      const start = `${uid}:${override.override_id}:${application}`;
      const before = warnedAt.get(start);
      if (before !== undefined && now >= before && now - before < ONE_START_MS) return;
      for (const [key, at] of warnedAt) if (now - at >= ONE_START_MS) warnedAt.delete(key);
      warnedAt.set(start, now);
      const warnings = warningsOf(uid);
      warnings.push({
        warning_id: options.makeId(),
        at: new Date(now).toISOString(),
        application_name: application,
        reason: override.reason,
      });
      if (warnings.length > KEPT) warnings.shift();
      const text = override.reason ?? 'Please ask your administrator before you use it.';
      options.notify(uid, `Your company does not want ${application} to be used here`, text);
    },
    listFor(key) {
      const uid = options.people.uidOf(key);
      return uid === null ? [] : (warned.get(uid) ?? []);
    },
  };
}
