// Every variable is validated once, and an invalid variable is named in a single line.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConfigError, isLoopbackHost, readConfig } from './config.ts';
import { describeUnknownVariable, type Env, readEnv, unknownVariables } from './env.ts';

test('starts the embedded hub on this machine without variables', () => {
  expect(readConfig({})).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    databaseUrl: null,
    migrate: 'auto',
    baseUrl: null,
    masterKey: null,
    login: null,
    managementApi: { enabled: false, isSet: false },
    allowedPrivateNetworks: [],
    mail: null,
    logLevel: 'info',
    metricsToken: null,
  });
});

test("requires a key for the operator's own database, and does not migrate it unasked", () => {
  const env: Env = { DATABASE_URL: 'postgresql://db/x', HUB_MASTER_KEY: 'k' };
  expect(readConfig(env).migrate).toBe('refuse');
  expect(readConfig({ ...env, HUB_MIGRATE: 'auto' }).migrate).toBe('auto');
  expect(() => readConfig({ DATABASE_URL: 'postgresql://db/x' })).toThrow(/^HUB_MASTER_KEY/);
});

test('reads names of provider vendors by letter', () => {
  expect(readConfig({}).providerNames).toEqual({});
  expect(readConfig({ HUB_PROVIDER_NAMES: 'H = Other AI, D=Acme' }).providerNames).toEqual({
    D: 'Acme',
    H: 'Other AI',
  });
});

test.each(['A=Acme', 'D', 'D=', 'd=Acme', 'D=Acme,D=Other', `D=${'x'.repeat(61)}`])(
  'refuses the provider names %s',
  (text) => {
    expect(() => readConfig({ HUB_PROVIDER_NAMES: text })).toThrow(/^HUB_PROVIDER_NAMES must/);
  },
);

const MAIL = { HUB_SMTP_URL: 'smtp://mail.example.com', HUB_MAIL_FROM: 'hub@example.com' };

test.each([
  ['smtp://mail.example.com', { port: 587, security: 'starttls', auth: null }],
  ['smtp://mail.example.com:25?tls=off', { port: 25, security: 'none' }],
  ['smtp://127.0.0.1:2525', { host: '127.0.0.1', port: 2525, security: 'none' }],
  [
    'smtps://u%40x:p%25w@[2001:db8::1]',
    { host: '2001:db8::1', port: 465, security: 'tls', auth: { user: 'u@x', pass: 'p%w' } },
  ],
])('parses the mail server %s completely', (HUB_SMTP_URL, wanted) => {
  const { mail } = readConfig({ ...MAIL, HUB_SMTP_URL, HUB_MAIL_FROM: 'Hub <hub@example.com>' });
  expect(mail).toMatchObject({ ...wanted, from: 'Hub <hub@example.com>' });
});

test('names an invalid mail server without its password', () => {
  expect(() => readConfig({ ...MAIL, HUB_SMTP_URL: 'http://user:hunter2@x' })).toThrow(
    /^(?!.*hunter2)HUB_SMTP_URL/,
  );
});

const LOGIN = { LOGIN_ISSUER: 'https://id.example.com', LOGIN_CLIENT_ID: 'hub' };

test.each<[keyof Env, Env]>([
  ['DATABASE_URL', { DATABASE_URL: 'mysql://db' }],
  ['HUB_PORT', { HUB_PORT: '65536' }],
  ['HUB_PORT', { HUB_PORT: '-1' }],
  ['HUB_PORT', { HUB_PORT: '80.5' }],
  ['HUB_PORT', { HUB_PORT: '0x50' }],
  ['HUB_SHUTDOWN_GRACE_MS', { HUB_SHUTDOWN_GRACE_MS: 'soon' }],
  ['HUB_ROLE', { HUB_ROLE: 'Central' }],
  ['HUB_MIGRATE', { HUB_MIGRATE: 'yes' }],
  ['HUB_LOG_LEVEL', { HUB_LOG_LEVEL: 'loud' }],
  ['LLMGATEWAY_MANAGEMENT_API_ENABLED', { LLMGATEWAY_MANAGEMENT_API_ENABLED: 'yes' }],
  ['BASE_URL', { BASE_URL: 'hub.example.com' }],
  ['BASE_URL', { BASE_URL: 'http://hub.example.com' }],
  ['BASE_URL', { BASE_URL: 'https://hub.example.com/path' }],
  ['PUBLIC_BASE_URL', { PUBLIC_BASE_URL: 'https://user:pw@hub.example.com' }],
  ['GATEWAY_BASE_URL', { GATEWAY_BASE_URL: 'https://hub.example.com?x=1' }],
  ['HUB_ALLOWED_PRIVATE_NETWORKS', { HUB_ALLOWED_PRIVATE_NETWORKS: '10.0.0.0/8, 10.0.0.1' }],
  ['HUB_SMTP_URL', { HUB_MAIL_FROM: 'hub@example.com' }],
  ['HUB_SMTP_URL', { ...MAIL, HUB_SMTP_URL: 'mail.example.com' }],
  ['HUB_SMTP_URL', { ...MAIL, HUB_SMTP_URL: 'smtp://mail.example.com?tls=maybe' }],
  ['HUB_SMTP_URL', { ...MAIL, HUB_SMTP_URL: 'smtp://u:%zz@mail.example.com' }],
  ['HUB_MAIL_FROM', { HUB_SMTP_URL: MAIL.HUB_SMTP_URL }],
  ['HUB_MAIL_FROM', { ...MAIL, HUB_MAIL_FROM: 'nobody' }],
  ['HUB_MAIL_FROM', { ...MAIL, HUB_MAIL_FROM: 'a@b\r\nBcc: c@d' }],
  ['LOGIN_ISSUER', { ...LOGIN, LOGIN_ISSUER: 'id.example.com' }],
  ['LOGIN_ISSUER', { ...LOGIN, LOGIN_ISSUER: 'http://id.example.com' }],
  ['LOGIN_CLIENT_ID', { LOGIN_ISSUER: LOGIN.LOGIN_ISSUER }],
  ['LOGIN_CLIENT_ID', { LOGIN_CLIENT_SECRET: 'x' }],
])('names an invalid %s in a single line', (name, env) => {
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(() => readConfig(env)).toThrow(new RegExp(`^${name}[^\\n]*$`));
});

