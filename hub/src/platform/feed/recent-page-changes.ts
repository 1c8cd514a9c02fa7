// Recent changes of each tenant's pages. A page that starts to listen may have loaded its data just before a change.
import type { PageNotice } from './notifications.ts';

export interface RecentPageChanges {
  record(notice: PageNotice): void;
  /**
   * Returns the topics of a tenant that changed recently, with their age in milliseconds. With a person (folded e-mail
   * address), only changes that named the person count.
   */
  topics(tenantId: string, person?: string): Map<string, number>;
  /** Removes older changes; must be called periodically. */
  prune(): void;
}

interface Change {
  at: number;
  /** Time of the last change that named a person. */
  byPerson: Map<string, number>;
}

/** Returns an empty record of the changes of the last `maxAgeMs`. */
export function createRecentPageChanges(
  maxAgeMs: number,
  now = () => performance.now(),
): RecentPageChanges {
  const tenants = new Map<string, Map<string, Change>>();
  const isRecent = (at: number): boolean => now() - at <= maxAgeMs;
  const pruneTopics = (topics: Map<string, Change>) => {
    for (const [topic, { at, byPerson }] of topics) {
      for (const [person, changedAt] of byPerson) if (!isRecent(changedAt)) byPerson.delete(person);
      if (!isRecent(at)) topics.delete(topic);
    }
  };
  return {
    record({ tenant, topic, of = [] }) {
      const topics = tenants.get(tenant) ?? new Map<string, Change>();
      const change = topics.get(topic) ?? { at: 0, byPerson: new Map() };
      change.at = now();
      for (const person of of) change.byPerson.set(person, change.at);
      topics.set(topic, change);
      tenants.set(tenant, topics);
    },
    topics(tenantId, person) {
      const ages = new Map<string, number>();
      for (const [topic, change] of tenants.get(tenantId) ?? []) {
        const at = person === undefined ? change.at : change.byPerson.get(person);
        if (at !== undefined && isRecent(at)) ages.set(topic, Math.round(now() - at));
      }
      return ages;
    },
    prune() {
      for (const [tenantId, topics] of tenants) {
        pruneTopics(topics);
        if (topics.size === 0) tenants.delete(tenantId);
      }
    },
  };
}
