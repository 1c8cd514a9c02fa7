// Every environment variable that a program of this repository reads. The hub takes its names from this list,
// `hub doctor` checks for misspelled names with it, and `npm run docs` writes docs/reference/configuration.md from it.

export interface Variable {
  /** The format of a valid value, in words. */
  type: string;
  /** Text of the value that applies if the variable is not set; null: there is no value. */
  default: string | null;
  /** The value must not appear in logs or on screens. */
  secret: boolean;
  /** The running program keeps the value until it is restarted. */
  restart: boolean;
  example: string;
  /** Markdown in full sentences. */
  description: string;
  /** All hub processes of an installation need the same value. */
  shared?: boolean;
}

type Fields = Omit<Variable, 'default' | 'secret' | 'restart'> & {
  default?: string;
  secret?: boolean;
};

/** Returns a variable of a service: without a default, no secret, read at start. */
const atStart = (fields: Fields): Variable => ({
  default: null,
  secret: false,
  restart: true,
  ...fields,
});

/** Returns a variable of a command or an installer, which reads it each time. */
const eachTime = (fields: Fields): Variable => ({ ...atStart(fields), restart: false });

const SERVER_VARIABLES = {
  HUB_HOST: atStart({
    type: 'host name or IP address',
    default: '127.0.0.1',
    example: '0.0.0.0',
    description: 'Address on which the hub listens.',
  }),
  HUB_PORT: atStart({
    type: 'integer, 0 to 65535',
    default: '8080',
    example: '9000',
    description: 'Port on which the hub listens. With `0` the system chooses a free port.',
  }),
  DATABASE_URL: atStart({
    type: 'URL, `postgres://` or `postgresql://`',
    secret: true,
    example: 'postgresql://gatewarden:password@db.example.com/gatewarden',
    description:
      'Your own PostgreSQL 15 or newer. If it is not set, the hub runs its embedded PostgreSQL under `HUB_DATA_DIR`.',
  }),
  HUB_DATA_DIR: atStart({
    type: 'path of a folder',
    default: '.data/hub',
    example: '/var/lib/gatewarden-hub',
    description: 'Folder of the embedded database and of the generated master key.',
  }),
  HUB_ROLE: atStart({
    type: '`central`, `regional` or `central-master-db`',
    default: 'central',
    example: 'regional',
    description:
      'Role of this hub. With any role except `central`, management requests are answered with 503 `central_service_required`.',
  }),
  HUB_MIGRATE: atStart({
    type: '`auto` or `refuse`',
    example: 'auto',
    description:
      'Whether `serve` migrates an older database, or refuses to start with it. The default is `auto` with the embedded database and `refuse` with `DATABASE_URL`.',
  }),
  HUB_SHUTDOWN_GRACE_MS: atStart({
    type: 'milliseconds, 0 to 600000',
    default: '10000',
    example: '30000',
    description: 'Time that running requests have to end after SIGTERM.',
  }),
  LLMGATEWAY_MANAGEMENT_API_ENABLED: atStart({
    type: '`true` or `false`',
    default: 'false',
    shared: true,
    example: 'true',
    description:
      'Enables the management API. While it is disabled, its routes are answered with 404.',
  }),
} as const satisfies Record<string, Variable>;

const ADDRESS_AND_KEY_VARIABLES = {
  GATEWAY_BASE_URL: atStart({
    type: 'origin, https except for loopback',
    shared: true,
    example: 'https://hub.example.com',
    description:
      'Origin under which clients reach the hub. It takes precedence over `PUBLIC_BASE_URL` and `BASE_URL`. Without any of the three the origin is `http://HUB_HOST:HUB_PORT`.',
  }),
  PUBLIC_BASE_URL: atStart({
    type: 'origin, https except for loopback',
    shared: true,
    example: 'https://hub.example.com',
    description: 'Origin under which clients reach the hub, if `GATEWAY_BASE_URL` is not set.',
  }),
  BASE_URL: atStart({
    type: 'origin, https except for loopback',
    shared: true,
    example: 'https://hub.example.com',
    description:
      'Origin under which clients reach the hub, if neither `GATEWAY_BASE_URL` nor `PUBLIC_BASE_URL` is set.',
  }),
  HUB_LLM_GATEWAY_URL: atStart({
    type: 'URL, `http://` or `https://`',
    shared: true,
    example: 'https://llm.example.com',
    description:
      'Address under which clients reach the nodes of the LLM gateway. The console shows it in snippets, and sends test requests to it. The outbound rules of the hub apply to it.',
  }),
  HUB_MASTER_KEY: atStart({
    type: '32 bytes as base64 or hex; several keys separated by white space, the current key first',
    secret: true,
    shared: true,
    example: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=',
    description:
      'Key that seals stored secrets. With the embedded database a key is generated beside it. With `DATABASE_URL` this variable or `HUB_MASTER_KEY_FILE` is required.',
  }),
  HUB_MASTER_KEY_FILE: atStart({
    type: 'path of a file',
    shared: true,
    example: '/etc/gatewarden/master.key',
    description: 'File with the master key, if `HUB_MASTER_KEY` is not set.',
  }),
} as const satisfies Record<string, Variable>;

