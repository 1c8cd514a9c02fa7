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
    'new ClientSecretCredential(tenantId, clientId, "swordfish")',
    'new ClientSecretCredential(tenantId, clientId, "[REDACTED]")',
  ],
  ['AzureKeyCredential("swordfish")', 'AzureKeyCredential("[REDACTED]")'],
  [
    'DriverManager.getConnection(url, "root", "swordfish")',
    'DriverManager.getConnection(url, "root", "[REDACTED]")',
  ],
  [
    'cx_Oracle.connect("scott", "swordfish", "h/x")',
    'cx_Oracle.connect("scott", "[REDACTED]", "h/x")',
  ],
  ['smtp.login("bob@x.example", "swordfish")', 'smtp.login("bob@x.example", "[REDACTED]")'],
  ["crypto.createHmac('sha256', 'swordfish')", "crypto.createHmac('sha256', '[REDACTED]')"],
  ["hmac.new(b'swordfish', msg, hashlib.sha256)", "hmac.new(b'[REDACTED]', msg, hashlib.sha256)"],
  ['Algorithm.HMAC256("swordfish")', 'Algorithm.HMAC256("[REDACTED]")'],
  [
    'signWith(SignatureAlgorithm.HS256, "swordfish")',
    'signWith(SignatureAlgorithm.HS256, "[REDACTED]")',
  ],
  ['Fernet(b"swordfish")', 'Fernet(b"[REDACTED]")'],
  ["cookieParser('swordfish')", "cookieParser('[REDACTED]')"],
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
  'log.login("info", "message")',
  'cookieParser()',
  'getCredentials("a", cb)',
])('keeps %j', (text) => {
  expect(redact(text)).toBe(text);
});

test.each([
  'Credential("a", "',
  'ClientSecretCredential(a,',
  'MySQLdb.connect(a,',
  'JWT.encode({{}',
  'createHmac("a", "b',
])('redacts a megabyte of %j in linear time', (seed) => {
  const once = redact(seed.repeat(Math.ceil(1_000_000 / seed.length)));
  expect(redact(once)).toBe(once);
});
