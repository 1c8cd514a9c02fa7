// Query keys: [tenant, topic, …]. The hub's page events name topics, and each topic makes some lists stale.
import type { PageTopic } from '@gatewarden/shared/wire/console/events.ts';

export const SESSION_KEY = ['session'] as const;

/** The first parts of query keys: the hub's topics, summaries over several topics, and snapshots. */
export type ReadTopic = PageTopic | 'overview' | 'ending-keys' | 'hub-health' | 'audit';

export const topicKey = (tenantId: string, topic: ReadTopic, ...rest: readonly unknown[]) =>
  [tenantId, topic, ...rest] as const;

const STALE_AFTER: Record<PageTopic, readonly ReadTopic[]> = {
  devices: ['devices', 'overview'],
  // The members of a group change the scope of its policies, and so their previews.
  'device-groups': ['device-groups', 'devices', 'overrides'],
  // A scan changes what is installed, and with it each device's count.
  applications: ['applications', 'devices', 'overview'],
  // A policy changes the approval of an app, and whether devices are up to date.
  overrides: ['overrides', 'applications', 'devices', 'overview'],
  'unknown-processes': ['unknown-processes', 'overview'],
  'process-map': ['process-map', 'unknown-processes', 'overview'],
  alerts: ['alerts', 'overview'],
  'alert-routes': ['alert-routes'],
  activity: ['activity'],
  gateway: ['gateway', 'ending-keys'],
  mcp: ['mcp', 'ending-keys'],
  'llm-requests': ['llm-requests'],
  'tool-calls': ['tool-calls'],
  'access-requests': ['access-requests', 'overview'],
  people: ['people', 'ending-keys'],
  'agent-tokens': ['agent-tokens', 'ending-keys'],
};

/** Returns the topics to reload after a change of `topic`; none for a topic of a newer hub. */
export function staleAfter(topic: string): readonly ReadTopic[] {
  return Object.hasOwn(STALE_AFTER, topic) ? STALE_AFTER[topic as PageTopic] : [];
}