const SIGN_IN_VARIABLES = {
  LOGIN_ISSUER: atStart({
    type: 'URL, https except for loopback',
    shared: true,
    example: 'https://login.example.com',
    description:
      'Issuer of your OpenID Connect provider. Its redirect URI is `ORIGIN/console/sign-in/callback`. Without it users sign in at the embedded provider.',
  }),
  LOGIN_CLIENT_ID: atStart({
    type: 'text',
    shared: true,
    example: 'gatewarden',
    description: 'Client of the hub at `LOGIN_ISSUER`; required with it.',
  }),
  LOGIN_CLIENT_SECRET: atStart({
    type: 'text',
    secret: true,
    shared: true,
    example: 'client-secret-of-the-provider',
    description: 'Secret of that client. Leave it out for a public client.',
  }),
  LOGIN_CLAIMS: atStart({
    type: 'JSON object',
    shared: true,
    example: '{"tenantIds":"https://acme.example/tenants","roles":"/realm_access/roles"}',
    description:
      'Names of the claims in tokens of administrators, for some of `tenantIds`, `role`, `roles`, `operator` and `email`. A name that begins with `/` is a JSON pointer.',
  }),
  MCP_OAUTH_PKCE: atStart({
    type: '`if_sent` or `off`',
    default: 'if_sent',
    shared: true,
    example: 'if_sent',
    description:
      'Whether the token endpoint of the MCP gateway checks the code challenge of a client (RFC 7636). With `off` anyone who gets a code can exchange it.',
  }),
} as const satisfies Record<string, Variable>;

const NETWORK_VARIABLES = {
  HUB_ALLOWED_PRIVATE_NETWORKS: atStart({
    type: 'networks in CIDR notation, separated by commas',
    shared: true,
    example: '10.20.0.0/16,fd00::/8',
    description:
      'Private networks that outbound calls may reach: notification channels, MCP servers and tests of providers. Plain http is accepted there.',
  }),
  HUB_TRUSTED_PROXIES: atStart({
    type: 'addresses and networks, separated by commas',
    shared: true,
    example: '10.0.0.7,10.1.0.0/24',
    description:
      'Proxies in front of the hub. Their `X-Forwarded-For` names the client for limits, sessions, the audit log and the last use of keys. It is ignored from any other address.',
  }),
  HUB_SMTP_URL: atStart({
    type: 'URL, `smtp://` or `smtps://`',
    secret: true,
    shared: true,
    example: 'smtp://user:password@mail.example.com:587',
    description:
      'Mail server of e-mail channels. `smtp://` requires STARTTLS except on loopback, `smtps://` uses TLS from the start. Add `?tls=off` for a relay without TLS.',
  }),
  HUB_MAIL_FROM: atStart({
    type: 'e-mail address, with or without a name',
    shared: true,
    example: 'Gatewarden <hub@example.com>',
    description: 'Sender of e-mails; required with `HUB_SMTP_URL`.',
  }),
} as const satisfies Record<string, Variable>;

const OPERATION_VARIABLES = {
  HUB_LOG_LEVEL: atStart({
    type: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
    default: 'info',
    example: 'warn',
    description: 'Lowest level that is logged, as JSON lines on standard error.',
  }),
  HUB_METRICS_TOKEN: atStart({
    type: 'text',
    secret: true,
    example: 'token-for-prometheus',
    description:
      'Bearer token that `/metrics` requires. Without it only this machine and `HUB_METRICS_ALLOWED_NETWORKS` may read metrics.',
  }),
  HUB_METRICS_ALLOWED_NETWORKS: atStart({
    type: 'addresses and networks, separated by commas',
    example: '10.0.5.0/24',
    description: 'Addresses that may read `/metrics` without the token.',
  }),
  COMPLETELY_NO_GPU: atStart({
    type: 'anything except `0`, `false`, `no` and `off`',
    shared: true,
    example: '1',
    description: 'The deployment has no models: tests of providers are answered `unsupported`.',
  }),
  HUB_PROVIDER_NAMES: atStart({
    type: 'list of `LETTER=name`',
    shared: true,
    example: 'D=Acme,H=Example',
    description: 'Names that the console shows for the provider vendors D, H, I and J.',
  }),
} as const satisfies Record<string, Variable>;

