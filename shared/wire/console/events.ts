// GET C/events: server-sent events. `event: changed` contains a topic; `event: hello` follows each connection.
import { type Static, Type } from 'typebox';
import { OneOf } from '../common.ts';

export const PAGE_TOPICS = [
  'devices',
  'device-groups',
  'applications',
  'overrides',
  'unknown-processes',
  'process-map',
  'alerts',
  'alert-routes',
  'activity',
  /** Apps, providers, keys, prompts and catalogs of the AI gateway. */
  'gateway',
  'mcp',
  /** Log rows; a busy tenant receives this topic every few seconds. */
  'llm-requests',
  'tool-calls',
  'access-requests',
  /** Console users and their sessions. */
  'people',
  'agent-tokens',
] as const;
export type PageTopic = (typeof PAGE_TOPICS)[number];

/** Topics of C/own/events for users who see only their own data. The event does not identify the changed row. */
export const OWN_TOPICS: readonly PageTopic[] = [
  'overrides',
  // Group membership determines the overrides of a user's devices.
  'device-groups',
  'access-requests',
  // Servers that the users may use, and calls that wait for their approval.
  'mcp',
  'people',
];
/** Topics of C/own/events that are sent only for the user's own devices and calls. */
export const OWN_NAMED_TOPICS: readonly PageTopic[] = [
  'devices',
  'applications',
  'activity',
  'llm-requests',
  'tool-calls',
];

/** The data of `event: changed`. */
export const PageEvent = Type.Object({
  topic: OneOf(PAGE_TOPICS),
  /** How long before the connection the change happened; a client that read its data later can ignore the event. */
  ago_ms: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type PageEvent = Static<typeof PageEvent>;
