// Credentials are redacted behind an escape sequence, in words of a command, and beside a name in unusual quotes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { redact } from './redact.ts';
import { REDACTED } from './rule.ts';

const BODY = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6';
const KEY = `sk-${'proj'}-${BODY}`;
const OURS = `gw${'k'}_${BODY}`;
const JWT = `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJzdWIiOiJ4In0.${BODY}`;
const BASIC = Buffer.from('bob:Hunter2x').toString('base64');

const ESCAPES = ['\\n', '\\t', '\\r\\n', '\\"', '\\u003d', '\\u001b[32m', '\\x3d', '%20', '%3D'];

test.each([...ESCAPES, '\u001b[32m', '\u001b[1;31m'])('redacts behind %j', (end) => {
  for (const [secret, shown] of [
    [KEY, '[REDACTED_API_KEY]'],
    [OURS, '[REDACTED_GW_API_KEY]'],
    [JWT, '[REDACTED_JWT]'],
    [`Bearer ${BODY}`, `Bearer ${REDACTED}`],
    [`Basic ${BASIC}`, `Basic ${REDACTED}`],
    [`Cookie: sid=${BODY}`, `Cookie: ${REDACTED}`],
  ] as const) {
    // An event stream is not JSON as a whole.
    const text = `data: {"delta":"see${end}${secret}\\n"}\n\ndata: [DONE]`;
    expect(redact(text)).toBe(text.replace(secret, shown));
    expect(redact(redact(text))).toBe(redact(text));
  }
});

test.each([`task${'sk'}-x`, `a\\\\nb`, 'C:\\new\\token\\readme', `base64,QUJD${'gh'}p_${BODY}`])(
  'keeps %j',
  (text) => {
    expect(redact(text)).toBe(text);
  },
);

test.each([
  [
    ['--password', 'correct horse 1', '-v'],
    ['--password', REDACTED, '-v'],
  ],
  [
    ['npx', '-y', 'server', '--api-key', BODY, 'a b'],
    ['npx', '-y', 'server', '--api-key', REDACTED, 'a b'],
  ],
  [
    ['curl', '-H', 'Cookie: a=b', '--token', 'abc', 'z'],
    ['curl', '-H', `Cookie: ${REDACTED}`, '--token', REDACTED, 'z'],
  ],
  [
    ['curl', '-u', 'bob:Hunter2x', 'https://x'],
    ['curl', '-u', `bob:${REDACTED}`, 'https://x'],
  ],
  [
    ['mysql', '-u', 'root', '-pHunter2x', 'shop'],
    ['mysql', '-u', 'root', `-p${REDACTED}`, 'shop'],
  ],
])('redacts words of the command %j', (words, shown) => {
  expect(redact({ args: words })).toEqual({ args: shown });
  expect(redact({ args: shown })).toEqual({ args: shown });
});

test.each([
  [['--max-tokens', '512', '--verbose']],
  [['-p', '8080:80', '--name', 'token']],
  [['--token', '--verbose']],
  [['--token-file', '/etc/token']],
  [['- a', '-- b', 'password']],
  [['--token', 7, 'x']],
])('keeps the words %j', (words) => {
  expect(redact(words)).toBe(words);
});

test.each([
  ['- name: DB_PASSWORD\n  value: Hunter2x\n', '- name: DB_PASSWORD\n  value: [REDACTED]\n'],
  ['name: DB_PASSWORD\n  value: "Hunter 2x"', 'name: DB_PASSWORD\n  value: "[REDACTED]"'],
  ["{'password': b'Hunter2x', 'x': 1}", "{'password': b'[REDACTED]', 'x': 1}"],
  ["CREATE LOGIN x WITH PASSWORD = N'Hunter2x'", "CREATE LOGIN x WITH PASSWORD = N'[REDACTED]'"],
  ["SET PASSWORD FOR x = PASSWORD('Hunter2x')", "SET PASSWORD FOR x = PASSWORD('[REDACTED]')"],
  ['<w:Password Type="a">Hunter2x</w:Password>', '<w:Password Type="a">[REDACTED]</w:Password>'],
  ['password: \u001b[1mHunter2x\u001b[0m', 'password: \u001b[1m[REDACTED]\u001b[0m'],
  ['password := "Hunter2x"', 'password := "[REDACTED]"'],
  ['const dbPassword: string = "Hunter2x";', 'const dbPassword: string = "[REDACTED]";'],
  ["api_key: Optional[str] = 'abc def'", "api_key: Optional[str] = '[REDACTED]'"],
  ['<password>\n  Hunter]2x\n</password>', '<password>\n  [REDACTED]\n</password>'],
  [
    '<property name="db.password">Hunter2x</property>',
    '<property name="db.password">[REDACTED]</property>',
  ],
  ['tool --client_secret Hunter2x', 'tool --client_secret [REDACTED]'],
  ['redis-cli -h x -a Hunter2x', 'redis-cli -h x -a [REDACTED]'],
  ['cd x\\nmysql -u root -pHunter2x', 'cd x\\nmysql -u root -p[REDACTED]'],
  ['mongosh -u a -p Hunter2x h', 'mongosh -u a -p [REDACTED] h'],
  ['ldapsearch -x -D cn=a -w Hunter2x', 'ldapsearch -x -D cn=a -w [REDACTED]'],
  ['htpasswd -cb f bob Hunter2x', 'htpasswd -cb f bob [REDACTED]'],
  ["echo 'bob:Hunter2x' | sudo chpasswd", "echo 'bob:[REDACTED]' | sudo chpasswd"],
  [
    'kubectl create secret generic s --from-literal=k=Hunter2x',
    'kubectl create secret generic s --from-literal=k=[REDACTED]',
  ],
])('redacts %j', (text, shown) => {
  expect(redact(text)).toBe(shown);
  expect(redact(shown)).toBe(shown);
});

