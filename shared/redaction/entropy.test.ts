// Context identifies these credentials: random letters behind a generic name, below `credentials`, beside an id, or
// after a variable assignment. Prose and code with similar text remain.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { isRandom } from './entropy.ts';
import { redact } from './redact.ts';

const S = 'Zq8vT3nLw0PxR7mK2bYc';
const HEX = '0123456789abcdef0123456789abcdef';
const AKIA = `AKIA${'ABCDEFGH12345678'}`;
const HALF = `${S}9Xw4/Qe+7hGt1KzM5sJd`;

test.each([
  [`token: ${S}`, 'token: [REDACTED]'],
  [`Token=${S}`, 'Token=[REDACTED]'],
  [`**Token:** \`${S}\``, '**Token:** `[REDACTED]`'],
  [`your token is ${S}, keep it`, 'your token is [REDACTED], keep it'],
  [`curl -H "token: ${S}" h`, 'curl -H "token: [REDACTED]" h'],
  [`const token = "${S}";`, 'const token = "[REDACTED]";'],
  [`token: ${HEX}`, 'token: [REDACTED]'],
  [`here is the key: ${S}9Xw4`, 'here is the key: [REDACTED]'],
  [`the key is ${S}9Xw4.`, 'the key is [REDACTED].'],
  [`${AKIA},${HALF}`, '[REDACTED_API_KEY],[REDACTED]'],
  [`${AKIA} ${HALF}\n`, '[REDACTED_API_KEY] [REDACTED]\n'],
  [`"${AKIA}"\n"${HALF}"`, '"[REDACTED_API_KEY]"\n"[REDACTED]"'],
  [`AC${HEX}:${HEX}`, '[REDACTED_API_KEY]:[REDACTED]'],
  ['setx API_KEY hunter', 'setx API_KEY [REDACTED]'],
  ['SETX DB_PASSWORD "hunter two" /M', 'SETX DB_PASSWORD "[REDACTED]" /M'],
  ['setx /m DB_PASSWORD hunter /m', 'setx /m DB_PASSWORD [REDACTED] /m'],
  ['setenv DB_PASSWORD hunter; ls', 'setenv DB_PASSWORD [REDACTED]; ls'],
  ['set -gx GITHUB_TOKEN hunter', 'set -gx GITHUB_TOKEN [REDACTED]'],
  ['FROM a\nENV DB_PASSWORD hunter\nRUN b', 'FROM a\nENV DB_PASSWORD [REDACTED]\nRUN b'],
  [
    'aws configure set aws_secret_access_key hunter2x',
    'aws configure set aws_secret_access_key [REDACTED]',
  ],
  [`X-Token: ${S}`, 'X-Token: [REDACTED]'],
  [`token => ${S}`, 'token => [REDACTED]'],
  [`token ${S}, please`, 'token [REDACTED], please'],
  [`my token (${S})`, 'my token ([REDACTED])'],
  [`| token | ${S} |`, '| token | [REDACTED] |'],
  [`PAT: ${S}`, 'PAT: [REDACTED]'],
  [`credentials: ${S}`, 'credentials: [REDACTED]'],
  ['sqlcmd -S h -U sa -P hunter', 'sqlcmd -S h -U sa -P [REDACTED]'],
  ['mosquitto_pub -u a -P hunter', 'mosquitto_pub -u a -P [REDACTED]'],
  ['ssh-keygen -t rsa -N hunter', 'ssh-keygen -t rsa -N [REDACTED]'],
  ['twine upload -u a -p hunter2x x', 'twine upload -u a -p [REDACTED] x'],
  [
    'keytool -storepass hunter -keypass hunter',
    'keytool -storepass [REDACTED] -keypass [REDACTED]',
  ],
  ['influx -password hunter2x', 'influx -password [REDACTED]'],
  [`nomad -token ${S} x`, 'nomad -token [REDACTED] x'],
  ["echo 'hunter' | sudo -S ls", "echo '[REDACTED]' | sudo -S ls"],
  [
    'vault kv put secret/a first=hunter second=b',
    'vault kv put secret/a first=[REDACTED] second=[REDACTED]',
  ],
  [`cargo login ${S}`, 'cargo login [REDACTED]'],
  ['openssl enc -aes-256-cbc -k hunter -in a', 'openssl enc -aes-256-cbc -k [REDACTED] -in a'],
  [
    `openssl enc -d -aes-128-cbc -K ${HEX} -iv 0`,
    'openssl enc -d -aes-128-cbc -K [REDACTED] -iv 0',
  ],
  ['openssl dgst -sha256 -hmac hunter a', 'openssl dgst -sha256 -hmac [REDACTED] a'],
  ['os.environ["API_KEY"] = "hunter"', 'os.environ["API_KEY"] = "[REDACTED]"'],
  ["config['password'] = 'hunter'", "config['password'] = '[REDACTED]'"],
])('redacts %s', (text, shown) => {
  expect(redact(text)).toBe(shown);
  expect(redact(shown)).toBe(shown);
});

