// Credentials in command lines, settings and password hashes are redacted; similar text remains.
import { expect, test } from 'vitest';
import { redact } from './redact.ts';

const S = 'Zq8vT3nLw0PxR7mK2bYc';
const HASH = `${S}${S}abcdefghijklm`;

test.each([
  [`docker login -u a -p ${S} host`, 'docker login -u a -p [REDACTED] host'],
  [`az login --service-principal -p '${S}'`, "az login --service-principal -p '[REDACTED]'"],
  ['helm registry login h -p hunter', 'helm registry login h -p [REDACTED]'],
  [`vault login ${S}`, 'vault login [REDACTED]'],
  [`vault login -method=token token=${S}`, 'vault login -method=token token=[REDACTED]'],
  ['gpg --passphrase hunter', 'gpg --passphrase [REDACTED]'],
  ['s3 --secret-key hunter', 's3 --secret-key [REDACTED]'],
  ['openssl rsa -passin pass:hunter -in a', 'openssl rsa -passin pass:[REDACTED] -in a'],
  [`//r.example/:_auth=${btoa(`u:${S}`)}`, '//r.example/:_auth=[REDACTED]'],
  ['zip -r -P hunter a.zip b', 'zip -r -P [REDACTED] a.zip b'],
  [
    'ConvertTo-SecureString "hunter" -AsPlainText',
    'ConvertTo-SecureString "[REDACTED]" -AsPlainText',
  ],
  ['jdbc:oracle:thin:u/hunter@h', 'jdbc:oracle:thin:u/[REDACTED]@h'],
  [
    'jwt.encode(claims, "hunter", algorithm="HS256")',
    'jwt.encode(claims, "[REDACTED]", algorithm="HS256")',
  ],
  ["jwt.sign({ sub: 'a', n: 1 }, 'hunter')", "jwt.sign({ sub: 'a', n: 1 }, '[REDACTED]')"],
  ['HTTPBasicAuth("u", "hunter")', 'HTTPBasicAuth("u", "[REDACTED]")'],
  ["set_basic_auth('u', 'hunter')", "set_basic_auth('u', '[REDACTED]')"],
  ['HTTPDigestAuth(\\"u\\", \\"hunter\\")', 'HTTPDigestAuth(\\"u\\", \\"[REDACTED]\\")'],
  ['BASIC_AUTH("u", "hunter")', 'BASIC_AUTH("u", "[REDACTED]")'],
  ['digest_AUTH("u", "hunter")', 'digest_AUTH("u", "[REDACTED]")'],
  ["DIGEST_AUTH('u', 'hunter')", "DIGEST_AUTH('u', '[REDACTED]')"],
  ['jwt.sign({a:{b:1}}, "hunter")', 'jwt.sign({a:{b:1}}, "[REDACTED]")'],
  [
    "jwt.sign(\n  { a: { b: { c: 1 } }, d: '2' },\n  'hunter',\n)",
    "jwt.sign(\n  { a: { b: { c: 1 } }, d: '2' },\n  '[REDACTED]',\n)",
  ],
  ['curl -ubob:hunter https://h', 'curl -ubob:[REDACTED] https://h'],
  ['curl --proxy-user u:hunter h', 'curl --proxy-user u:[REDACTED] h'],
  ['curl -U u:hunter h', 'curl -U u:[REDACTED] h'],
  [`curl -b "session=${S}" h`, 'curl -b "session=[REDACTED]" h'],
  ['default login bob password hunter', 'default login bob password [REDACTED]'],
  ['nuget add -UserName a -Password hunter', 'nuget add -UserName a -Password [REDACTED]'],
  ['aws x --secret-string hunter', 'aws x --secret-string [REDACTED]'],
  ['echo hunter | docker secret create a -', 'echo [REDACTED] | docker secret create a -'],
  ["echo 'hunter' | passwd --stdin bob", "echo '[REDACTED]' | passwd --stdin bob"],
  ['echo "hunter" | kinit bob', 'echo "[REDACTED]" | kinit bob'],
  ['sqlplus u/hunter@h', 'sqlplus u/[REDACTED]@h'],
  [`db.example:5432:app:u:${S}\nb`, 'db.example:5432:app:u:[REDACTED]\nb'],
  ['*:*:*:u:hunter2x', '*:*:*:u:[REDACTED]'],
  // Hashes.
  [`a $2b$12$${HASH}, b`, 'a [REDACTED_PASSWORD_HASH], b'],
  [`root:$6$saltsalt$${S}${S}${S}:19000:0`, 'root:[REDACTED_PASSWORD_HASH]:19000:0'],
  [`admin:$apr1$abcdefgh$${S}aa`, 'admin:[REDACTED_PASSWORD_HASH]'],
  [`$y$j9T$${S}$${S}${S}`, '[REDACTED_PASSWORD_HASH]'],
  [`$argon2id$v=19$m=65536,t=3,p=4$${S}$${S}${S}`, '[REDACTED_PASSWORD_HASH]'],
  [`pbkdf2_sha256$260000$salt$${S}${S}=`, '[REDACTED_PASSWORD_HASH]'],
  [`userPassword {SSHA}${S}${S}`, 'userPassword [REDACTED_PASSWORD_HASH]'],
  [`NRAK-${S}ABCDEFG`, '[REDACTED_API_KEY]'],
])('redacts %s', (text, shown) => {
  expect(redact(text)).toBe(shown);
  expect(redact(shown)).toBe(shown);
});

test.each([
  'docker login h && docker run -p 8080:80 x; mkdir -p a1b2c3',
  'ssh login -p 2222',
  'curl -b cookies.txt -u "$USER:$PASS" h',
  'git checkout -b topic=a1',
  'docker run -u 1000:1000 --user 1000:1000 x',
  'tool --password string   the password\n  --password <password>',
  'use the -Password parameter',
  'echo $PASS | passwd --stdin bob; echo hello | docker secret ls',
  'login: see /docs/v2',
  'docker login -p $DOCKER_PASSWORD',
  'vault login -method=oidc',
  'vault login succeeded',
  'at login the page reads / and more',
  'login page / settings page',
  'openssl rsa -passin env:PASS1',
  'zip -r a.zip b1c2d3',
  'bzip -P hunter2',
  'ConvertTo-SecureString $env:PASS1 -AsPlainText',
  "fetch('http://h:8080/a:b:c1')",
  '2606:2800:220:1:248:1893:25c8:1946',
  'a.ts:1234:5:error here',
  'use_auth=required1',
  'the username and password 2 fields',
  'cost $5$ and $1$ of $6$',
  `$1 $2 ${S}`,
  'sed s/$2a$b/x/',
  'argon2id$v=19',
])('keeps %s', (text) => {
  expect(redact(text)).toBe(text);
});

test.each([
  'docker login -p a',
  'zip -P ',
  'a:5432:a:a:a1aaaaa ',
  '$1$a$',
  `{SSHA}${S}`,
  `$2b$12$${HASH}`,
  'jwt.sign({{}',
  'jwt.sign({{{}},',
])('redacts a megabyte of %s in linear time', (seed) => {
  const once = redact(seed.repeat(Math.ceil(1_000_000 / seed.length)));
  expect(redact(once)).toBe(once);
});