const LOAD_VARIABLES = {
  HUB_DEVICE_RATE: atStart({
    type: 'requests per second, 1 to 1000000',
    default: '100',
    shared: true,
    example: '50',
    description:
      'Sustained rate of a device in each hub process, with a burst of 200 times as many. Requests above it are answered with 429 and `Retry-After`.',
  }),
  HUB_TOKEN_RATE: atStart({
    type: 'requests per second, 1 to 1000000',
    default: '10000',
    shared: true,
    example: '5000',
    description:
      'Sustained rate of all devices of an agent token in each hub process, with a burst of 200 times as many.',
  }),
  HUB_NODE_RATE: atStart({
    type: 'requests per second, 1 to 1000000',
    default: '100',
    shared: true,
    example: '200',
    description:
      'Sustained rate of log batches of a node token in each hub process, with a burst of 20 times as many.',
  }),
  HUB_TENANT_STREAMS: atStart({
    type: 'streams, 1 to 16000',
    default: '2000',
    shared: true,
    example: '4000',
    description:
      "Maximum number of event streams for a tenant's open pages in each hub process. The oldest stream ends above it. A user has at most 16.",
  }),
  HUB_POLL_SECONDS_MAX: atStart({
    type: 'seconds, 1 to 300',
    default: '300',
    shared: true,
    example: '120',
    description:
      'Longest poll interval for devices at full load. A process that is busy for more than 60 % of the time asks devices to poll once a minute, up to this interval. A policy can take as long to reach a device.',
  }),
} as const satisfies Record<string, Variable>;

