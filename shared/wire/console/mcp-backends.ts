// C/mcp/backends: MCP servers that the hub stands before, and whose calls are logged.
import { type Static, Type } from 'typebox';
import { NameText, Nullable, OneOf, Sha256Hex, Uuid } from '../common.ts';
import { PLATFORMS } from '../vocabulary.ts';
import { JustPaged, ListAnswer } from './common.ts';

const Slug = Type.String({
  description: '1-64 lower-case letters, digits and hyphens, beginning with a letter or digit',
  pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
});
const Name = NameText(200);
const Url = Type.String({ minLength: 1, maxLength: 2_048 });
const header = Type.Optional(
  Type.String({
    description: 'the header that carries it; Authorization where it is left out',
    pattern: '^[A-Za-z][A-Za-z0-9-]{0,63}$',
  }),
);
/** Sent before it; `Bearer ` where header and prefix are left out. */
const prefix = Type.Optional(Type.String({ maxLength: 40, pattern: '^[\\x20-\\x7e]*$' }));
const Secret = Type.String({
  minLength: 1,
  maxLength: 8_192,
  pattern: '^[\\x20-\\x7e]+$',
  writeOnly: true,
});
const Scopes = Type.Array(
  Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,200}$', description: 'a scope' }),
  { maxItems: 100 },
);
const ClientId = Type.String({ minLength: 1, maxLength: 1_000, pattern: '^[\\x20-\\x7e]+$' });
/** What of an OAuth connection is said of the server's login; what is left out is discovered from the server. */
const login = {
  /** Left out: the gateway registers a client by itself, where the server's login lets it. */
  client_id: Type.Optional(ClientId),
  issuer: Type.Optional(Url),
  authorization_endpoint: Type.Optional(Url),
  token_endpoint: Type.Optional(Url),
  revocation_endpoint: Type.Optional(Url),
  scopes: Type.Optional(Scopes),
  /** Whether `resource` (RFC 8707) is sent; true where it is left out. */
  send_resource: Type.Optional(Type.Boolean()),
};
/**
 * How the gateway is let in by the server: not at all, with a credential that all share, with each person's own key or
 * OAuth connection, or with the token that the client has from the server's own login.
 */
const Auth = Type.Union([
  Type.Object({ kind: Type.Literal('none') }, { additionalProperties: false }),
  Type.Object(
    {
      kind: Type.Literal('shared'),
      header,
      prefix,
      secret: Secret,
    },
    { additionalProperties: false },
  ),
  Type.Object(
    { kind: Type.Literal('personal_key'), header, prefix },
    { additionalProperties: false },
  ),
  Type.Object(
    {
      kind: Type.Literal('oauth'),
      ...login,
      /** Left out: the one that is stored stays, as long as `client_id` does. Null: there is none. */
      client_secret: Type.Optional(Nullable(Secret)),
    },
    { additionalProperties: false },
  ),
  Type.Object({ kind: Type.Literal('passthrough') }, { additionalProperties: false }),
]);
export const AUTH_KINDS = ['none', 'shared', 'personal_key', 'oauth', 'passthrough'] as const;
export type AuthKind = (typeof AUTH_KINDS)[number];
const Patterns = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500 });
/** Names of tools, with `*` for any letters. What is denied is denied whatever allows it; without `allow` all are. */
const Tools = Type.Object(
  { allow: Type.Optional(Patterns), deny: Type.Optional(Patterns) },
  { additionalProperties: false, title: 'McpToolRules' },
);

/** A tool that is not as it was approved: only flagged, or hidden until somebody looked at it. */
const Drift = OneOf(['flag', 'hide'] as const);

/** What the server is on a device that runs it itself: `npm:<package>`, `pypi:<package>`, an image, or a command. */
const SameAs = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
  maxItems: 20,
  uniqueItems: true,
});

