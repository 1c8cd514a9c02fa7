// What the service answers on its open local socket: to the tray app, the command line and scripts. The service takes the
// types from here and the tray app checks answers against it. What only the service's own account may ask stands beside
// the other socket (agent/src/service/agent-service.ts).
import { type Static, type TSchema, Type } from 'typebox';
import { Instant, Nullable, OneOf, ShortText, Uuid } from '../common.ts';
import { AccessReason } from '../sync/access-requests.ts';
import { OverrideMatch } from '../sync/delta.ts';
import { WireDevice } from '../sync/device.ts';
import { WireCoverage, WireEntity } from '../sync/discovered-apps.ts';
import { PAUSE_MINUTES_MAX } from '../sync/limits.ts';
import { OfferedMcpServer } from '../sync/mcp-offer.ts';
import {
  APPROVAL_STATUSES,
  ENFORCEMENT_CEILINGS,
  ENFORCEMENT_LIMITS,
  EXECUTION_POLICIES,
  SCOPE_KINDS,
  SEVERITIES,
} from '../vocabulary.ts';

/** What `status` tells of updates. */
export const UpdateStatus = Type.Object({
  /** Why it takes no updates; null where it does. */
  off: Nullable(Type.String()),
  channel: Type.String(),
  last_asked_at: Nullable(Instant),
  /** The version that it is about to start. */
  next: Nullable(Type.String()),
  /** Why the last one that was offered is not installed. */
  refused: Nullable(Type.String()),
  /** Why asking or fetching came to no end the last time; it is tried again. Older services do not say. */
  failed: Type.Optional(Nullable(Type.String())),
  /** Versions that did not work here. */
  bad: Type.Array(Type.Object({ version: Type.String(), reason: Type.String() })),
});
export type UpdateStatus = Static<typeof UpdateStatus>;

/** Whether the person at the device may make the agent only watch, and does. */
export const PauseState = Type.Object({
  /** Within 24 hours; 0: not at all. */
  allowed_minutes: Type.Integer(),
  left_minutes: Type.Integer(),
  /** Until when it is paused; null while it is not. */
  until: Nullable(Instant),
});
export type PauseState = Static<typeof PauseState>;

export const AgentStatus = Type.Object({
  device_id: Uuid,
  agent_version: Type.String(),
  /** What it may do right now: the least of configuration, hub, kill switch and breaker. */
  enforcement: OneOf(ENFORCEMENT_CEILINGS),
  /** What holds it there; empty while it enforces. */
  limited_by: Type.Array(OneOf(ENFORCEMENT_LIMITS)),
  hub: Type.Object({
    url: Type.String(),
    reachable: Type.Boolean(),
    last_contact_at: Nullable(Instant),
    last_error: Nullable(Type.String()),
  }),
  cursor: Nullable(Type.String()),
  overrides: Type.Integer(),
  /** Of these what is newer than this agent, and not carried out; earlier agents do not say. */
  overrides_not_understood: Type.Optional(Type.Integer()),
  alerts_queued: Type.Integer(),
  alerts_dropped: Type.Integer(),
  /** Requests for an exception that the hub does not have yet. */
  requests_queued: Type.Integer(),
  /** Part of the inventory is on its way to the hub. */
  inventory_queued: Type.Boolean(),
  last_scan: Nullable(
    Type.Object({ at: Instant, entities: Type.Integer(), duration_ms: Type.Number() }),
  ),
  breaker: OneOf(['open', 'closed']),
  pause: PauseState,
  /** Whom people are to ask, as the company says it. */
  contact: Nullable(Type.String()),
  update: UpdateStatus,
});
export type AgentStatus = Static<typeof AgentStatus>;

/** What runs now, as people see it. */
export const ListedProcess = Type.Object({
  pid: Type.Integer(),
  name: Type.String(),
  executable_path: Nullable(Type.String()),
  application_name: Nullable(Type.String()),
  entity_id: Nullable(Type.String()),
  decision: OneOf(EXECUTION_POLICIES),
  override_id: Nullable(Type.String()),
  /** The guard rail that would refuse, or null. */
  protected: Nullable(Type.String()),
});
export type ListedProcess = Static<typeof ListedProcess>;