test.each([
  'a valid token: abc123def456',
  `next page token: ${S}`,
  `"nextToken": "${S}"`,
  `{"token": "${S}", cut`,
  'token: AuthenticationTokenProviderFactory2',
  'const token = await getAccessTokenForUserV2Async3()',
  'token: 0x6B175474E89094C44Da98b954EedeAC495271d0F',
  'token: 01234567-89ab-cdef-0123-456789abcdef',
  'tokens: 128000, token: <|endoftext|>',
  'the token is expired and must be renewed',
  `cache key: ${S}9Xw4`,
  'key: uploads/2024/01/IMG_20240102_120000.jpg',
  'key: getUserById2FromCacheV3OrDb4',
  'primary key: 507f1f77bcf86cd799439011',
  'public key: MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE',
  'key: AAAAC3NzaC1lZDI1NTE5AAAAIJl3dIeudNqd0Dhwv1Ml1VbX',
  `sha512-${S}${S}${S}${S}aaaaaa==`,
  'Use setx API_KEY to set the key, then restart.',
  'setx PATH "%PATH%;C:\\x1"',
  'setx MAX_TOKENS 100',
  'setx API_KEY %OTHER%',
  'setenv SSH_KEY /home/a/.ssh/id1',
  'set the ENV API_KEY before running',
  'ENV NODE_VERSION 20.1',
  'set -x\nexport A',
  'use `config set api_key` to change it',
  'git config set user.name Ann',
  'openssl enc with the -k option',
  `page-token: ${S}`,
  'token AuthenticationTokenProviderFactory2 is a class',
  'ssh-keygen -N "" -f id1',
  'ssh-keygen -P $PASSPHRASE',
  'echo done | sudo tee a1',
  'twine upload -p $TWINE_PASSWORD',
  'a pre-token bucket; a non -token value',
  'keytool -storepass $PASS',
  'vault kv put secret/a @data.json',
  'pat: 12 of 15',
  'openssl rand -hex 32',
  'openssl s_client -connect a:443 -k1',
  `commit ${HEX}01234567`,
  'AKIA begins it; 40 letters follow',
  'config["mode"] = "dark"',
  "store[privateKey] = 'private value'",
])('keeps %s', (text) => {
  expect(redact(text)).toBe(text);
});

test('redacts all members of a credentials object', () => {
  const redactBelow = (credentials: unknown) =>
    (redact({ credentials }) as { credentials: unknown }).credentials;
  expect(
    redactBelow({
      user: 'ann@example.com',
      type: 'basic',
      key: 'abc123def',
      token: 'hunter2x',
      value: 'high',
      count: 5,
      expires: '2026-01-01T00:00:00Z',
      deeper: [{ of: S }],
    }),
  ).toEqual({
    user: 'ann@example.com',
    type: 'basic',
    key: '[REDACTED]',
    token: '[REDACTED]',
    value: 'high',
    count: 5,
    expires: '2026-01-01T00:00:00Z',
    deeper: [{ of: '[REDACTED]' }],
  });
  const fine = [
    ['aws', 'gcp'],
    [{ id: '507f1f77bcf86cd799439011', type: 'public-key' }],
    'same-origin',
    { token: 5, key: null },
  ];
  for (const value of fine) expect(redactBelow(value)).toBe(value);
  // A category of a guardrail finding.
  const found = { block: { credentials: ['api_key'] }, secrets: { db: { file: './a1' } } };
  expect(redact(found)).toBe(found);
  const hostile = JSON.parse(`{"credentials":{"__proto__":{"token":"hunter2x"},"a":1}}`);
  expect(JSON.stringify(redact(hostile))).toBe(
    '{"credentials":{"__proto__":{"token":"[REDACTED]"},"a":1}}',
  );
});

test.each([
  ['Zq8vT3nLw0PxR7mK2bYc', true],
  ['getUserById2FromCacheV3OrDb4', false],
  ['SecuritySchemeOauth2AccessCode', false],
  ['MAX_RETRY_COUNT_2_PER_HOUR_a', false],
  ['0123456789abcdef0123456789abcdef', false],
  ['IMG_20240102_120000_Burst01', false],
  ['Zq8vT3nLw0PxR7mK2bY', false],
])('classifies %s as random: %s', (text, random) => {
  expect(isRandom(text)).toBe(random);
});

const fragment = fc.constantFrom(
  ...[
    'token',
    'Token',
    'key',
    'KEY',
    'page token',
    'setx ',
    'ENV ',
    'set -x ',
    'openssl enc ',
    '-k ',
  ],
  ...[
    'API_KEY',
    'DB_PASSWORD ',
    'config set ',
    'gh secret set ',
    '--value ',
    '-b ',
    'setenv ',
    '/m',
  ],
  ...[': ', '=', ' is ', ' ', '\n', '"', "'", '`', '**', ',', ';', ']', '["', '"] = "', '\\'],
  ...[
    S,
    HEX,
    AKIA,
    HALF,
    `AC${HEX}`,
    'hunter',
    'a1b2c3',
    '[REDACTED]',
    '[REDACTED_API_KEY]',
    'AAAA',
  ],
);

test('redacts combined texts idempotently', () => {
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 14 }), (parts) => {
      const once = redact(parts.join(''));
      expect(redact(once)).toBe(once);
      const redacted = redact({ credentials: { token: parts.join(''), a: [parts.join('')] } });
      expect(redact(redacted)).toEqual(redacted);
    }),
    { numRuns: propertyRuns(5_000) },
  );
});
