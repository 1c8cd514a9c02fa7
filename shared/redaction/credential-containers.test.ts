// Credentials inside of containers are redacted: in a URL within a URL, in a list of lines, in an object with a kind.
import { expect, test } from 'vitest';
import { redact } from './redact.ts';
import { REDACTED } from './rule.ts';

const BODY = 'x7Kq9vT2mZ4pL8wN1rB6';
const HEX = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';
const UUID = '9f86d081-884c-4d65-9a2f-eaa0c55ad015';
const KEY = '[REDACTED_API_KEY]';
const PEM_KEY = '[REDACTED_PRIVATE_KEY]';
const begin = `-----BEGIN RSA ${'PRIVATE'} KEY-----`;
const end = `-----END RSA ${'PRIVATE'} KEY-----`;

const isShown = (sent: unknown, shown: unknown) => {
  expect(redact(sent)).toEqual(shown);
  expect(redact(shown)).toEqual(shown);
};

test.each([
  [`https://bob:${BODY}@h/p`, `https://bob:${REDACTED}@h/p`],
  [`redis://:${BODY}@h:6379/0`, `redis://:${REDACTED}@h:6379/0`],
  [`mongodb+srv://u:p%2Fw1@c.net/`, `mongodb+srv://u:${REDACTED}@c.net/`],
  [`https://${BODY}@h/a.git`, `https://${REDACTED}@h/a.git`],
  [`https://h/b?sp=r&sig=${BODY}`, `https://h/b?sp=r&sig=${REDACTED}`],
  [`https://h/?token=${BODY}&a=b`, `https://h/?token=${REDACTED}&a=b`],
  [`https://h/cb?code=${BODY}&state=a`, `https://h/cb?code=${REDACTED}&state=a`],
  [`wss://h/?a=Bearer ${BODY}`, `wss://h/?a=Bearer ${REDACTED}`],
  [`https://hooks.${'slack'}.com/services/T0/B0/${BODY}`, 'https://[REDACTED_WEBHOOK_URL]'],
])('redacts within another URL, once and twice: %s', (inner, shown) => {
  const once = redact(`next=${encodeURIComponent(inner)}`) as string;
  expect(once).not.toContain('x7Kq9vT2');
  expect(once).not.toContain('w1');
  const around = (text: string) => `next=${encodeURIComponent(text)}`;
  if (!shown.includes('Bearer')) {
    expect(once.replaceAll(encodeURIComponent(REDACTED), REDACTED)).toBe(
      around(shown)
        .replaceAll('%5BREDACTED', '[REDACTED')
        .replaceAll(/REDACTED(\w*?)%5D/g, 'REDACTED$1]'),
    );
  }
  const twice = redact(`https://r.test/?u=${encodeURIComponent(around(inner))}`) as string;
  expect(twice).not.toContain('x7Kq9vT2');
  expect(redact(once)).toBe(once);
  expect(redact(twice)).toBe(twice);
});

test.each([
  [`<a href="https://h/?a=b&amp;sig=${BODY}">`, `<a href="https://h/?a=b&amp;sig=${REDACTED}">`],
  [`{"u":"https://h/?a=b\\u0026sig=${BODY}"} x`, `{"u":"https://h/?a=b\\u0026sig=${REDACTED}"} x`],
  [`hooks.${'zapier'}.com/hooks/catch/1/${BODY}/ x`, '[REDACTED_WEBHOOK_URL] x'],
  [`https://open.feishu.cn/open-apis/bot/v2/hook/${UUID}`, 'https://[REDACTED_WEBHOOK_URL]'],
  [
    `https:\\/\\/hooks.slack.com\\/services\\/T0\\/B0\\/${BODY} x`,
    'https:\\/\\/[REDACTED_WEBHOOK_URL] x',
  ],
  [`the password for the old root is ${BODY}`, `the password for the old root is ${REDACTED}`],
  ['Password for root is: Tr0ub4dor&3', `Password for root is: ${REDACTED}`],
  [
    `echo -n ${BODY} | docker login -u a --password-stdin`,
    `echo -n ${REDACTED} | docker login -u a --password-stdin`,
  ],
  [
    `echo "${BODY}" | gh auth login --with-token`,
    `echo "${REDACTED}" | gh auth login --with-token`,
  ],
  [`Incorrect API key provided: ${BODY}. See`, `Incorrect API key provided: ${REDACTED} See`],
  [`.setPassword("${BODY}")`, `.setPassword("${REDACTED}")`],
  [`requests.get(u, auth=('bob', 'hunter2x'))`, `requests.get(u, auth=('bob', '${REDACTED}'))`],
  [`https://${BODY}:x-oauth-basic@h/a`, `https://${REDACTED}:${REDACTED}@h/a`],
  [`fs.s3a.secret.key=${BODY}`, `fs.s3a.secret.key=${REDACTED}`],
  [`OPENAI_KEY=${BODY}`, `OPENAI_KEY=${REDACTED}`],
  [`anthropic key: ${BODY}`, `anthropic key: ${REDACTED}`],
  [`auths: {"r": {"auth": "${btoa(`bob:${BODY}`)}"}} x`, `auths: {"r": {"auth": "${REDACTED}"}} x`],
  [`a ${encodeURIComponent(`${begin}\nMIIE${BODY}\n${end}`)} b`, `a ${PEM_KEY} b`],
  [`CLOJARS_${HEX}${HEX.slice(4)}`, KEY],
  [`NRII-${BODY}abcdefg`, KEY],
  [`sdk-${UUID}`, KEY],
  [`as ${HEX}.${BODY.slice(0, 16)}.`, `as ${KEY}.`],
  [`2/1200000000000001/1200000000000002:${HEX}`, KEY],
  [`API-${'ABCDEFGHIJ0123456789ABCDEF'}`, KEY],
  [`rpa_${BODY}`, KEY],
])('redacts %s', isShown);