test.each([
  'kubectl create configmap c --from-literal=env=production',
  'use the field\n  value: 12',
  '<label for="a">Password</label>',
  '<string name="password">Password</string>',
  '<a href="/reset-password">Step 2</a>',
  'password: string = makePassword("x", 1)',
  'function login(user: string, password: string, mode = "strict") {',
  'tool --max_tokens 512 --pad_token x1',
  "label = password('Your password')",
  '// signed with an old secret\n  value: known',
  'vcr_cassettes_for_integration_tests_2024',
  'vca_get_device_state_of_all_channels',
  'https://cdn.example/tk-us-marketing-landing-page-2024',
  'n8n_api_client_version_2_0_0_release',
  'mlsn.config.default.settings.v2.first',
  'singularity exec --pwd /work/a image',
])('keeps %j', (text) => {
  expect(redact(text)).toBe(text);
});

const HEX = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';

test.each([
  `csk-${HEX}${HEX}`,
  `vc${'p'}_${BODY}`,
  `dt0c01.${BODY.slice(0, 24).toUpperCase()}.${HEX}${HEX}`,
  `pat${BODY.slice(0, 14)}.${HEX}${HEX}`,
  `pul-${HEX}${HEX.slice(0, 8)}`,
  `sgp_${HEX.slice(0, 16)}_${HEX}${HEX.slice(0, 8)}`,
  `snyk_sat.${HEX}.${BODY}`,
  `re_${BODY.slice(0, 8)}_${BODY.slice(0, 24)}`,
  `access-production-${HEX.slice(0, 8)}-${HEX.slice(0, 4)}-4a4a-8b8b-${HEX.slice(0, 12)}`,
  `glagent-${BODY}`,
  `xkeysib-${HEX}${HEX}-${BODY.slice(0, 16)}`,
  `${BODY}${BODY.slice(0, 20)}JQQJ99BAAC${BODY.slice(0, 20)}`,
  `A3-ABC123-ABCDEF12345-ABC12-ABC12-ABC12`,
  `CCIPAT_${BODY}_${HEX}`,
  `CFUT_`.toLowerCase() + BODY,
  `n8n_${'api'}_${HEX}${HEX.slice(0, 8)}`,
  `ml${'sn'}.${HEX}${HEX}`,
  `tk-${'us'}-${BODY}-${BODY.slice(0, 9)}`,
])('redacts %s', (secret) => {
  for (const text of [secret, `x=${secret};`, `\\n${secret}`, `"${secret}"`]) {
    expect(redact(text)).toBe(text.replace(secret, '[REDACTED_API_KEY]'));
  }
});

test('redacts password fields of a form, and keeps a choice between types', () => {
  const shown = [
    { label: 'Password', value: REDACTED },
    { type: 'password', value: REDACTED },
  ];
  const sent = shown.map((field) => ({ ...field, value: 'Hunter2x' }));
  expect(redact(sent)).toEqual(shown);
  const choices = [{ label: 'API key', value: 'api_key' }];
  expect(redact(choices)).toBe(choices);
});

test.each(['Passwort', 'ci_job_token', 'client_assertion', 'SAMLResponse', 'seed_phrase'])(
  'redacts below %s',
  (key) => {
    expect(redact({ [key]: BODY })).toEqual({ [key]: REDACTED });
  },
);

test('redacts an escaped name in nested JSON, whatever names were parsed before', () => {
  // V8 would misread later keys as this key.
  redact(String.raw`{"a":1,"\\":2}`);
  for (const [text, shown] of [
    [String.raw`{"a":1,"\u0070assword":"Hunter2x"}`, `{"a":1,"password":"${REDACTED}"}`],
    [String.raw`{"a":1,"\n":"${OURS}"}`, String.raw`{"a":1,"\n":"[REDACTED_GW_API_KEY]"}`],
    [
      String.raw`{"a":1,"\"":["${OURS}",12345678901234567890]}`,
      String.raw`{"a":1,"\"":["[REDACTED_GW_API_KEY]",12345678901234567890]}`,
    ],
  ] as const) {
    expect(redact(text)).toBe(shown);
  }
});

test('redacts words of any command idempotently', () => {
  const word = fc.constantFrom(
    ...['-p', '--password', '--token', '-u', 'bob:Hunter2x', 'Hunter2x', 'curl', 'mysql', '-H'],
    ...['-pHunter2x', 'Cookie: a=b', 'Authorization: Digest u=1', 'password is', 'two words 1'],
    ...['-----BEGIN RSA PRIVATE KEY-----', REDACTED, KEY, JWT, '=', '"', 'value:', '\u001b[1m'],
    ...['redis-cli', '-a', 'create secret', '--from-literal=k=V1', 'htpasswd', '-b', ':=', 'x: y'],
  );
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
      for (const value of [words, words.join(' '), words.join('\n'), JSON.stringify(words)]) {
        const once = redact(value);
        expect(redact(once)).toEqual(once);
      }
    }),
    {
      numRuns: propertyRuns(2_000),
      examples: [
        [
          [
            'mysql',
            'two words 1',
            '--token',
            '--token',
            'Authorization: Digest u=1',
            'curl',
            '-pHunter2x',
          ],
        ],
      ],
    },
  );
});

test('keeps instructions of a program that resemble a wallet phrase', () => {
  const instruction = { mnemonic: 'mov eax, ebx' };
  expect(redact(instruction)).toBe(instruction);
  const words = 'army van defense carry jealous true garbage claim echo media make crunch';
  expect(redact({ mnemonic: words })).toEqual({ mnemonic: REDACTED });
  expect(redact('tool --pwd Hunter2x')).toBe('tool --pwd [REDACTED]');
});