test('takes the origin from the most specific variable in canonical form', () => {
  const env: Env = { BASE_URL: 'https://c.example.com', PUBLIC_BASE_URL: 'https://b.example.com' };
  expect(readConfig(env).baseUrl).toBe('https://b.example.com');
  expect(readConfig({ ...env, GATEWAY_BASE_URL: 'https://A.example.com:443/' }).baseUrl).toBe(
    'https://a.example.com',
  );
  expect(readConfig({ BASE_URL: 'http://localhost:8080' }).baseUrl).toBe('http://localhost:8080');
});

test('parses networks as address ranges', () => {
  const { allowedPrivateNetworks } = readConfig({
    HUB_ALLOWED_PRIVATE_NETWORKS: ' 10.0.0.0/8,fd00::/8 ,',
  });
  expect(allowedPrivateNetworks.map(([address, bits]) => `${address}/${bits}`)).toEqual([
    '10.0.0.0/8',
    'fd00::/8',
  ]);
});

test('returns a configuration or an error for any text in any variable', () => {
  const name = fc.constantFrom<keyof Env>(
    'HUB_PORT',
    'BASE_URL',
    'LOGIN_ISSUER',
    'HUB_ALLOWED_PRIVATE_NETWORKS',
    'DATABASE_URL',
    'HUB_SMTP_URL',
  );
  fc.assert(
    fc.property(name, fc.oneof(fc.string(), fc.webUrl()), (variable, text) => {
      try {
        readConfig({ [variable]: text });
      } catch (error) {
        expect(error).toBeInstanceOf(ConfigError);
      }
    }),
  );
});

test.each([
  ['localhost', true],
  ['x.localhost', true],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['::ffff:127.0.0.1', true],
  ['localhost.example.com', false],
  ['127.0.0.1.example.com', false],
  ['10.0.0.1', false],
  ['0.0.0.0', false],
])('decides whether %s stays on this machine: %s', (host, answer) => {
  expect(isLoopbackHost(host)).toBe(answer);
});

test('treats an empty variable as unset, and ignores unknown variables', () => {
  expect(readEnv({ HUB_PORT: ' ', HUB_HOST: ' ::1 ', OTHER: 'x' })).toEqual({ HUB_HOST: '::1' });
});

test.each([
  ['10.0.0.7', '10.0.0.7/32'],
  ['2001:db8::7', '2001:db8::7/128'],
  [' 10.0.0.0/8 , 192.0.2.1', '10.0.0.0/8,192.0.2.1/32'],
])('reads %s as trusted proxies', (HUB_TRUSTED_PROXIES, expected) => {
  const { trustedProxies } = readConfig({ HUB_TRUSTED_PROXIES });
  expect(trustedProxies.map(([address, bits]) => `${address}/${bits}`).join()).toBe(expected);
});

test.each(['10', 'proxy.example.com', '10.0.0.0/33', '300.0.0.1'])(
  'rejects %s as a trusted proxy',
  (HUB_TRUSTED_PROXIES) => {
    expect(() => readConfig({ HUB_TRUSTED_PROXIES })).toThrow(/^HUB_TRUSTED_PROXIES: /);
  },
);

test("names unknown variables with the hub's prefixes", () => {
  const env = { HUB_PORT: '1', HUB_PROT: '1', HUB_: '', HUBERT: 'x', PATH: '/' };
  expect(unknownVariables(env)).toEqual(['HUB_PROT', 'HUB_']);
});

test.each([
  ['HUB_PROT', 'HUB_PROT is not a variable of the hub: did you mean HUB_PORT?'],
  ['HUB_SMPT_URL', 'HUB_SMPT_URL is not a variable of the hub: did you mean HUB_SMTP_URL?'],
  ['HUB_WIDGET_COUNT', 'HUB_WIDGET_COUNT is not a variable of the hub'],
])('describes the unknown variable %s', (name, sentence) => {
  expect(describeUnknownVariable(name)).toBe(sentence);
});
