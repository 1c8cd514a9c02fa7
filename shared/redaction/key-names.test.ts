// Names introduce credentials in chats, pages, files and other languages; prose and code with similar text remain.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { redact } from './redact.ts';

const S = 'Zq8vT3nLw0PxR7mK2bYc';

test.each([
  // Values on the next lines.
  [`password:\n  ${S}`, 'password:\n  [REDACTED]'],
  [`password:\n  "${S}"\nuser: x`, 'password:\n  "[REDACTED]"\nuser: x'],
  ['Password:\n\nHunter2x', 'Password:\n\n[REDACTED]'],
  [`private_key: |\n  ${S}\n  ${S}\nnext: 5`, 'private_key: |\n  [REDACTED]\nnext: 5'],
  ['  secret: >-\r\n    correct horse\r\n  a: b', '  secret: >-\r\n    [REDACTED]\r\n  a: b'],
  // Chats and pages.
  [`**Password:** ${S}`, '**Password:** [REDACTED]'],
  [`**Password**: \`${S}\``, '**Password**: `[REDACTED]'],
  [`<b>Password:</b> ${S}<br>`, '<b>Password:</b> [REDACTED]<br>'],
  [`Password:&nbsp;${S}`, 'Password:&nbsp;[REDACTED]'],
  [`| user | a |\n| password | ${S} |`, '| user | a |\n| password | [REDACTED] |'],
  ['password → hunter2x', 'password → [REDACTED]'],
  ['password -> P@ssw0rd, ok', 'password -> [REDACTED], ok'],
  [`password => ${S}`, 'password => [REDACTED]'],
  [`password - ${S}.`, 'password - [REDACTED]'],
  [`password (${S})`, 'password ([REDACTED])'],
  [`password:: ${S}`, 'password:: [REDACTED]'],
  ["if (password == 'hunter2x')", "if (password == '[REDACTED]')"],
  ["password==='hunter2x'", "password==='[REDACTED]'"],
  [`user: admin password ${S}`, 'user: admin password [REDACTED]'],
  [`COHERE_API_KEY ${S}`, 'COHERE_API_KEY [REDACTED]'],
  ['pass: hunter2x', 'pass: [REDACTED]'],
  ['user a, pw: hunter2x!', 'user a, pw: [REDACTED]'],
  ['heroku api key: 01234567-89ab-cdef-0123-456789abcdef', 'heroku api key: [REDACTED]'],
  // Other languages.
  ['mot de passe : hunter2x', 'mot de passe : [REDACTED]'],
  ['Contraseña: hunter2x', 'Contraseña: [REDACTED]'],
  ['CONTRASEÑA=hunter2x;', 'CONTRASEÑA=[REDACTED];'],
  ['**senha:** hunter2x', '**senha:** [REDACTED]'],
  // Code and settings.
  ["define('DB_PASSWORD', 'hunter2');", "define('DB_PASSWORD', '[REDACTED]');"],
  ['headers.set("X-Api-Key", "abc123def")', 'headers.set("X-Api-Key", "[REDACTED]")'],
  ['ansible_ssh_pass=hunter', 'ansible_ssh_pass=[REDACTED]'],
  ['psk="hunter two"', 'psk="[REDACTED]"'],
  // Plain words of settings.
  ['db_password: swordfish\n', 'db_password: [REDACTED]\n'],
  ['spring:\n  password: swordfish # mine\na: b', 'spring:\n  password: [REDACTED] # mine\na: b'],
  ['username: bob\nPassword: swordfish', 'username: bob\nPassword: [REDACTED]'],
  ["curl -H 'X-API-Key: swordfish' h", "curl -H 'X-API-Key: [REDACTED]' h"],
  ['master_password         = "swordfish"', 'master_password         = "[REDACTED]"'],
  ['SSHPASS=swordfish -e PW=swordfish', 'SSHPASS=[REDACTED] -e PW=[REDACTED]'],
  ['"SecretString": "swordfish", cut', '"SecretString": "[REDACTED]", cut'],
  [`SESSION_KEY=${S}`, 'SESSION_KEY=[REDACTED]'],
  [`the private key (hex): ${S}`, 'the private key (hex): [REDACTED]'],
  [`Generated password for admin: ${S}`, 'Generated password for admin: [REDACTED]'],
  ['root password set to hunter2', 'root password set to [REDACTED]'],
  // Sentences in other languages.
  ['das Passwort lautet hunter2', 'das Passwort lautet [REDACTED]'],
  ['mi contraseña es hunter2', 'mi contraseña es [REDACTED]'],
  ['minha senha é hunter2', 'minha senha é [REDACTED]'],
])('redacts %s', (text, shown) => {
  expect(redact(text)).toBe(shown);
  expect(redact(shown)).toBe(shown);
});

