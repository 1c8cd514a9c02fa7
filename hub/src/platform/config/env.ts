// The only file of the hub that reads `process.env`. Values are text here; config.ts gives them meaning.

export const ENV_NAMES = [
  'HUB_HOST',
  'HUB_PORT',
  'DATABASE_URL',
  'HUB_DATA_DIR',
  'HUB_ROLE',
  'HUB_MIGRATE',
  'HUB_SHUTDOWN_GRACE_MS',
  'LLMGATEWAY_MANAGEMENT_API_ENABLED',
  'GATEWAY_BASE_URL',
  'PUBLIC_BASE_URL',
  'BASE_URL',
  'HUB_MASTER_KEY',
  'HUB_MASTER_KEY_FILE',
  'LOGIN_ISSUER',
  'LOGIN_CLIENT_ID',
  'LOGIN_CLIENT_SECRET',
  'LOGIN_CLAIMS',
  'MCP_OAUTH_PKCE',
  'HUB_ALLOWED_PRIVATE_NETWORKS',
  'HUB_TRUSTED_PROXIES',
  'HUB_SMTP_URL',
  'HUB_MAIL_FROM',
  'HUB_LOG_LEVEL',
  'HUB_METRICS_TOKEN',
  'HUB_METRICS_ALLOWED_NETWORKS',
  'COMPLETELY_NO_GPU',
  'HUB_PROVIDER_NAMES',
  'HUB_DEVICE_RATE',
  'HUB_TOKEN_RATE',
  'HUB_NODE_RATE',
  'HUB_TENANT_STREAMS',
  'HUB_POLL_SECONDS_MAX',
  'OTEL_SDK_DISABLED',
  'OTEL_TRACES_EXPORTER',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
] as const;
export type Env = Partial<Record<(typeof ENV_NAMES)[number], string>>;

/** Returns variables that begin like the hub's and are none: usually a slip of the pen. */
export function unknownVariables(source: NodeJS.ProcessEnv = process.env): string[] {
  const known = new Set<string>(ENV_NAMES);
  return Object.keys(source).filter((name) => name.startsWith('HUB_') && !known.has(name));
}

/** The variables the hub knows; an empty one counts as unset. */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const env: Env = {};
  for (const name of ENV_NAMES) {
    const value = source[name];
    if (value !== undefined && value.trim() !== '') env[name] = value.trim();
  }
  // Vite and Vitest set this for whatever they start; it names no origin.
  if (env.BASE_URL === '/') delete env.BASE_URL;
  return env;
}
