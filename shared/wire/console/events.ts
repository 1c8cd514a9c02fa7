// GET C/events: server-sent events. `event: changed` with one of these topics; `event: hello` after each connection.
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
  /** Apps, providers, keys, prompts and catalogs of the LLM gateway. */
  'gateway',
  'mcp',
  /** Rows of the log; of a busy tenant told every few seconds. */
  'llm-requests',
  'tool-calls',
  'access-requests',
  /** Who may sign in, and who is signed in. */
  'people',
  'agent-tokens',
] as const;
export type PageTopic = (typeof PAGE_TOPICS)[number];

/** What C/own/events tells those who see only their own: that something of the kind changed, not whose. */
export const OWN_TOPICS: readonly PageTopic[] = [
  'overrides',
  // Who is in a group decides what is decided about their devices.
  'device-groups',
  'access-requests',
  // Servers that they may use, and calls that wait for their word.
  'mcp',
  'people',
];
/** What it tells only where it is of their own devices, or calls in their name. */
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
  /** How long before the stream began, where it was before: who read later than that has it already. */
  ago_ms: Type.Optional(Type.Integer({ minimum: 0 })),
});
export type PageEvent = Static<typeof PageEvent>;
