// Valid agent.toml files are parsed, and every error is reported in a single line with the key's name.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import { checkBaseUrl, parseConfig, writeConfigKeys } from './agent-config.ts';
import { SETTINGS, type SettingHelp, type SettingKey } from './setting-help.ts';

const TENANT = '01900000-0000-7000-8000-000000000001';
const BACKEND = `[backend]\nbase_url = "https://hub.example"\ntenant_id = "${TENANT}"\nsubscriber_id = "s"\n`;

test('reads every key, with defaults for all but the hub', () => {
  const config = parseConfig(
    `${BACKEND}auth_token = "t"\n[agent]\ndata_dir = "/x"\ndiscovery_interval = "2s"\ndelta_interval = "90s"\nenforcement = "enforce"\n[discovery]\nsources = ["dpkg"]`,
    'f',
  );
  expect(config).toMatchObject({
    backend: { baseUrl: 'https://hub.example', tenantId: TENANT, authToken: 't' },
    discoveryIntervalMs: 2000,
    deltaIntervalMs: 90_000,
    enforcement: 'enforce',
    sources: ['dpkg'],
  });
  // A blank at either end would never cross the wire.
  const spaced = parseConfig(BACKEND.replace('"s"', '" ada lovelace "'), 'f');
  expect(spaced.backend?.subscriberId).toBe('ada lovelace');
  expect(parseConfig('', null)).toMatchObject({
    backend: null,
    discoveryIntervalMs: 1_800_000,
    deltaIntervalMs: 60_000,
    enforcement: 'monitor',
  });
});

test.each([
  ['[backend]\nbase_url = "http://hub.example"', 'backend.base_url must be https'],
  ['[backend]\nbase_url = "https://u:p@hub.example"', 'backend.base_url must contain no user'],
  ['[backend]\ntenant_id = "7"', 'backend.tenant_id must be a UUID'],
  ['[backend]\nbase_url = "https://hub.example"', 'backend.tenant_id is missing'],
  ['[agent]\ndelta_interval = "fast"', 'agent.delta_interval must be a duration'],
  ['[agent]\ndelta_interval = "10ms"', 'agent.delta_interval must be between'],
  ['[agent]\nenforcement = "kill"', 'agent.enforcement must be one of'],
  ['[agent]\ndaily_schedule = "at noon"', 'agent.daily_schedule must be a cron pattern'],
  ['[agent]\ndaily_schedule = "* * * * * *"', 'agent.daily_schedule must name a single second'],
  ['[agent]\ndaily_schedule = "*/5 30 12 * * *"', 'agent.daily_schedule must name a single second'],
  ['[agent]\nchange_interval = "0s"', 'agent.change_interval must be between'],
  ['[agent]\ndata_dir = ""', 'agent.data_dir must be a text'],
  ['[agent]\ndata_dir = "state"', 'agent.data_dir must be an absolute path'],
  ['[agent]\ndiscovery_interval = 5', 'agent.discovery_interval must be a duration'],
  ['[agent]\nkills_per_minute = 0', 'agent.kills_per_minute must be a whole number'],
  ['[agent]\ncrash_limit = -1', 'agent.crash_limit must be a whole number'],
  ['[agent]\nallow_untested_platform = "yes"', 'agent.allow_untested_platform must be true'],
  ['[backend]\nsubscriber_id = "\u00e4"', 'backend.subscriber_id must be 1 to 128'],
  ['[backend]\nauth_token = "a b"', 'backend.auth_token must be printable'],
  ['[backend]\nca_file = "ca.pem"', 'backend.ca_file must be an absolute path'],
  ['[backend]\npin_sha256 = "ff"', 'backend.pin_sha256 must be a SHA-256'],
  [`[backend]\npin_sha256 = "${'a'.repeat(64)},"`, 'backend.pin_sha256 must be a SHA-256'],
  ['[discovery]\nsources = "dpkg"', 'discovery.sources must be a list'],
  ['[discovery]\nsources = []', 'discovery.sources must name a source'],
  ['[agent]\nenforcment = "off"', 'agent.enforcment is not a known key'],
  ['[agents]\nx = 1', 'agents.x is not a known key'],
  ['[[backend]]\nbase_url = "https://x"', 'backend must be a single section, [backend]'],
  ['agents = []', 'agents is not a known section'],
  ['[agent', 'line 1'],
])('rejects %j in a single line', (text, line) => {
  expect(() => parseConfig(text, '/etc/agent.toml')).toThrow(line);
  expect(() => parseConfig(text, '/etc/agent.toml')).toThrow(/^\/etc\/agent\.toml: [^\n]+$/);
});

