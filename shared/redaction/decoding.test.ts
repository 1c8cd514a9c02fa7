// Base64 of credentials is redacted, as are names with invisible or full-width letters.
import { expect, test } from 'vitest';
import { redact } from './redact.ts';

const S = 'Zq8vT3nLw0PxR7mK2bYc';
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  [`a ${base64(`{"password":"${S}"}`)}, b`, 'a [REDACTED], b'],
  [`${base64(`{ "user": "x",\n "client_secret" : "${S}" }`)}.`, '[REDACTED].'],
  [Buffer.from(`{"a":"??>>","api_key":"${S}"}`).toString('base64url'), '[REDACTED]'],
  [base64(`ghp_${S}${S}`), '[REDACTED]'],
  [`x=${base64(`-----BEGIN PRIVATE${' '}KEY-----\n${S}`)}`, 'x=[REDACTED]'],
  [`pass\u200bword: ${S}`, 'password: [REDACTED]'],
  [`ｐａｓｓｗｏｒｄ：${S}`, 'password:[REDACTED]'],
  [`sk-proj-A1b2C3d4\u2060E5f6G7h8I9j0 and`, '[REDACTED_API_KEY] and'],
])('redacts %s', (text, shown) => {
  expect(redact(text)).toBe(shown);
  expect(redact(shown)).toBe(shown);
});

test.each([
  base64('{"next_token":"abc123","page":2,"x":"yyyyyyyy"}'),
  base64(`{"password":""}                `),
  base64('{"password":"$DB_PASSWORD","user":"x"}'),
  base64('-----BEGIN CERTIFICATE-----\nMIIB'),
  `${base64('{"a":1,"b":"ccccccccccccccccc"}')} ${base64('{"c":1,"d":"eeeeeeeeeeeeeeee"}')}`,
  base64(`{"a":"${'x'.repeat(4_000)}","password":"${S}"}`),
  `data:image/png;base64,${base64('\u0089PNG not a picture, but as long as one')}`,
  'می\u200cخواهم رمز عبور، پنجره\u200cها',
  'soft\u00adly hyphen\u00adated prose about a pass\u00adword',
  '👩\u200d💻 said: ＡＢＣ１２３、密码要长',
])('keeps %s', (text) => {
  expect(redact(text)).toBe(text);
});

test('redacts only adjacent base64 runs with a credential', () => {
  const plain = base64('{"user":"x","note":"abcdef"}');
  const secret = base64(`{"password":"${S}"}`);
  expect(redact([plain, secret, plain, secret, secret, plain].join(' '))).toBe(
    `${plain} [REDACTED] ${plain} [REDACTED] [REDACTED] ${plain}`,
  );
});

test.each([
  `${base64(`{"password":"${S}"}`)} `,
  `${base64('{"key":"a","b":"ccccc"}')} `,
  'pass\u200bword: a1b2c3 ',
  'ｐａｓｓ',
  'a\u200b',
])('redacts a megabyte of %s in linear time', (seed) => {
  const once = redact(seed.repeat(Math.ceil(1_000_000 / seed.length)));
  expect(redact(once)).toBe(once);
});