test.each([
  'password:\n  type: string\n  minLength: 8',
  'Password:\n\nsee /etc/app/v2/readme',
  'Password:\nann2@example.com',
  'password:\n  $DB_PASSWORD1\n',
  `secret: |\n  $\{{ secrets.A1 }}`,
  'Passwords:\n- at least 8 characters',
  // Code, labels and descriptions.
  'var password = Environment.GetEnvironmentVariable("DB_PASSWORD");',
  'password = random_password.db.result\n',
  'api_key="sk-..."; OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxx',
  'Authorization: Bearer {token}',
  '"password": "Password", "forgotPassword": "Forgot password?"',
  'login.password=Password',
  'connect(password=user_password, key=hashed_key)',
  '"password": "<your password>"',
  '  password: string\n  api_key: str\n',
  'old_password: incorrect\nnew-password: required\n',
  'password: The password of the admin',
  '{\n  password: hashed,\n}',
  'password = value\n',
  'x-api-key: string',
  'permissions:\n  id-token: write # for OIDC\n',
  '| password | nvarchar2(50) | 12 |',
  '  | OAuth2Password | SecuritySchemeOauth2AccessCode |',
  'password - bcrypt, 12 rounds',
  'password - argon2id of course',
  'password (SHA256-hashed)',
  'password (sha256sum)',
  'echo $PASSWORD | sha256sum',
  'access token - OAuth2Client, see RFC 6749',
  '[JWT for OAuth Token Introspection](https://www.example.org/rfc/rfc9701.html)',
  'password => validate2fa(password)',
  'const f = (password) => hash2(password)',
  'the signing key secp256k1 and the api key v1.2.3-beta4',
  'private key ed25519; password oldPassword2, api_key apiKey2',
  'secret key id_rsa_2048.pub',
  'password == user.password',
  'PASS: test_login_2fa',
  'pass: 12/15 tests',
  'bypass: hunter2x',
  'mot de passe : voir le wiki',
  'contraseña: ocho letras',
  't("password", "Password")',
  'season_pass=hunter2',
  'psk: SomeTypeOfLibrary',
  'a valid token: abc123def456',
  'token:\n  "abc123def456"',
])('keeps %s', (text) => {
  expect(redact(text)).toBe(text);
});

test('redacts members named in French or Spanish or with invisible letters', () => {
  const sent = {
    contraseña: 'x',
    motDePasse: 'x',
    'mot de passe': 'x',
    'pass\u200bword': 'x',
    ｐａｓｓｗｏｒｄ: 'x',
    paso: 'x',
  };
  expect(Object.values(redact(sent) as object)).toEqual([
    ...Array.from({ length: 5 }, () => '[REDACTED]'),
    'x',
  ]);
});

const fragment = fc.constantFrom(
  ...['password', 'api key', 'secret', 'pass', 'senha', 'pw', 'ｐｗｄ', 'login a'],
  ...[
    ':',
    '：',
    '=',
    '==',
    '::',
    '→',
    ' - ',
    '|',
    '\n',
    '\n\n',
    ' |\n ',
    ' (',
    ')',
    '**',
    '</b>',
    '&nbsp;',
  ],
  ...[
    ' ',
    "'",
    '"',
    '`',
    ',',
    '{',
    'default = "',
    "', '",
    S,
    'hunter2x',
    'a1B2',
    '[REDACTED]',
    '$A',
  ],
  ...[
    '\u200b',
    '\u00ad',
    'ａ１',
    '-p',
    ' -P ',
    'zip',
    'docker login',
    ':5432:',
    'a:',
    '$1$',
    S + S,
  ],
  ...['{SSHA}', '$2b$12$', btoa(`{"password":"${S}"}`), btoa(`{"pass":"${S}"}`), 'eyJ', 'bindpw '],
);

test('redacts combined texts idempotently', () => {
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 14 }), (parts) => {
      const once = redact(parts.join(''));
      expect(redact(once)).toBe(once);
    }),
    { numRuns: propertyRuns(5_000) },
  );
});
