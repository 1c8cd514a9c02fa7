// What of each tenant changed a moment ago: who begins to listen now may have read just before that.
import type { PageNotice } from './notifications.ts';

export interface RecentPages {
  note(notice: PageNotice): void;
  /**
   * The topics of the tenant that changed within the time kept, with how many milliseconds ago; with a person, those whose
   * change named them (folded).
   */
  topics(tenantId: string, person?: string): Map<string, number>;
  /** Lets go of what is older; to be called now and then. */
  forget(): void;
}

interface Changed {
  at: number;
  named: Map<string, number>;
}

export function createRecentPages(keptMs: number, now = () => performance.now()): RecentPages {
  const tenants = new Map<string, Map<string, Changed>>();
  const isRecent = (at: number): boolean => now() - at <= keptMs;
  return {
    note({ tenant, topic, of = [] }) {
      const topics = tenants.get(tenant) ?? new Map<string, Changed>();
      const changed = topics.get(topic) ?? { at: 0, named: new Map() };
      changed.at = now();
      for (const person of of) changed.named.set(person, changed.at);
      topics.set(topic, changed);
      tenants.set(tenant, topics);
    },
    topics(tenantId, person) {
      const found = new Map<string, number>();
      for (const [topic, changed] of tenants.get(tenantId) ?? []) {
        const at = person === undefined ? changed.at : changed.named.get(person);
        if (at !== undefined && isRecent(at)) found.set(topic, Math.round(now() - at));
      }
      return found;
    },
    forget() {
      for (const [tenantId, topics] of tenants) {
        for (const [topic, { at, named }] of topics) {
          for (const [person, namedAt] of named) if (!isRecent(namedAt)) named.delete(person);
          if (!isRecent(at)) topics.delete(topic);
        }
        if (topics.size === 0) tenants.delete(tenantId);
      }
    },
  };
}
