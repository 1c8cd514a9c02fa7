// Help for every key of agent.toml. `npm run docs` writes docs/reference/agent-toml.md from this list; toml.ts reads the
// same keys, so that a key without help does not compile.

export interface SettingHelp {
  /** The form of a valid value, for people. */
  type: string;
  /** TOML value that applies without the key; null: there is no value. */
  default: string | null;
  secret: boolean;
  /** The running service keeps the value until it is restarted. */
  restart: boolean;
  /** TOML value. */
  example: string;
  /** Markdown in full sentences. */
  description: string;
}

type Fields = Pick<SettingHelp, 'type' | 'example' | 'description'> & Partial<SettingHelp>;

const setting = (fields: Fields): SettingHelp => ({
  default: null,
  secret: false,
  restart: true,
  ...fields,
});

export const SETTINGS = {
  'backend.base_url': setting({
    type: 'origin, https except for loopback',
    example: '"https://hub.example.com"',
    description:
      'The hub. It is required with `backend.tenant_id` and `backend.subscriber_id`; without the three the agent reports to no hub.',
  }),
  'backend.tenant_id': setting({
    type: 'UUID',
    example: '"01900000-0000-7000-8000-000000000001"',
    description: 'The tenant.',
  }),
  'backend.subscriber_id': setting({
    type: '1 to 128 printable ASCII characters',
    example: '"ada@example.com"',
    description: 'User of the device.',
  }),
  'backend.auth_token': setting({
    type: 'agent token',
    secret: true,
    example: '"gwa_…"',
    description:
      'Enrollment token. The first run moves it into the keychain, or into `tokens.json` in the data folder, and removes it here.',
  }),
  'backend.ca_file': setting({
    type: 'absolute path',
    example: '"/etc/ssl/company.pem"',
    description: "Your company's certificate authority (PEM), trusted besides those of Node.js.",
  }),
  'backend.pin_sha256': setting({
    type: 'SHA-256 in hex; up to 8 separated by commas',
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
    description: "Pins of the hub's public key. The hub must present a pinned key.",
  }),
  'backend.proxy': setting({
    type: 'URL, `http://` or `https://`, or `host:port`',
    secret: true,
    example: '"http://proxy.example.com:3128"',
    description: 'Proxy for the way to the hub. It takes precedence over `HTTPS_PROXY`.',
  }),
  'backend.owner': setting({
    type: 'name or number of an account',
    example: '"ada"',
    description:
      "The user's account on this device. Without it, the only account with a home is the owner's.",
  }),
  'agent.data_dir': setting({
    type: 'absolute path',
    example: '"/var/lib/gatewarden-agent"',
    description: 'Folder of identity, store, queue, logs and quarantine.',
  }),
  'agent.discovery_interval': setting({
    type: 'duration, 1s to 7d',
    default: '"30m"',
    example: '"1h"',
    description: 'Interval of a scan of all sources. It varies a little on each device.',
  }),
  'agent.change_interval': setting({
    type: 'duration, 1s to 7d',
    default: '"15s"',
    example: '"30s"',
    description: 'Interval at which the file times of known places are checked for changes.',
  }),
  'agent.delta_interval': setting({
    type: 'duration, 1s to 7d',
    default: '"60s"',
    example: '"2m"',
    description: 'Interval at which policies are requested if the hub asks for no other interval.',
  }),
  'agent.daily_schedule': setting({
    type: 'cron pattern',
    example: '"30 12 * * *"',
    description:
      'Time of the daily scan that reads everything again. Without it, each device has a minute of its own.',
  }),
  'agent.enforcement': setting({
    type: '`monitor`, `enforce` or `off`',
    default: '"monitor"',
    example: '"enforce"',
    description:
      'Whether the agent applies policies, only reports what it would do, or does neither.',
  }),
  'agent.kills_per_minute': setting({
    type: 'integer, 1 to 1000',
    default: '20',
    example: '50',
    description:
      'Terminated processes per minute that open the breaker. The agent then only monitors for 10 minutes.',
  }),
  'agent.crash_limit': setting({
    type: 'integer, 0 to 100',
    default: '3',
    example: '0',
    description:
      'Unexpected ends of the service within 10 minutes after which the next run only monitors. `0` turns this off.',
  }),
  'agent.allow_untested_platform': setting({
    type: '`true` or `false`',
    default: 'false',
    example: 'true',
    description: 'Lets `enforce` apply on macOS and Windows, where it is not tested.',
  }),
  'discovery.sources': setting({
    type: 'list of [discovery sources](discovery-sources.md)',
    example: '["dpkg", "mcp_config"]',
    description: 'Sources to use. Without it all sources of the platform are used.',
  }),
  'update.enabled': setting({
    type: '`true` or `false`',
    default: 'true',
    example: 'false',
    description:
      'Whether the agent installs releases that the hub offers. Set it to `false` if your package management updates the agent.',
  }),
  'update.channel': setting({
    type: 'lower-case name of up to 32 characters',
    default: '"stable"',
    example: '"beta"',
    description: 'Channel of releases.',
  }),
  'update.public_key': setting({
    type: 'Ed25519 public key, SPKI in base64',
    example: '"MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="',
    description: "Key that must have signed a release, instead of the package's own.",
  }),
} as const satisfies Record<string, SettingHelp>;

/** A key of agent.toml with its section, such as `agent.enforcement`. */
export type SettingKey = keyof typeof SETTINGS;