/** Something that happened to a person's program. */
export const Notice = Type.Object({
  notice_id: Uuid,
  at: Instant,
  kind: OneOf(['warned', 'ended', 'quarantined', 'failed']),
  application_name: Type.String(),
  process_name: Type.String(),
  entity_id: Nullable(Type.String()),
  override_id: Uuid,
  reason: Nullable(Type.String()),
});
export type Notice = Static<typeof Notice>;

/** A decision that is held on this device. */
export const PolicyDecision = Type.Object({
  override_id: Uuid,
  /** Which state of it: the console's history has the same number. */
  revision: Type.Integer(),
  scope_kind: OneOf(SCOPE_KINDS),
  match: OverrideMatch,
  /** What `match.entity_id` is called here. */
  entity_name: Nullable(Type.String()),
  approval_status: OneOf(APPROVAL_STATUSES),
  execution_policy: OneOf(EXECUTION_POLICIES),
  severity: OneOf(SEVERITIES),
  reason: Nullable(Type.String()),
  effective_at: Nullable(Type.String()),
  expires_at: Nullable(Type.String()),
  /** It has begun and has not ended, by the hub's time. */
  in_force: Type.Boolean(),
});
export type PolicyDecision = Static<typeof PolicyDecision>;

/** An MCP server that the asker's programs (or the machine's) are set up with, and what was decided about it. */
export const OwnServer = Type.Object({
  entity_id: Type.String(),
  name: Type.String(),
  version: Nullable(Type.String()),
  /** Which clients it is set up in; empty where others at this device have it too. */
  clients: Type.Array(Type.String()),
  decision: OneOf(EXECUTION_POLICIES),
  /** What decided; null where nobody has decided about it. */
  override: Nullable(PolicyDecision),
  /** It is in quarantine: taken out of its client's configuration until the decision is withdrawn. */
  taken_out: Type.Boolean(),
});
export type OwnServer = Static<typeof OwnServer>;

const decided = { override: Nullable(PolicyDecision) };

/** The chain of a decision, from what runs over the application to the override. */
export const Why = Type.Object({
  /** What the service may do right now. */
  enforcement: OneOf(ENFORCEMENT_CEILINGS),
  processes: Type.Array(Type.Object({ ...ListedProcess.properties, ...decided })),
  /** What happened to such processes of the asker, the newest last. */
  notices: Type.Array(Type.Object({ ...Notice.properties, ...decided })),
  /** MCP servers of which nothing runs. */
  servers: Type.Array(OwnServer),
  /** Decisions about something of this name that none of the above tells of. */
  decisions: Type.Array(PolicyDecision),
});
export type Why = Static<typeof Why>;

/** A process id, the name of a process or application, or the id of one or of a decision. */
export const AskedWhy = Type.Object(
  { asked: Type.String({ minLength: 1, maxLength: 4096 }) },
  { additionalProperties: false },
);

/** An entity as it is sent; where others at this device have it too, only what is the asker's or the machine's. */
export const SeenEntity = Type.Object({ wire: WireEntity, shared_with_others: Type.Boolean() });
export type SeenEntity = Static<typeof SeenEntity>;

export const Seen = Type.Object({
  device: WireDevice,
  scanned_at: Nullable(Instant),
  entities: Type.Array(SeenEntity),
  coverage: Type.Array(WireCoverage),
});
export type Seen = Static<typeof Seen>;

