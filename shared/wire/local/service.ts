// Answers of the agent's service on its open local socket, to the tray app, the command line and scripts. The service
// builds its answers from these types, and the tray app validates them. agent/src/service/agent-service.ts defines the requests of
// the second socket, which only the service's own account may open.
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

/** The update state in the answer to `status`. */
export const UpdateStatus = Type.Object({
  /** The reason why the agent takes no updates; null if it takes them. */
  off: Nullable(Type.String()),
  channel: Type.String(),
  last_asked_at: Nullable(Instant),
  /** The version that the service is about to start. */
  next: Nullable(Type.String()),
  /** The reason why the last offered version is not installed. */
  refused: Nullable(Type.String()),
  /** The reason why the last check or download failed; the agent retries it. Older services omit this field. */
  failed: Type.Optional(Nullable(Type.String())),
  /** Versions that failed on this device. */
  bad: Type.Array(Type.Object({ version: Type.String(), reason: Type.String() })),
});
export type UpdateStatus = Static<typeof UpdateStatus>;

/** Whether the user of the device may pause enforcement, and until when it is paused. */
export const PauseState = Type.Object({
  /** The allowance in minutes within 24 hours; 0 means that pausing is not allowed. */
  allowed_minutes: Type.Integer(),
  left_minutes: Type.Integer(),
  /** The end of the pause; null if enforcement is not paused. */
  until: Nullable(Instant),
});
export type PauseState = Static<typeof PauseState>;

export const AgentStatus = Type.Object({
  device_id: Uuid,
  agent_version: Type.String(),
  /** The current enforcement level: the minimum of configuration, hub, kill switch and circuit breaker. */
  enforcement: OneOf(ENFORCEMENT_CEILINGS),
  /** The causes of a level below `enforce`; empty if the agent enforces. */
  limited_by: Type.Array(OneOf(ENFORCEMENT_LIMITS)),
  hub: Type.Object({
    url: Type.String(),
    reachable: Type.Boolean(),
    last_contact_at: Nullable(Instant),
    last_error: Nullable(Type.String()),
  }),
  cursor: Nullable(Type.String()),
  overrides: Type.Integer(),
  /** How many of these overrides need a newer agent and are not enforced. Older agents omit this field. */
  overrides_not_understood: Type.Optional(Type.Integer()),
  alerts_queued: Type.Integer(),
  alerts_dropped: Type.Integer(),
  /** Access requests that the hub has not received yet. */
  requests_queued: Type.Integer(),
  /** A part of the inventory is queued for the hub. */
  inventory_queued: Type.Boolean(),
  last_scan: Nullable(
    Type.Object({ at: Instant, entities: Type.Integer(), duration_ms: Type.Number() }),
  ),
  breaker: OneOf(['open', 'closed']),
  pause: PauseState,
  /** The person or address that the company names for questions. */
  contact: Nullable(Type.String()),
  update: UpdateStatus,
});
export type AgentStatus = Static<typeof AgentStatus>;

/** A running program as the tray app lists it. */
export const ListedProcess = Type.Object({
  pid: Type.Integer(),
  name: Type.String(),
  executable_path: Nullable(Type.String()),
  application_name: Nullable(Type.String()),
  entity_id: Nullable(Type.String()),
  decision: OneOf(EXECUTION_POLICIES),
  override_id: Nullable(Type.String()),
  /** The protection rule that would refuse to end the process, or null. */
  protected: Nullable(Type.String()),
});
export type ListedProcess = Static<typeof ListedProcess>;

/** An event about a program of the user. */
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

/** An override that is stored on this device. */
export const PolicyDecision = Type.Object({
  override_id: Uuid,
  /** The revision of the override; the console's history shows the same number. */
  revision: Type.Integer(),
  scope_kind: OneOf(SCOPE_KINDS),
  match: OverrideMatch,
  /** The local name of the entity `match.entity_id`. */
  entity_name: Nullable(Type.String()),
  approval_status: OneOf(APPROVAL_STATUSES),
  execution_policy: OneOf(EXECUTION_POLICIES),
  severity: OneOf(SEVERITIES),
  reason: Nullable(Type.String()),
  effective_at: Nullable(Type.String()),
  expires_at: Nullable(Type.String()),
  /** The override has started and has not ended, by the hub's clock. */
  in_force: Type.Boolean(),
});
export type PolicyDecision = Static<typeof PolicyDecision>;