export const IDLE_TIMEOUT_SECONDS = 300;
export const TOTAL_TIMEOUT_SECONDS = 3_600;
const timeout = (description: string) => Type.Integer({ minimum: 1, maximum: 86_400, description });
const timeouts = {
  idle_timeout_seconds: Type.Optional(
    timeout(
      `seconds in which nothing arrives from the server, after which a call is ended; default ${IDLE_TIMEOUT_SECONDS}`,
    ),
  ),
  total_timeout_seconds: Type.Optional(
    timeout(`seconds after which a call is ended in any case; default ${TOTAL_TIMEOUT_SECONDS}`),
  ),
};

const HeaderName = Type.String({
  description: 'the name of a header',
  pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$",
});
/** Sent with every request to the server, besides the credential. */
const Headers = Type.Array(
  Type.Object(
    {
      name: HeaderName,
      /** Left out: the value that is stored under this name stays. */
      value: Type.Optional(Secret),
    },
    { additionalProperties: false, title: 'McpStaticHeader' },
  ),
  { maxItems: 20 },
);

export const BackendInput = Type.Object(
  {
    slug: Slug,
    name: Name,
    url: Url,
    auth: Auth,
    tools: Type.Optional(Nullable(Tools)),
    drift: Type.Optional(Drift),
    same_as: Type.Optional(SameAs),
    ...timeouts,
    headers: Type.Optional(Headers),
  },
  { additionalProperties: false, title: 'McpBackendInput' },
);
export type BackendInput = Static<typeof BackendInput>;

export const BackendPatch = Type.Object(
  {
    slug: Type.Optional(Slug),
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    auth: Type.Optional(Auth),
    tools: Type.Optional(Nullable(Tools)),
    drift: Type.Optional(Drift),
    same_as: Type.Optional(SameAs),
    ...timeouts,
    headers: Type.Optional(Headers),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1, title: 'McpBackendPatch' },
);
export type BackendPatch = Static<typeof BackendPatch>;

export const Backend = Type.Object(
  {
    id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    url: Type.String(),
    /** Without the secret, which is never read back. */
    auth: Type.Object({
      kind: OneOf(AUTH_KINDS),
      header: Type.Optional(Type.String()),
      prefix: Type.Optional(Type.String()),
      ...login,
      has_secret: Type.Boolean(),
    }),
    tools: Nullable(Tools),
    drift: Drift,
    same_as: SameAs,
    idle_timeout_seconds: Type.Integer(),
    total_timeout_seconds: Type.Integer(),
    /** Without their values, which are never read back. */
    headers: Type.Array(Type.Object({ name: Type.String() })),
    enabled: Type.Boolean(),
    version: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
    /** To administrators only, and where one backend is read; null where its key was revoked. */
    log_export_key: Type.Optional(Nullable(Type.String())),
  },
  { title: 'McpBackend' },
);
export type Backend = Static<typeof Backend>;

export const BackendParams = Type.Object({ tenant_id: Type.String(), backend_id: Uuid });
export const BackendAnswer = Type.Object({ backend: Backend, request_id: Type.String() });
export type BackendAnswer = Static<typeof BackendAnswer>;
/** `reveal=false` leaves the log-export key out: each time that it is shown is an audit event. */
export const BackendOneQuery = Type.Object({
  reveal: Type.Optional(OneOf(['true', 'false'] as const)),
});
export const BackendList = ListAnswer(Backend);
export const BackendQuery = JustPaged;

/** The same server where devices run it or reach it themselves, past the gateway. */
export const DeviceServer = Type.Object(
  {
    entity_id: Sha256Hex,
    name: Type.String(),
    platform: OneOf(PLATFORMS),
    device_count: Type.Integer(),
  },
  { title: 'McpDeviceServer' },
);
export type DeviceServer = Static<typeof DeviceServer>;
export const DeviceServers = Type.Object({
  items: Type.Array(DeviceServer),
  request_id: Type.String(),
});
export type DeviceServers = Static<typeof DeviceServers>;
