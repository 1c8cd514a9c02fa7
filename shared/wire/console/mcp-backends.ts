// C/mcp/backends: MCP servers behind the gateway, whose calls are logged.
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
/** The prefix of the credential. Default: `Bearer ` if header and prefix are both absent. */
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
/** The OAuth settings of an upstream authorization server; absent settings are discovered from the server. */
const login = {
  /** Absent: the gateway registers a client dynamically (RFC 7591), if the authorization server permits it. */
  client_id: Type.Optional(ClientId),
  issuer: Type.Optional(Url),
  authorization_endpoint: Type.Optional(Url),
  token_endpoint: Type.Optional(Url),
  revocation_endpoint: Type.Optional(Url),
  scopes: Type.Optional(Scopes),
  /** Whether the gateway sends `resource` (RFC 8707). Default: true. */
  send_resource: Type.Optional(Type.Boolean()),
};
/**
 * The gateway's authentication at the server: none, a shared credential, each user's own key or OAuth connection, or
 * the client's token from the server's own authorization server.
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
      /** Absent: the stored secret stays as long as `client_id` does. Null: the client has no secret. */
      client_secret: Type.Optional(Nullable(Secret)),
    },
    { additionalProperties: false },
  ),
  Type.Object({ kind: Type.Literal('passthrough') }, { additionalProperties: false }),
]);
export const AUTH_KINDS = ['none', 'shared', 'personal_key', 'oauth', 'passthrough'] as const;
export type AuthKind = (typeof AUTH_KINDS)[number];
const Patterns = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 500 });
/**
 * Tool names; `*` matches any characters. `deny` takes precedence over `allow`; without `allow`, all tools are allowed.
 */
const Tools = Type.Object(
  { allow: Type.Optional(Patterns), deny: Type.Optional(Patterns) },
  { additionalProperties: false, title: 'McpToolRules' },
);

/** The handling of a tool that differs from its pin: flagged only, or hidden until a review. */
const Drift = OneOf(['flag', 'hide'] as const);

/** The server's identity on devices that run it locally: `npm:<package>`, `pypi:<package>`, an image, or a command. */
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
/** Headers that the gateway adds to every request, besides the credential. */
const Headers = Type.Array(
  Type.Object(
    {
      name: HeaderName,
      /** Absent: the stored value of this header is unchanged. */
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
    /** The authentication without its secret, which is never read back. */
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
    /** Header names without values, which are never read back. */
    headers: Type.Array(Type.Object({ name: Type.String() })),
    enabled: Type.Boolean(),
    version: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
    /** Only for administrators who read a single backend; null if its key was revoked. */
    log_export_key: Type.Optional(Nullable(Type.String())),
  },
  { title: 'McpBackend' },
);
export type Backend = Static<typeof Backend>;

export const BackendParams = Type.Object({ tenant_id: Type.String(), backend_id: Uuid });
export const BackendAnswer = Type.Object({ backend: Backend, request_id: Type.String() });
export type BackendAnswer = Static<typeof BackendAnswer>;
/** `reveal=false` omits the log-export key, because each display of the key is an audit event. */
export const BackendOneQuery = Type.Object({
  reveal: Type.Optional(OneOf(['true', 'false'] as const)),
});
export const BackendList = ListAnswer(Backend);
export const BackendQuery = JustPaged;

/** The same server where devices run or reach it without the gateway. */
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