/** An MCP server that is configured for the requesting user or for the machine, with its override. */
export const OwnServer = Type.Object({
  entity_id: Type.String(),
  name: Type.String(),
  version: Nullable(Type.String()),
  /** The clients in which the server is configured; empty if other users of the device share it. */
  clients: Type.Array(Type.String()),
  decision: OneOf(EXECUTION_POLICIES),
  /** The deciding override; null if no override matches. */
  override: Nullable(PolicyDecision),
  /** The server is quarantined: removed from its client's configuration until the override is withdrawn. */
  taken_out: Type.Boolean(),
});
export type OwnServer = Static<typeof OwnServer>;

const decided = { override: Nullable(PolicyDecision) };

/** The decision trace: running process, application and override. */
export const Why = Type.Object({
  /** The current enforcement level of the service. */
  enforcement: OneOf(ENFORCEMENT_CEILINGS),
  processes: Type.Array(Type.Object({ ...ListedProcess.properties, ...decided })),
  /** Events about matching processes of the requesting user, newest last. */
  notices: Type.Array(Type.Object({ ...Notice.properties, ...decided })),
  /** MCP servers without a running process. */
  servers: Type.Array(OwnServer),
  /** Overrides that match the name and appear in none of the other lists. */
  decisions: Type.Array(PolicyDecision),
});
export type Why = Static<typeof Why>;

/** A process id, a process name, an application name, an entity id or an override id. */
export const AskedWhy = Type.Object(
  { asked: Type.String({ minLength: 1, maxLength: 4096 }) },
  { additionalProperties: false },
);

/**
 * An entity in its wire shape. If other users of the device share it, it contains only the data of the requesting user
 * and of the machine.
 */
export const SeenEntity = Type.Object({ wire: WireEntity, shared_with_others: Type.Boolean() });
export type SeenEntity = Static<typeof SeenEntity>;

export const Seen = Type.Object({
  device: WireDevice,
  scanned_at: Nullable(Instant),
  entities: Type.Array(SeenEntity),
  coverage: Type.Array(WireCoverage),
});
export type Seen = Static<typeof Seen>;

/** An access request: the reason, and the application by its id or the process by its name. */
export const AskedException = Type.Object(
  {
    entity_id: Nullable(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    process_name: Nullable(ShortText),
    reason: AccessReason,
  },
  { additionalProperties: false },
);
export type AskedException = Static<typeof AskedException>;

/**
 * State of a server in a client: `ours` is set up by the agent or identically by hand, `set_up` differs, `taken` means
 * that another server uses its name.
 */
const CLIENT_STATES = ['none', 'ours', 'set_up', 'taken', 'unreadable'] as const;

/** A server of the company's MCP gateway with its state in the requesting user's clients. */
export const GatewayServer = Type.Object({
  ...OfferedMcpServer.properties,
  /** False: the server is no longer offered, and a client still contains it. */
  offered: Type.Boolean(),
  /** The clients that are installed on this device. */
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
/** A changed file; `~` replaces the home of its owner. */
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
      /** How many further overrides exist; the strictest come first. */
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
      /** The reason why no server is listed, if the company did not choose that. */
      problem: Nullable(OneOf(['unreachable', 'none'])),
      /** The service can identify the user whose clients it would change. */
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
      /** False: nothing on this device has the requested name. */
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

/** Answers by request. `key` identifies the requesting user to the service. */
export type LocalAnswers = {
  [C in LocalCall as Line<C>]: (
    key: string | null,
    body: string,
  ) => LocalAnswer<C> | Promise<LocalAnswer<C>>;
};
