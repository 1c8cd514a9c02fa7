// Session cookies and links that authenticate their bearer are redacted; similar text remains.
import { expect, test } from 'vitest';
import { redact } from './redact.ts';

const S = 'Zq8vT3nLw0PxR7mK2bYc';
const HEX = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';

test.each([
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
  'document.cookie = "theme=dark"',
  'the cookie: none',
  'PHPSESSID is the cookie',
  'https://h/invite/team',
  'https://h/reset-password/confirm-your-new-password',
])('keeps %j', (text) => {
  expect(redact(text)).toBe(text);
});

test.each(['PHPSESSID=a1', 'Cookie: "a=1'])('redacts a megabyte of %j in linear time', (seed) => {
  const once = redact(seed.repeat(Math.ceil(1_000_000 / seed.length)));
  expect(redact(once)).toBe(once);
});