/** Why somebody needs an exception, and for what: an application by its id or a process by its name. */
export const AskedException = Type.Object(
  {
    entity_id: Nullable(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    process_name: Nullable(ShortText),
    reason: AccessReason,
  },
  { additionalProperties: false },
);
export type AskedException = Static<typeof AskedException>;

/** How a server stands in a client: `ours` by one click (or word for word so), `set_up` in other words; `taken`: its name is. */
const CLIENT_STATES = ['none', 'ours', 'set_up', 'taken', 'unreadable'] as const;

/** A server of the company's MCP gateway, and how it stands in the asker's clients. */
export const GatewayServer = Type.Object({
  ...OfferedMcpServer.properties,
  /** False: it was once, and stands in a client still. */
  offered: Type.Boolean(),
  /** Those that are here. */
  clients: Type.Array(Type.Object({ client: Type.String(), state: OneOf(CLIENT_STATES) })),
});
export type GatewayServer = Static<typeof GatewayServer>;

const AskedSetup = Type.Object(
  {
    server_id: Type.String({ minLength: 1, maxLength: 64 }),
    client: Type.String({ minLength: 1, maxLength: 64 }),
  },
  { additionalProperties: false },
);
/** Whose file it was, with `~` for their home. */
const ChangedFile = Type.Object({ file: Type.String() });

export const LOCAL_ENDPOINTS = {
  status: { method: 'GET', path: '/status', answer: AgentStatus },
  processes: {
    method: 'GET',
    path: '/processes',
    answer: Type.Object({ processes: Type.Array(ListedProcess) }),
  },
  notices: {
    method: 'GET',
    path: '/notices',
    answer: Type.Object({ notices: Type.Array(Notice) }),
  },
  decisions: {
    method: 'GET',
    path: '/decisions',
    answer: Type.Object({
      decisions: Type.Array(PolicyDecision),
      /** How many more there are: the strictest come first. */
      more: Type.Integer(),
    }),
  },
  servers: {
    method: 'GET',
    path: '/mcp-servers',
    answer: Type.Object({ servers: Type.Array(OwnServer) }),
  },
  gateway: {
    method: 'GET',
    path: '/gateway',
    answer: Type.Object({
      servers: Type.Array(GatewayServer),
      /** Why there is none to show, where it is not the company's wish. */
      problem: Nullable(OneOf(['unreachable', 'none'])),
      /** The service knows whose clients are meant. */
      may_set_up: Type.Boolean(),
    }),
  },
  putIn: { method: 'POST', path: '/gateway/put-in', request: AskedSetup, answer: ChangedFile },
  takeOut: { method: 'POST', path: '/gateway/take-out', request: AskedSetup, answer: ChangedFile },
  seen: { method: 'GET', path: '/seen', answer: Seen },
  why: { method: 'POST', path: '/why', request: AskedWhy, answer: Why },
  request: {
    method: 'POST',
    path: '/request',
    request: AskedException,
    answer: Type.Object({
      access_request_id: Uuid,
      waiting: Type.Integer(),
      /** False: nothing on this device is called as the request says. */
      is_known: Type.Boolean(),
    }),
  },
  pause: {
    method: 'POST',
    path: '/pause',
    request: Type.Object(
      { minutes: Type.Integer({ minimum: 1, maximum: PAUSE_MINUTES_MAX }) },
      { additionalProperties: false },
    ),
    answer: PauseState,
  },
  resume: { method: 'POST', path: '/resume', answer: PauseState },
} as const satisfies Record<
  string,
  { method: 'GET' | 'POST'; path: string; request?: TSchema; answer: TSchema }
>;

export type LocalCall = keyof typeof LOCAL_ENDPOINTS;
export type LocalAnswer<C extends LocalCall> = Static<(typeof LOCAL_ENDPOINTS)[C]['answer']>;
export type LocalRequest<C extends LocalCall> = (typeof LOCAL_ENDPOINTS)[C] extends {
  request: infer R extends TSchema;
}
  ? Static<R>
  : null;

type Line<C extends LocalCall> =
  `${(typeof LOCAL_ENDPOINTS)[C]['method']} ${(typeof LOCAL_ENDPOINTS)[C]['path']}`;

/** What the service must answer: `key` is the asker's, by which the service knows whose question it is. */
export type LocalAnswers = {
  [C in LocalCall as Line<C>]: (
    key: string | null,
    body: string,
  ) => LocalAnswer<C> | Promise<LocalAnswer<C>>;
};