test('redacts a private key in separate lines', () => {
  const lines = [
    '# mine',
    begin,
    'Proc-Type: 4,ENCRYPTED',
    '',
    `MIIE${BODY}`,
    'QUJD',
    end,
    'after',
  ];
  const shown = ['# mine', PEM_KEY, PEM_KEY, '', PEM_KEY, PEM_KEY, PEM_KEY, 'after'];
  isShown({ lines }, { lines: shown });
  // A truncated key ends at the first line that does not resemble it.
  isShown(
    [begin, `MIIE${BODY}`, 'and then some words', `MIIE${BODY}`],
    [PEM_KEY, PEM_KEY, 'and then some words', `MIIE${BODY}`],
  );
  const none = [`${begin}\nMIIE\n${end}`, `MIIE${BODY}`];
  expect(redact(none)).toEqual([PEM_KEY, `MIIE${BODY}`]);
});

test('redacts objects by their kind: a private key, a registry login, a Secret of a cluster', () => {
  isShown(
    { kty: 'RSA', e: 'AQAB', n: BODY, d: BODY, dp: BODY },
    {
      kty: 'RSA',
      e: 'AQAB',
      n: BODY,
      d: REDACTED,
      dp: REDACTED,
    },
  );
  isShown(
    { auths: { 'r.io': { auth: btoa(`bob:${BODY}`) } } },
    { auths: { 'r.io': { auth: REDACTED } } },
  );
  isShown(
    { kind: 'Secret', metadata: { name: 'a' }, data: { ca: 'QUJD', n: 1 } },
    {
      kind: 'Secret',
      metadata: { name: 'a' },
      data: { ca: REDACTED, n: 1 },
    },
  );
});

test.each([
  'vendorG_external_id',
  'openai_key',
  'anthropicKey',
  'storageAccountKey',
  'authorization_header',
  'authorizationHeader',
  'discordToken',
  'db_creds',
  'google_credentials_json',
])('redacts the key %s', (name) => {
  isShown({ [name]: BODY }, { [name]: REDACTED });
});

test.each([
  'next=https%3A%2F%2Fh%3A8080%2Fa%3Ab%40c',
  'mail=a%40example.com&at=10%3A30',
  'https://h/?u=https%3A%2F%2Fh%2F%3Fcode%3D404%26key%3Dname',
  'the password for the wifi is on the fridge',
  'the api key for that is required',
  'echo "$PASS" | docker login --password-stdin',
  `cache_key_${HEX}${HEX}`,
  `test_${HEX}`,
  `${HEX}.json`,
  'rpa_process_automation_workflow_step_2',
  'getSecret("prod/db1") and password("Password")',
  'defineSecret("STRIPE_KEY_2")',
  'requests.get(u, auth=(user, password))',
  'https://service-account-01-prod:[REDACTED]@h',
  'auth: AuthenticationRequired',
  'auth = "authenticated1234"',
  'API-ALL-CAPITALS-AND-SHORT',
])('keeps %s', (text) => {
  expect(redact(text)).toBe(text);
});

test.each([
  [{ kty: 'EC', x: BODY, y: BODY, crv: 'P-256' }],
  [{ d: BODY, p: BODY, k: BODY }],
  [{ kind: 'ConfigMap', data: { a: 'b' } }],
  [{ auth: 'required', external_id: BODY }],
  [[`MIIE${BODY}`, 'QUJD']],
])('keeps %j', (value) => {
  expect(redact(value)).toBe(value);
});

test.each([
  '%3A%2F%2F',
  '%3A%2F%2Fa%3A',
  '%26sig%3D',
  '&amp;key=a1',
  'password for a b c d ',
  '-----BEGIN%20PRIVATE%20',
  'echo x | --password-stdin ',
  'hooks.slack.com%2Fservices%2F',
  'auth: QUJDREVGR0hJ',
  '1/1234567890:',
])('redacts a megabyte of %s in linear time', (seed) => {
  const once = redact(seed.repeat(Math.ceil(1_000_000 / seed.length)));
  expect(redact(once)).toBe(once);
});

test.each([`${'\t'.repeat(500_000)}!`, `Abc: x${' '.repeat(500_000)}\n!`, ' >|'.repeat(200_000)])(
  'scans a line of a megabyte behind a key header once',
  (line) => {
    const list = ['-----BEGIN RSA PRIVATE KEY-----', line, 'QUJDREVGR0hJ', line];
    expect(redact(list)).toHaveLength(4);
  },
);
