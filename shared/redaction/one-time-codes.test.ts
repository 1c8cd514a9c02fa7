// Verification codes, recovery codes, wallet phrases and session cookies are redacted; other numbers remain.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { redact } from './redact.ts';

const S = 'Zq8vT3nLw0PxR7mK2bYc';
const HEX = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';
const PHRASE = 'army van defense carry jealous true garbage claim echo media make crunch';

test.each([
  ['your verification code is 482913', 'your verification code is [REDACTED]'],
  ['482913 is your verification code', '[REDACTED] is your verification code'],
  ['Use 482913 as your login code.', 'Use [REDACTED] as your login code.'],
  ['G-482913 is your Google verification code', 'G-[REDACTED] is your Google verification code'],
  ['Your one-time code: **482 913**', 'Your one-time code: **[REDACTED]**'],
  ['2FA code: 482913', '2FA code: [REDACTED]'],
  ['OTP: 482913', 'OTP: [REDACTED]'],
  ['PIN: 4829', 'PIN: [REDACTED]'],
  ['your PIN is 4829', 'your PIN is [REDACTED]'],
  ['passcode 482913', 'passcode [REDACTED]'],
  ['Ihr Bestätigungscode lautet 482913', 'Ihr Bestätigungscode lautet [REDACTED]'],
  ['votre code de vérification est 482913', 'votre code de vérification est [REDACTED]'],
  ['su código de verificación es 482913', 'su código de verificación es [REDACTED]'],
  ['recovery codes:\n1a2b-3c4d\n5e6f-7a8b\n', 'recovery codes: [REDACTED]\n'],
  ['Backup codes (keep them): 1234 5678, 2345 6789', 'Backup codes (keep them): [REDACTED]'],
  [`seed phrase: "${PHRASE}"`, 'seed phrase: "[REDACTED]"'],
  [`my seed phrase is ${PHRASE}`, 'my seed phrase is [REDACTED]'],
  [`MNEMONIC=${PHRASE}`, 'MNEMONIC=[REDACTED]'],
  [`PHPSESSID=${HEX.slice(0, 26)}; x`, 'PHPSESSID=[REDACTED]; x'],
  [`connect.sid=s%3A${S}.${S}`, 'connect.sid=[REDACTED]'],
  [`"Cookie": "sid=${S}; a=b", cut`, '"Cookie": "[REDACTED]", cut'],
  [`document.cookie = "session=${S}"`, 'document.cookie = "[REDACTED]"'],
  [`https://h/?jwt=${S}`, 'https://h/?jwt=[REDACTED]'],
  [`https://h/reset-password/${S}`, 'https://h/reset-password/[REDACTED]'],
  [`https://h/invite/${HEX}?a=b`, 'https://h/invite/[REDACTED]?a=b'],
])('redacts %j', (text, shown) => {
  expect(redact(text)).toBe(shown);
  expect(redact(shown)).toBe(shown);
});

test.each([
  'error code: 482913',
  'zip code: 94105',
  'PIN code: 560001',
  'GPIO pin: 1234',
  'pin 13',
  'verification code expires in 3000 seconds',
  'your verification code expires 2024-01-02',
  'a security code of 6 digits',
  'OTP expires in 3000 ms',
  'OTP 3000 ms',
  'otp_length: 6',
  'order 482913 is your latest',
  'invoice 482913 as your reference',
  'backup codes: keep them safe',
  'recovery codes are listed below',
  'security code review 2024',
  'the seed phrase: keep this somewhere safe and never share it with anybody else at all',
  'a mnemonic device for remembering planets in order from the sun outward',
  'document.cookie = "theme=dark"',
  'the cookie: none',
  'PHPSESSID is the cookie',
  'https://h/invite/team',
  'https://h/reset-password/confirm-your-new-password',
])('keeps %j', (text) => {
  expect(redact(text)).toBe(text);
});

test.each([
  'OTP: 4829 ',
  'recovery codes: a1b2c3-',
  'seed phrase army van defense ',
  'PHPSESSID=a1',
  'Cookie: "a=1',
  '1234 is your ',
])('redacts a megabyte of %j in linear time', (seed) => {
  const once = redact(seed.repeat(Math.ceil(1_000_000 / seed.length)));
  expect(redact(once)).toBe(once);
});

const fragment = fc.constantFrom(
  ...[
    'OTP',
    'PIN',
    'your login code',
    ' is ',
    ': ',
    '482913',
    ' is your login code',
    'passcode',
    '\n',
  ],
  ...[
    'recovery codes:',
    'a1b2-c3d4',
    '- ',
    'seed phrase ',
    PHRASE,
    'Cookie: "',
    'a=b1',
    'PHPSESSID=',
  ],
  ...['name,password', ',', ';', '|', 'bob', 'swordfish', 'hunter2x', '| password |', '\t', S, '"'],
  ...[
    'Credential(',
    '"a", ',
    '"hunter"',
    'jwt.sign({',
    '}',
    ')',
    'createHmac("a", "',
    'basic_auth ',
  ],
  ...['password: ', 'db_password: ', 'x-api-key: ', 'contraseña es ', ' (a): ', '{ value = "'],
  ...[
    'creds: ',
    'bob:',
    ' -b ',
    '-U ',
    '<<< ',
    'echo ',
    '| kinit',
    '@tcp(',
    '@//',
    '/p:',
    '[REDACTED]',
  ],
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