test('accepts http on loopback only', () => {
  expect(checkBaseUrl('k', 'http://127.0.0.1:8080/')).toBe('http://127.0.0.1:8080');
  expect(checkBaseUrl('k', 'http://[::1]:8080')).toBe('http://[::1]:8080');
  expect(() => checkBaseUrl('k', 'http://127.0.0.1.evil.example')).toThrow('https');
});

test('changes keys in a file that only its owner can read, and keeps the others', () => {
  const file = join(makeFolder(), 'agent.toml');
  writeConfigKeys(file, { 'backend.auth_token': 'secret', 'agent.enforcement': 'off' });
  writeConfigKeys(file, { 'backend.auth_token': null });
  const text = readFileSync(file, 'utf8');
  expect(text).not.toContain('secret');
  expect(text).toContain('enforcement = "off"');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each(['\n', '\r\n'])('keeps comments and layout with the line ending %j', (ending) => {
  const file = join(makeFolder(), 'agent.toml');
  const before = `# ours\n${BACKEND}  auth_token = "secret" # goes\n\n# how often\n[ agent ] # times\nenforcement = "monitor" # as agreed\n# end\n\n[discovery]\nsources = [\n  "dpkg", # only\n]\n`;
  writeFileSync(file, before.replaceAll('\n', ending));
  writeConfigKeys(file, { 'backend.auth_token': null });
  const without = before.replace('  auth_token = "secret" # goes\n', '');
  expect(readFileSync(file, 'utf8')).toBe(without.replaceAll('\n', ending));
  writeConfigKeys(file, {
    'backend.base_url': 'https://other.example',
    'agent.kills_per_minute': 7,
    'update.channel': 'beta',
  });
  const after = without
    .replace('https://hub.example', 'https://other.example')
    .replace('# as agreed\n', '# as agreed\nkills_per_minute = 7\n');
  expect(readFileSync(file, 'utf8')).toBe(
    `${after}\n[update]\nchannel = "beta"\n`.replaceAll('\n', ending),
  );
});

test.each([
  `backend = { base_url = "https://hub.example", tenant_id = "${TENANT}", subscriber_id = "s", auth_token = "secret" }\n`,
  `${BACKEND}auth_token = """\\\n  secret"""\n`,
  `backend.base_url = "https://hub.example"\nbackend.tenant_id = "${TENANT}"\nbackend.subscriber_id = "s"\nbackend.auth_token = "secret"\n`,
  `${BACKEND}"auth_token" = 'secret'\n[agent]\n`,
])('keeps the meaning of a file in another style: %j', (text) => {
  const file = join(makeFolder(), 'agent.toml');
  writeFileSync(file, text);
  writeConfigKeys(file, { 'backend.auth_token': null, 'agent.enforcement': 'off' });
  const written = readFileSync(file, 'utf8');
  expect(written).not.toContain('secret');
  const { backend, enforcement } = parseConfig(written, file);
  expect({ backend, enforcement }).toMatchObject({
    backend: { baseUrl: 'https://hub.example', subscriberId: 's', authToken: null },
    enforcement: 'off',
  });
});

const settings = Object.entries(SETTINGS) as [SettingKey, SettingHelp][];

/** Returns the text of a file with this key and with what it requires. */
function fileWith(key: SettingKey, value: string): string {
  const [section, name] = key.split('.');
  const backend = Object.fromEntries(
    ['base_url', 'tenant_id', 'subscriber_id'].map((required) => [
      required,
      SETTINGS[`backend.${required}` as SettingKey].example,
    ]),
  );
  const tables = { backend, [section ?? '']: { ...(section === 'backend' ? backend : {}) } };
  Object.assign(tables[section ?? ''] ?? {}, { [name ?? '']: value });
  return Object.entries(tables)
    .map(([table, keys]) =>
      [`[${table}]`, ...Object.entries(keys).map(([key, text]) => `${key} = ${text}`)].join('\n'),
    )
    .join('\n');
}

test.each(settings)('accepts the documented example of %s', (key, { example, description }) => {
  const text = fileWith(key, example.replace('…', 'x'));
  expect(() => parseConfig(text, null)).not.toThrow();
  expect(description).toMatch(/^[^\n|]+\.$/);
});

test.each(settings.filter(([, help]) => help.default !== null))(
  'uses the documented default of %s',
  (key, help) => {
    const given = parseConfig(fileWith(key, help.default ?? ''), null);
    expect(given).toEqual(
      parseConfig(fileWith('backend.tenant_id', SETTINGS['backend.tenant_id'].example), null),
    );
  },
);
