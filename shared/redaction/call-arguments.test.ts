// Credentials in arguments of calls are redacted; calls without credentials remain.
import { expect, test } from 'vitest';
import { redact } from './redact.ts';

test.each([
  ['new NetworkCredential("bob", "swordfish")', 'new NetworkCredential("bob", "[REDACTED]")'],
  [
    'new UsernamePasswordCredentials("bob", "swordfish")',
    'new UsernamePasswordCredentials("bob", "[REDACTED]")',
  ],
  ['AwsBasicCredentials.create("x", "swordfish")', 'AwsBasicCredentials.create("x", "[REDACTED]")'],
  ['Credentials.basic("bob", "swordfish")', 'Credentials.basic("bob", "[REDACTED]")'],
  [
    'credentials.NewStaticCredentials("x", "swordfish", "")',
    'credentials.NewStaticCredentials("x", "[REDACTED]", "")',
  ],
  [
    'new ClientSecretCredential(tenantId, clientId, "swordfish")',
    'new ClientSecretCredential(tenantId, clientId, "[REDACTED]")',
  ],
  ['AzureKeyCredential("swordfish")', 'AzureKeyCredential("[REDACTED]")'],
  [
    'mysqli_connect("localhost", "root", "swordfish", "db")',
    'mysqli_connect("localhost", "root", "[REDACTED]", "db")',
  ],
  ["new PDO('mysql:host=h', 'root', 'swordfish')", "new PDO('mysql:host=h', 'root', '[REDACTED]')"],
  [
    'DriverManager.getConnection(url, "root", "swordfish")',
    'DriverManager.getConnection(url, "root", "[REDACTED]")',
  ],
  ['smtp.PlainAuth("", "bob", "swordfish", "h")', 'smtp.PlainAuth("", "bob", "[REDACTED]", "h")'],
  [
    'cx_Oracle.connect("scott", "swordfish", "h/x")',
    'cx_Oracle.connect("scott", "[REDACTED]", "h/x")',
  ],
  ['ssh.Password("swordfish")', 'ssh.Password("[REDACTED]")'],
  ['smtp.login("bob@x.example", "swordfish")', 'smtp.login("bob@x.example", "[REDACTED]")'],
  ["http.basic_auth 'bob', 'swordfish'", "http.basic_auth 'bob', '[REDACTED]'"],
  ["crypto.createHmac('sha256', 'swordfish')", "crypto.createHmac('sha256', '[REDACTED]')"],
  ["hmac.new(b'swordfish', msg, hashlib.sha256)", "hmac.new(b'[REDACTED]', msg, hashlib.sha256)"],
  ["hash_hmac('sha256', $data, 'swordfish')", "hash_hmac('sha256', $data, '[REDACTED]')"],
  ['Algorithm.HMAC256("swordfish")', 'Algorithm.HMAC256("[REDACTED]")'],
  [
    'signWith(SignatureAlgorithm.HS256, "swordfish")',
    'signWith(SignatureAlgorithm.HS256, "[REDACTED]")',
  ],
  ['Fernet(b"swordfish")', 'Fernet(b"[REDACTED]")'],
  ["cookieParser('swordfish')", "cookieParser('[REDACTED]')"],
  ["JWT.encode payload, 'swordfish', 'HS256'", "JWT.encode payload, '[REDACTED]', 'HS256'"],
  ["JWT::encode($payload, 'swordfish', 'HS256')", "JWT::encode($payload, '[REDACTED]', 'HS256')"],
  [
    '[Environment]::SetEnvironmentVariable("API_KEY", "swordfish", "User")',
    '[Environment]::SetEnvironmentVariable("API_KEY", "[REDACTED]", "User")',
  ],
  ["new Client(['auth' => ['bob', 'swordfish']])", "new Client(['auth' => ['bob', '[REDACTED]']])"],
])('redacts %j', (text, shown) => {
  expect(redact(text)).toBe(shown);
  expect(redact(shown)).toBe(shown);
});

test.each([
  'hmac.new(key, msg, hashlib.sha256)',
  "createHmac('sha256', process.env.SECRET)",
  "createHmac('sha256', secret)",
  'jwt.sign({a:{b:1}}, process.env.JWT_SECRET)',
  'jwt.verify(token, publicKey, "RS256")',
  'jwt.decode(token, options={"verify_signature": False})',
  'new ClientSecretCredential(tenantId, clientId, clientSecret)',
  'new NetworkCredential(user, pass)',
  'DriverManager.getConnection("jdbc:h2:mem:test")',
  'mysqli_connect($h, $u, $p)',
  'log.login("info", "message")',
  'cookieParser()',
  'getCredentials("a", cb)',
])('keeps %j', (text) => {
  expect(redact(text)).toBe(text);
});

test.each([
  'mysqli(a,',
  'Credential("a", "',
  'ClientSecretCredential(a,',
  'JWT.encode({{}',
  'createHmac("a", "b',
])('redacts a megabyte of %j in linear time', (seed) => {
  const once = redact(seed.repeat(Math.ceil(1_000_000 / seed.length)));
  expect(redact(once)).toBe(once);
});