const TRACING_VARIABLES = {
  OTEL_SDK_DISABLED: atStart({
    type: '`true` or `false`',
    default: 'false',
    example: 'true',
    description: 'Turns traces off although an endpoint is set.',
  }),
  OTEL_TRACES_EXPORTER: atStart({
    type: '`otlp` or `none`',
    default: 'otlp',
    example: 'none',
    description: 'With `none` no traces are sent.',
  }),
  OTEL_TRACES_SAMPLER: atStart({
    type: '`always_on`, `always_off`, `traceidratio`, or these names with the prefix `parentbased_`',
    default: 'parentbased_always_on',
    example: 'parentbased_traceidratio',
    description: 'Sampler that decides which requests are traced.',
  }),
  OTEL_TRACES_SAMPLER_ARG: atStart({
    type: 'number, 0 to 1',
    default: '1',
    example: '0.05',
    description: 'Share of the requests that a `traceidratio` sampler traces.',
  }),
  OTEL_BSP_SCHEDULE_DELAY: atStart({
    type: 'milliseconds, 100 to 3600000',
    default: '5000',
    example: '10000',
    description: 'Interval at which spans are sent.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: atStart({
    type: 'URL, `http://` or `https://`',
    example: 'http://localhost:4318',
    description:
      'Collector of traces over HTTP. Without an endpoint nothing is traced. `OTEL_EXPORTER_OTLP_HEADERS` and the variables for certificates apply as OpenTelemetry defines them.',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: atStart({
    type: 'URL, `http://` or `https://`',
    example: 'http://localhost:4318/v1/traces',
    description: 'Complete URL for traces; takes precedence over `OTEL_EXPORTER_OTLP_ENDPOINT`.',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: atStart({
    type: '`http/protobuf` or `http/json`',
    default: 'http/protobuf',
    example: 'http/json',
    description: 'Encoding of traces. `grpc` is not supported.',
  }),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: atStart({
    type: '`http/protobuf` or `http/json`',
    example: 'http/json',
    description: 'Encoding of traces; takes precedence over `OTEL_EXPORTER_OTLP_PROTOCOL`.',
  }),
} as const satisfies Record<string, Variable>;

/** Variables of the hub, in the order of the reference. */
export const HUB_VARIABLES = {
  ...SERVER_VARIABLES,
  ...ADDRESS_AND_KEY_VARIABLES,
  ...SIGN_IN_VARIABLES,
  ...NETWORK_VARIABLES,
  ...OPERATION_VARIABLES,
  ...LOAD_VARIABLES,
  ...TRACING_VARIABLES,
} as const satisfies Record<string, Variable>;

const COMMAND_VARIABLES = {
  GATEWARDEN_MANAGEMENT_KEY: eachTime({
    type: 'management key',
    secret: true,
    example: 'gwm_…',
    description: 'Management key for `dump`, `diff` and `apply` with `--url`.',
  }),
  GATEWARDEN_LOG_EXPORT_KEY: eachTime({
    type: 'log-export key',
    secret: true,
    example: 'gwl_…',
    description: 'Key of the collector, if neither `--key-file` nor `--key-stdin` is given.',
  }),
  NODE_EXTRA_CA_CERTS: atStart({
    type: 'path of a file with certificates (PEM)',
    shared: true,
    example: '/etc/ssl/company.pem',
    description: 'Certificate authorities that Node.js trusts besides its own.',
  }),
  GATEWARDEN_DATA_DIR: atStart({
    type: 'path of a folder',
    default: '.data',
    example: '/srv/gatewarden-demo',
    description:
      'Folder for everything that `npm start` creates. Hub commands do not read it: set HUB_DATA_DIR to its folder `hub`, and --data-dir of agent commands to its folder `agent`.',
  }),
} as const satisfies Record<string, Variable>;

const AGENT_VARIABLES = {
  GATEWARDEN_AGENT_CONFIG: atStart({
    type: 'path of a file',
    example: '/etc/gatewarden/agent.toml',
    description: 'Configuration file, if `--config` is not given. The file must exist.',
  }),
  GATEWARDEN_AGENT_LOG_LEVEL: atStart({
    type: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
    default: 'info',
    example: 'debug',
    description: 'Lowest level that the service logs.',
  }),
  HTTPS_PROXY: atStart({
    type: 'URL, `http://` or `https://`',
    secret: true,
    example: 'http://proxy.example.com:3128',
    description: 'Proxy for the way to the hub, unless `backend.proxy` is set in `agent.toml`.',
  }),
  NO_PROXY: atStart({
    type: 'host names and addresses, separated by commas',
    example: 'hub.example.com,.corp.example.com',
    description: 'Hosts that are reached without `HTTPS_PROXY`.',
  }),
} as const satisfies Record<string, Variable>;

const GATEWAY_VARIABLES = {
  GATEWARDEN_NODE_TOKEN: atStart({
    type: 'node token',
    secret: true,
    example: 'gwn_…',
    description:
      'Token of the gateway node, from `gatewarden hub token node`. It also seals the copy of the configuration in `GATEWAY_DATA_DIR`.',
  }),
  GATEWAY_HUB_URL: atStart({
    type: 'URL, `http://` or `https://`',
    example: 'https://hub.example.com',
    description: 'Origin of the hub that the node follows.',
  }),
  GATEWAY_HOST: atStart({
    type: 'host name or IP address',
    default: '127.0.0.1',
    example: '0.0.0.0',
    description: 'Address on which the node listens.',
  }),
  GATEWAY_PORT: atStart({
    type: 'integer, 0 to 65535',
    default: '8090',
    example: '9090',
    description: 'Port on which the node listens. With `0` the system chooses a free port.',
  }),
  GATEWAY_DATA_DIR: atStart({
    type: 'path of a folder',
    default: '.data/gateway',
    example: '/var/lib/gatewarden-gateway',
    description:
      'Folder of the sealed configuration and of the spool with log rows. Each process needs a folder of its own.',
  }),
  GATEWAY_MANAGED_MODEL_URL: atStart({
    type: 'URL, `http://` or `https://`',
    example: 'http://127.0.0.1:11434/v1',
    description:
      'OpenAI-compatible server behind providers of type `gw_ai`, such as Ollama or vLLM, with its path `/v1`.',
  }),
  GATEWAY_GUARDIAN_URL: atStart({
    type: 'URL, `http://` or `https://`',
    example: 'http://127.0.0.1:8000/v1',
    description:
      'OpenAI-compatible server, with its path `/v1`, that runs the checks which need a model: guardian agent, hallucinations, images, and categories without a detector. Without it these settings are not enforced, and the hub reports them as unsupported.',
  }),
  GATEWAY_GUARDIAN_MODEL: atStart({
    type: 'name of a model',
    default: 'guardian',
    example: 'llama-guard-4-12b',
    description: 'Model that `GATEWAY_GUARDIAN_URL` is asked for.',
  }),
  GATEWAY_GUARDIAN_API_KEY: atStart({
    type: 'text',
    secret: true,
    example: 'sk-…',
    description: 'Bearer key for `GATEWAY_GUARDIAN_URL`, if the server needs a key.',
  }),
  GATEWAY_GUARDIAN_TIMEOUT_MS: atStart({
    type: 'milliseconds, 0 to 120000',
    default: '10000',
    example: '3000',
    description:
      'Deadline of a check at `GATEWAY_GUARDIAN_URL`. Content passes without the check after it, and the log row lists the check in `guardrails_not_enforced`.',
  }),
  GATEWAY_ALLOWED_PRIVATE_NETWORKS: atStart({
    type: 'networks in CIDR notation, separated by commas',
    example: '10.20.0.0/16',
    description:
      'Private networks that providers may be in. Plain http is accepted there. All other providers need a public address and https.',
  }),
  GATEWAY_TRUSTED_PROXIES: atStart({
    type: 'addresses and networks, separated by commas',
    example: '10.0.0.7',
    description:
      'Proxies in front of the node. Their `X-Forwarded-For` names the client for allowed source addresses and log rows.',
  }),
  GATEWAY_LOG_LEVEL: atStart({
    type: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
    default: 'info',
    example: 'warn',
    description: 'Lowest level that is logged, as JSON lines on standard error.',
  }),
  GATEWAY_SHUTDOWN_GRACE_MS: atStart({
    type: 'milliseconds, 0 to 600000',
    default: '30000',
    example: '60000',
    description: 'Time that running requests have to end after SIGTERM.',
  }),
  GATEWAY_SPOOL_MIB: atStart({
    type: 'MiB, 0 to 1048576',
    default: '512',
    example: '2048',
    description:
      'Maximum size of the spool. While the hub is unreachable, rows stay there; above the maximum the oldest are dropped and counted.',
  }),
} as const satisfies Record<string, Variable>;

const INSTALLER_VARIABLES = {
  GATEWARDEN_BASE_URL: eachTime({
    type: 'origin of the hub',
    example: 'https://hub.example.com',
    description: 'The hub. Without it the installer enrolls nothing.',
  }),
  GATEWARDEN_TENANT_ID: eachTime({
    type: 'UUID',
    example: '01900000-0000-7000-8000-000000000001',
    description: 'The tenant.',
  }),
  GATEWARDEN_SUBSCRIBER_ID: eachTime({
    type: '1 to 128 printable ASCII characters',
    example: 'ada@example.com',
    description: 'User of the device.',
  }),
  GATEWARDEN_AUTH_TOKEN: eachTime({
    type: 'agent token',
    secret: true,
    example: 'gwa_…',
    description: 'Enrollment token of the device.',
  }),
  GATEWARDEN_AUTH_TOKEN_FILE: eachTime({
    type: 'path of a file',
    example: '/root/token',
    description: 'File with the enrollment token; takes precedence over `GATEWARDEN_AUTH_TOKEN`.',
  }),
  GATEWARDEN_ENFORCEMENT: eachTime({
    type: '`monitor`, `enforce` or `off`',
    default: 'monitor',
    example: 'enforce',
    description: 'Enforcement of the agent (`agent.enforcement`).',
  }),
  GATEWARDEN_PROXY: eachTime({
    type: 'URL, `http://` or `https://`',
    secret: true,
    example: 'http://proxy.example.com:3128',
    description: 'Proxy for the way to the hub (`backend.proxy`).',
  }),
  GATEWARDEN_CA_FILE: eachTime({
    type: 'path of a file with certificates (PEM)',
    example: '/etc/ssl/company.pem',
    description: "Your company's certificate authority (`backend.ca_file`).",
  }),
  GATEWARDEN_PIN_SHA256: eachTime({
    type: 'SHA-256 in hex; several separated by commas',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    description: "Pin of the hub's public key (`backend.pin_sha256`).",
  }),
  GATEWARDEN_ALLOW_DOWNGRADE: eachTime({
    type: '`1`',
    example: '1',
    description: 'Lets an installer replace a newer version of the agent.',
  }),
  GATEWARDEN_UPDATE_KEY: eachTime({
    type: 'private key (PEM)',
    secret: true,
    example: '-----BEGIN PRIVATE KEY-----…',
    description: 'Key with which `npm run package -- --sign env` signs a release.',
  }),
} as const satisfies Record<string, Variable>;

/** All variables by the program that reads them; the titles are headings of the reference. */
export const ENVIRONMENT: readonly {
  title: string;
  variables: Readonly<Record<string, Variable>>;
}[] = [
  { title: 'Hub', variables: HUB_VARIABLES },
  { title: 'Commands', variables: COMMAND_VARIABLES },
  { title: 'Gateway node', variables: GATEWAY_VARIABLES },
  { title: 'Agent', variables: AGENT_VARIABLES },
  { title: 'Installers', variables: INSTALLER_VARIABLES },
];
