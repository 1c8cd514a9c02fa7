// Query keys: [tenant, topic, …]. The hub's page events name topics; each says which lists it makes stale.
import type { PageTopic } from '@gatewarden/shared/wire/console/events.ts';

export const SESSION_KEY = ['session'] as const;

/** What pages read: by the hub's topics, what gathers what several of them change, and readings of one moment. */
export type ReadTopic =
  | PageTopic
  | 'overview'
  | 'ending-keys'
  | 'hub-health'
  | 'audit'
  | 'histogram';

export const topicKey = (tenantId: string, topic: ReadTopic, ...rest: readonly unknown[]) =>
  [tenantId, topic, ...rest] as const;

const STALE_AFTER: Record<PageTopic, readonly ReadTopic[]> = {
  devices: ['devices', 'overview'],
  // Who is in a group decides whom its decisions aim at, and with it what a preview says.
  'device-groups': ['device-groups', 'devices', 'overrides'],
  // A scan changes what is installed, and with it each device's count.
  applications: ['applications', 'devices', 'overview'],
  // A decision changes an application's approval and whether devices hold what they should.
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

/** The topics to reload when the hub says that `topic` changed; none for a topic of a newer hub. */
export function staleAfter(topic: string): readonly ReadTopic[] {
  return Object.hasOwn(STALE_AFTER, topic) ? STALE_AFTER[topic as PageTopic] : [];
}
