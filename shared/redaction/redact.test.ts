// Redacted and kept text is listed by example and for any text. Secrets are concatenated in this file to avoid reports
// of repository scanners.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { makeSecret, SECRET_PREFIXES, type SecretKind } from '../secrets.ts';
import { foldKey } from './fold-key.ts';
import { CREDENTIAL_KEYS } from './key-names.ts';
import { redact, redactLlmExtraData } from './redact.ts';
import { REDACTED } from './rule.ts';

const BODY = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6';
const HEX = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';
const SK = `sk-${'proj-'}${BODY}`;
const AWS = `AKIA${'IOSFODNN7'}EXAMPLE`;
const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTYifQ', 'c2lnbmF0dXJlLWhlcmU'].join('.');
const PEM_BEGIN = `-----BEGIN RSA PRIVATE${' '}KEY-----`;
const PEM_END = `-----END RSA PRIVATE${' '}KEY-----`;

test.each([
  [`key ${SK}, please`, 'key [REDACTED_API_KEY], please'],
  [AWS, '[REDACTED_API_KEY]'],
  [`X${AWS}X`, `X${AWS}X`],
  [`AIza${BODY}abc`, '[REDACTED_API_KEY]'],
  [`ghp_${BODY}`, '[REDACTED_API_KEY]'],
  [`github_pat_${BODY}`, '[REDACTED_API_KEY]'],
  [`xoxb-${'123456789012-abcdef'}`, '[REDACTED_API_KEY]'],
  [`sk_${'live'}_${BODY}`, '[REDACTED_API_KEY]'],
  [`glpat-${BODY}`, '[REDACTED_API_KEY]'],
  [JWT, '[REDACTED_JWT]'],
  [`bearer ${JWT}`, 'Bearer [REDACTED]'],
  ['Bearer abc123def', 'Bearer [REDACTED]'],
  ['Bearer authentication is on', 'Bearer authentication is on'],
  [`Basic ${btoa('user:pass')}`, 'Basic [REDACTED]'],
  ['Basic authentication', 'Basic authentication'],
  ['postgres://svc:hunter2@db/x', 'postgres://svc:[REDACTED]@db/x'],
  ['redis://:p@ss@host:6379', 'redis://:[REDACTED]@host:6379'],
  ['http://host:8080/?mail=a@b.example', 'http://host:8080/?mail=a@b.example'],
  ['GET /v1?api_key=abc&x=1', 'GET /v1?api_key=[REDACTED]&x=1'],
  [
    'https://x.example/blob?sv=1&sig=abc%3D&se=2',
    'https://x.example/blob?sv=1&sig=[REDACTED]&se=2',
  ],
  ['curl -H "X-Api-Key: abc123def"', 'curl -H "X-Api-Key: [REDACTED]"'],
  ['cut {"password": "hunter2", "a', 'cut {"password": "[REDACTED]", "a'],
  ['cut {\\"api_key\\":\\"abc\\"', 'cut {\\"api_key\\":\\"[REDACTED]\\"'],
  ['Authorization: Bearer plain-word', 'Authorization: Bearer [REDACTED]'],
  ['Authorization: ApiKey plain-word, x', 'Authorization: ApiKey [REDACTED], x'],
  ['Bearer super-secret-word', 'Bearer [REDACTED]'],
  ['Set-Cookie: sid=plain; Path=/\nnext', 'Set-Cookie: [REDACTED]\nnext'],
  ['the cookie: none = fine', 'the cookie: none = fine'],
  ['client_secret: "abc123def"', 'client_secret: "[REDACTED]"'],
  ['Password = hunter2secret', 'Password = [REDACTED]'],
  ['x-api-key: only-letters-here', 'x-api-key: [REDACTED]'],
  ['Ocp-Apim-Subscription-Key: 0123abcd', 'Ocp-Apim-Subscription-Key: [REDACTED]'],
  ['AccessKey=abc;x', 'AccessKey=[REDACTED];x'],
  ['Your password: see the wiki', 'Your password: see the wiki'],
  [`a ${PEM_BEGIN}\nMIIE\n${PEM_END} b`, 'a [REDACTED_PRIVATE_KEY] b'],
  [`a ${PEM_BEGIN}\nMIIE`, 'a [REDACTED_PRIVATE_KEY]'],
  // Vendor formats.
  ...[
    ['ABSK', BODY + BODY],
    ['LTAI', BODY.slice(0, 20)],
    ['AKID', BODY],
    ['1//0', BODY],
    ['AQ.', BODY],
    ['hvs.', BODY],
    ['dapi', HEX],
    ['SK', HEX],
    ['key-', HEX],
    ['sk_', HEX + HEX],
    ['dckr_pat_', BODY],
    ['ATATT3', BODY],
    ['ATBB', BODY],
    ['nvapi-', BODY],
    ['pcsk_', BODY],
    ['glsa_', `${BODY}_0a1b2c3d`],
    ['lsv2_pt_', `${HEX}_0a1b2c3d4e`],
    ['lin_api_', BODY],
    ['ntn_', BODY + BODY],
    ['sb_secret_', BODY],
    ['doo_v1_', HEX + HEX],
    ['pscale_tkn_', BODY],
    ['dp.pt.', BODY],
    ['AGE-SECRET-KEY-1', BODY.toUpperCase() + BODY.toUpperCase()],
    ['123456789:AA', BODY],
  ].map(([prefix, rest]) => [`a ${prefix}${rest}, b`, 'a [REDACTED_API_KEY], b']),
  [`${HEX}-${'us12'}`, '[REDACTED_API_KEY]'],
  [`abc8${'Q~'}${BODY}`, 'abc[REDACTED_API_KEY]'],
  [`https://hooks.slack.com/services/T0/B0/${BODY}`, 'https://[REDACTED_WEBHOOK_URL]'],
  [`https://discord.com/api/webhooks/12345/${BODY}`, 'https://[REDACTED_WEBHOOK_URL]'],
  [`eyJhbGciOiJkaXIifQ..${BODY}.${BODY}.${BODY}`, '[REDACTED_JWT]'],
  [`Private-Lines: 1\n${BODY}\nPrivate-MAC: 0`, '[REDACTED_PRIVATE_KEY]-MAC: 0'],
  // Credentials after a name.
  [`Authorization: ${BODY}`, 'Authorization: [REDACTED]'],
  ['Authorization: Negotiate YII', 'Authorization: Negotiate [REDACTED]'],
  ['Authorization: Digest username="u", response="5"', 'Authorization: Digest [REDACTED]'],
  [
    'Authorization: AWS4-HMAC-SHA256 Signature=5\nx',
    'Authorization: AWS4-HMAC-SHA256 [REDACTED]\nx',
  ],
  ['JWT_SECRET=hunter2', 'JWT_SECRET=[REDACTED]'],
  ['Uid=sa;Pwd=hunter2;', 'Uid=sa;Pwd=[REDACTED];'],
  ['PWD=/root OLDPWD=/tmp', 'PWD=/root OLDPWD=/tmp'],
  ['mysql --password hunter2 -h db', 'mysql --password [REDACTED] -h db'],
  ['tool --max-tokens 500', 'tool --max-tokens 500'],
  ['curl -u alice:hunter2 x', 'curl -u alice:[REDACTED] x'],
  ['docker run -u 1000:1000 x', 'docker run -u 1000:1000 x'],
  ['machine h login u password hunter2', 'machine h login u password [REDACTED]'],
  [`https://h/?X-Amz-Signature=${HEX}&x=1`, 'https://h/?X-Amz-Signature=[REDACTED]&x=1'],
  [`https://h/?token=${BODY}`, 'https://h/?token=[REDACTED]'],
  ['https://h/?key=name&token=next', 'https://h/?key=name&token=next'],
  [`https://${BODY}@h/x`, 'https://[REDACTED]@h/x'],
  [`Basic ${Buffer.from('ålice:hunter2').toString('base64')}`, 'Basic [REDACTED]'],
  ['class sk-toggleable__label-arrow', 'class sk-toggleable__label-arrow'],
  ['max_tokens=5; token_type=Bearer', 'max_tokens=5; token_type=Bearer'],
  ['3f2504e0-4f89-41d3-9a0c-0305e82c3301', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
  // Quoted values.
  ['password="correct horse battery"; x', 'password="[REDACTED]"; x'],
  [`password: 'it"s horse'`, `password: '[REDACTED]'`],
  ['"password":"a\\"b", "c', '"password":"[REDACTED]", "c'],
  ["password => 'hunter2'", "password => '[REDACTED]'"],
  ['cut {"user":"a","pass":"hunter2"', 'cut {"user":"a","pass":"[REDACTED]"'],
  // Markup, SQL, prose, and names beside values.
  ['<password>hunter2</password>', '<password>[REDACTED]</password>'],
  ['<add key="ApiKey" value="abc"/>', '<add key="ApiKey" value="[REDACTED]"/>'],
  ['cut {"name":"DB_PASSWORD","value":"x"', 'cut {"name":"DB_PASSWORD","value":"[REDACTED]"'],
  ["ALTER USER x IDENTIFIED BY 'hunter2'", "ALTER USER x IDENTIFIED BY '[REDACTED]'"],
  ["CREATE ROLE a PASSWORD 'hunter2'", "CREATE ROLE a PASSWORD '[REDACTED]'"],
  ['my password is hunter2, ok', 'my password is [REDACTED], ok'],
  ['Passwort: hunter2', 'Passwort: [REDACTED]'],
  // Environments and command lines.
  ['DISCORD_TOKEN=hunter2', 'DISCORD_TOKEN=[REDACTED]'],
  ['client_secret=my-client-secret', 'client_secret=[REDACTED]'],
  ['smtp_pass=hunter2 password1=hunter2', 'smtp_pass=[REDACTED] password1=[REDACTED]'],
  ['SECRET_KEY_BASE=hunter2', 'SECRET_KEY_BASE=[REDACTED]'],
  ['password%3Dhunter2', 'password%3D[REDACTED]'],
  ['tool --token=hunter2', 'tool --token=[REDACTED]'],
  ['password=hunter2(x', 'password=[REDACTED]'],
  ['sshpass -p hunter2 ssh h', 'sshpass -p [REDACTED] ssh h'],
  ['mysql -u root -phunter2 db', 'mysql -u root -p[REDACTED] db'],
  ['login u password hunter2', 'login u password [REDACTED]'],
  // Headers of other schemes, an authorization code, a token without a signature.
  ['Authorization: SSWS 00abcdefgh1', 'Authorization: SSWS [REDACTED]'],
  ['Authorization: hunter2pass', 'Authorization: [REDACTED]'],
  ['DD-APPLICATION-KEY: abc123', 'DD-APPLICATION-KEY: [REDACTED]'],
  [`https://h/cb?code=${BODY}&state=x`, 'https://h/cb?code=[REDACTED]&state=x'],
  [JWT.replace(/[^.]+$/, ''), '[REDACTED_JWT]'],
  [
    `---- BEGIN SSH2 PRIVATE${' '}KEY ----\nx\n---- END SSH2 PRIVATE${' '}KEY ----`,
    '[REDACTED_PRIVATE_KEY]',
  ],
])('redacts %s', (before, after) => {
  expect(redact(before)).toBe(after);
});

// Texts that are no value, and prose.
test.each([
  'api_key=os.environ["OPENAI_API_KEY"]',
  'client = OpenAI(api_key=os.getenv("OPENAI_API_KEY"))',
  'const apiKey = process.env.OPENAI_API_KEY;',
  'def login(user, password=None, secret=null):',
  'has_password=true',
  `api_key=$\{API_KEY} password=$DB_PASSWORD`,
  `password=$\{{ secrets.DB_PASSWORD }}`,
  'password: {{ vault_password }}',
  'WHERE password=%s AND secret=?',
  'export OPENAI_API_KEY=your-api-key-here',
  'curl -H "Authorization: Bearer $OPENAI_API_KEY" --token $TOKEN -u me:$PASS',
  'password = getpass.getpass("Password: ")',
  '"password": "********", "api_key": "YOUR_API_KEY"',
  'the login page password reset',
  'const aliceSecret = alice.computeSecret(bobKey);',
  'password = entry.getPassword(); api_key=load_api_key(1)',
  'node app.js | send -u http://localhost:8080/logs',
  'env: "PWD": "/home/ann", OLDPWD="/tmp", cut {"PWD":"~/x',
  'The password is at least 12 characters, and SHA256-hashed.',
  'the password is required; the api key is v2-compatible',
  'BOS_TOKEN=<s> MAX_TOKEN=4096 NEXT_TOKEN=abc123',
  'aws s3 ls --next-token=abc --max-token 5',
  'mysql -h db -P 3306; mkdir -p a/b1',
  '<label for="password">Password</label>',
  '"required": ["password", "value1"]',
  'Authorization: see the wiki',
  'Module.submodule.somethingVeryLongThatIsCalledHere',
])('keeps %s', (text) => {
  expect(redact(text)).toBe(text);
});

const PLACEHOLDERS: Record<SecretKind, string> = {
  gatewayApp: '[REDACTED_GW_API_KEY]',
  logExport: '[REDACTED_LOG_EXPORT_KEY]',
  management: '[REDACTED_MANAGEMENT_KEY]',
  gatewayOAuth: '[REDACTED_MCP_TOKEN]',
  directApi: '[REDACTED_MCP_TOKEN]',
  agent: '[REDACTED_AGENT_TOKEN]',
  node: '[REDACTED_NODE_TOKEN]',
  scim: '[REDACTED_SCIM_TOKEN]',
};
test.each(Object.keys(SECRET_PREFIXES) as SecretKind[])(
  "redacts Gatewarden's own secrets: %s",
  (kind) => {
    expect(redact(`see ${makeSecret(kind)}.`)).toBe(`see ${PLACEHOLDERS[kind]}.`);
  },
);

describe('credential keys', () => {
  it.each(['headers', 'Request-Headers', 'responseHeaders', 'HTTP_HEADERS'])(
    'redacts the whole object %s',
    (key) => {
      expect(redact({ [key]: { authorization: 'x' } })).toEqual({ [key]: '[REDACTED_HEADERS]' });
    },
  );
  it.each([
    ...CREDENTIAL_KEYS,
    'X-Api-Key',
    'openaiApiKey',
    'vendorG_secret_key',
    'APIKey',
    'vendorG_access_key',
  ])('redacts the value of %s', (key) => {
    for (const value of ['x', 5, null, ['x'], { a: 1 }]) {
      expect(redact({ [key]: value })).toEqual({ [key]: REDACTED });
    }
  });
  it.each(['token', 'tokens', 'max_tokens', 'header_count', 'subheaders', 'key', 'token_type'])(
    'keeps the value of %s',
    (key) => {
      expect(redact({ [key]: { a: 'b' } })).toEqual({ [key]: { a: 'b' } });
    },
  );
  it('redacts a secret as text, and keeps the category of that name', () => {
    for (const key of ['jwt_secret', 'clientCredentials', 'db_pwd', 'slackToken', 'webhook_url']) {
      expect(redact({ [key]: 'x' })).toEqual({ [key]: REDACTED });
      expect(redact({ [key]: ['x'] })).toEqual({ [key]: ['x'] });
    }
    expect(redact({ secret: 'x', block: { secrets: ['api'], credentials: ['pw'] } })).toEqual({
      secret: REDACTED,
      block: { secrets: ['api'], credentials: ['pw'] },
    });
  });
  it('redacts names without separators, environment variables, and values beside their name', () => {
    const named = ['PGPASSWORD', 'dbpassword', 'openaiapikey', 'password1', 'DISCORD_TOKEN'];
    for (const key of [...named, 'authkey', 'X-CSRF-Token', 'tlsKey', 'passkey', 'key_pem']) {
      expect(redact({ [key]: 'x' })).toEqual({ [key]: REDACTED });
    }
    for (const key of ['forgotpasswords', 'BOS_TOKEN', 'discord_tokens', 'season_pass']) {
      expect(redact({ [key]: 'x' })).toEqual({ [key]: 'x' });
    }
    expect(redact({ PWD: '/home/ann', pwd: 'C:\\\\ann', Pwd: 'hunter2' })).toEqual({
      PWD: '/home/ann',
      pwd: 'C:\\\\ann',
      Pwd: REDACTED,
    });
    expect(redact([{ name: 'X-Api-Key', value: 'x' }])).toEqual([
      { name: 'X-Api-Key', value: REDACTED },
    ]);
    const others = [
      { name: 'secrets', value: 'high' },
      { name: 'password', value: 5 },
      { name: 'colour', value: 'x' },
    ];
    expect(redact(others)).toEqual(others);
  });
  it('redacts names that are secrets, and keeps their values', () => {
    expect(redact({ [SK]: 1, [`${SK}x`]: 2 })).toEqual({
      '[REDACTED_API_KEY]': 1,
      '[REDACTED_API_KEY] (2)': 2,
    });
  });
  it('never changes a prototype', () => {
    const hostile = JSON.parse(`{"__proto__":{"polluted":"${SK}"},"a":"${SK}"}`);
    const after = redact(hostile) as object;
    expect(Object.getPrototypeOf(after)).toBe(Object.prototype);
    expect(JSON.stringify(after)).toContain('"__proto__":{"polluted":"[REDACTED_API_KEY]"}');
  });
  it('folds keys', () => {
    expect(['openaiApiKey', 'X-Api-Key', 'APIKey'].map(foldKey)).toEqual([
      'openai_api_key',
      'x_api_key',
      'api_key',
    ]);
  });
});

describe('JSON in strings', () => {
  it('redacts nested JSON compactly, and keeps unchanged text byte for byte', () => {
    expect(redact('{"api_key": "abc", "q": 1}')).toBe('{"api_key":"[REDACTED]","q":1}');
    expect(redact('{ "q" :  1.0 }')).toBe('{ "q" :  1.0 }');
  });
  it('redacts at several levels', () => {
    let text = JSON.stringify({ password: 'x' });
    for (let level = 0; level < 4; level++) text = JSON.stringify({ inner: text });
    expect(redact(text)).not.toContain('"x');
    let bare = JSON.stringify('x');
    for (let level = 0; level < 10; level++) bare = JSON.stringify({ password: bare });
    expect(redact(bare)).toBe('{"password":"[REDACTED]"}');
  });
  it('treats very deep JSON as text', () => {
    const text = `${'['.repeat(50_000)}"${SK}"${']'.repeat(50_000)}`;
    expect(redact(text)).toBe(text.replace(SK, '[REDACTED_API_KEY]'));
  });
});

it('removes jwt_claims of LLM rows only', () => {
  const claims = { 'JWT-Claims': { sub: 'u' }, jwtClaims: { sub: 'u' } };
  const extra = { jwt_claims: { sub: 'u', access_token: 'x' }, user_email: 'a@example.com' };
  expect(redactLlmExtraData({ ...claims, a: 1 })).toEqual({ a: 1 });
  expect(redactLlmExtraData(extra)).toEqual({ user_email: 'a@example.com' });
  expect(redact(extra)).toMatchObject({ jwt_claims: { sub: 'u', access_token: REDACTED } });
});

const fragment = fc.oneof(
  fc.constantFrom(
    ...[
      SK,
      AWS,
      JWT,
      PEM_BEGIN,
      PEM_END,
      'Bearer ',
      'Basic ',
      'password',
      'api_key',
      '=',
      ':',
      '"',
    ],
    ...['://', '@', '[REDACTED', '[REDACTED]', ']', '{', '}', '\\', ' ', 'gwk_', 'eyJ', 'sk-', '.'],
    ...[
      '=>',
      '>',
      '</',
      ' is ',
      "password '",
      ' value="',
      '%3D',
      '$A',
      '${',
      '_TOKEN',
      ' -p',
      '*** ',
    ],
    ...['&sig=', 'sig=', "'", '\n', 'xoxb-', 'AKIA', '-----', 'a1b2c3d4e5f6g7h8', btoa('a:b')],
  ),
  fc.string({ maxLength: 5 }),
);
const text = fc.array(fragment, { maxLength: 14 }).map((parts) => parts.join(''));
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    text.map((inner) => JSON.stringify({ a: inner })),
    fc.integer(),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(text, fc.constantFrom('headers', 'apiKey', 'a')), tie('any'), {
      maxKeys: 3,
    }),
  ),
})).any;

test('redacts any value idempotently', () => {
  fc.assert(
    fc.property(value, (any) => {
      const first = redact(any);
      expect(redact(first)).toEqual(first);
    }),
    { numRuns: propertyRuns(3_000) },
  );
});

test('leaves no own secret anywhere', () => {
  fc.assert(
    fc.property(text, text, fc.constantFrom('management', 'logExport', 'node'), (a, b, kind) => {
      const secret = makeSecret(kind as SecretKind);
      const shown = JSON.stringify(
        redact({
          [`${a} `]: [`${a} ${secret} ${b}`],
          inner: JSON.stringify({ a: `${secret} ${b}` }),
        }),
      );
      expect(shown).not.toContain(secret);
    }),
    { numRuns: propertyRuns(1_000) },
  );
});
