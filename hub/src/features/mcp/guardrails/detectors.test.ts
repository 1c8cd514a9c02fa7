import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patternProblem } from '../../../platform/linear-patterns.ts';
import { findDetector, isIban, passesLuhn, patternFinder, wordsFinder } from './detectors.ts';
import { SCAN_MAX_CHARS, scanContent } from './scan.ts';
import type { Guardrail } from './text-scanner.ts';

test.each([
  ['email', 'write to ada.l+x@mail.example.com today', 'write to [REDACTED_EMAIL] today'],
  ['iban', 'pay DE89 3704 0044 0532 0130 00, please', 'pay [REDACTED_IBAN], please'],
  ['iban', 'GB82WEST12345698765432', '[REDACTED_IBAN]'],
  ['card', 'card 4111 1111 1111 1111.', 'card [REDACTED_CARD].'],
  ['card', '5500-0055-5555-5559', '[REDACTED_CARD]'],
  ['phone', 'call +49 (30) 901820-0', 'call [REDACTED_PHONE]'],
  ['ssn', 'is 123-45-6789', 'is [REDACTED_SSN]'],
  ['ip', 'from 10.1.2.3', 'from [REDACTED_IP]'],
  ['secrets', 'use ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'use [REDACTED_API_KEY]'],
] as const)('finds %s in "%s"', (name, text, redacted) => {
  expect(findDetector(name)(text)).toEqual({ text: redacted, count: 1 });
});

test.each([
  ['wide digits', '４１１１１１１１１１１１１１１１'],
  ['odd spaces', '4111\u00a01111\u20091111\u00a01111'],
  ['letters that nobody sees', '4111\u200b1111\u200b1111\u20601111'],
])('finds a card number in %s', (_what, text) => {
  expect(findDetector('card')(`größe ${text}.`)).toEqual({
    text: 'größe [REDACTED_CARD].',
    count: 1,
  });
  expect(wordsFinder(['project'])('ｐｒｏ\u00adｊｅｃｔ').count).toBe(1);
});

test.each([
  ['iban', 'DE89 3704 0044 0532 0130 01'],
  ['iban', 'AB12CDEFGHIJKLMNOP'],
  ['card', '4111 1111 1111 1112'],
  ['card', '0000000000000000'],
  ['card', '1700000000000'],
  ['phone', '+1'],
  ['ssn', '000-12-3456'],
  ['ip', '1.2.3.4.5'],
  ['ip', '999.1.1.1'],
  ['email', 'a@b'],
] as const)('finds no %s in "%s"', (name, text) => {
  expect(findDetector(name)(text)).toEqual({ text, count: 0 });
});

const digit = fc.integer({ min: 0, max: 9 });
test('finds every number with a valid check digit, and no other', () => {
  fc.assert(
    fc.property(fc.array(digit, { minLength: 14, maxLength: 14 }), (rest) => {
      const body = `4${rest.join('')}`;
      const check = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].find((item) => passesLuhn(`${body}${item}`));
      expect(findDetector('card')(`x ${body}${check}`).count).toBe(1);
      expect(findDetector('card')(`x ${body}${((check ?? 0) + 1) % 10}`).count).toBe(0);
    }),
  );
});

test('detects two swapped digits of an IBAN', () => {
  const good = 'DE89370400440532013000';
  for (let i = 4; i < good.length - 1; i++) {
    if (good[i] === good[i + 1]) continue;
    const swapped = good.slice(0, i) + good[i + 1] + good[i] + good.slice(i + 2);
    expect(isIban(swapped)).toBe(false);
  }
});

test('finds words as separate words, in any case', () => {
  const find = wordsFinder(['Projekt X', 'größe']);
  expect(find('PROJEKT X und die GRÖSSE, projekt xy')).toEqual({
    text: '[REDACTED_WORD] und die GRÖSSE, projekt xy',
    count: 1,
  });
  expect(find('Die Größe')).toEqual({ text: 'Die [REDACTED_WORD]', count: 1 });
});

test('rejects an invalid RE2 pattern', () => {
  for (const bad of ['(', '(?=x)', '(a)\\1', '[z-a]']) {
    expect(() => patternFinder('p', bad)).toThrow();
  }
});

test('searches hostile texts with hostile patterns to the end', () => {
  const texts = [
    'a'.repeat(200_000),
    '1 '.repeat(100_000),
    'DE12'.repeat(50_000),
    '@.'.repeat(100_000),
  ];
  const finders = [
    ...(['secrets', 'email', 'iban', 'card', 'phone', 'ssn', 'ip'] as const).map(findDetector),
    patternFinder('p', '(a+)+$'),
    patternFinder('p', '(a|a)*b'),
  ];
  for (const text of texts) for (const find of finders) find(text);
});

const rule = (action: Guardrail['action'], ...categories: ('email' | 'card')[]): Guardrail => ({
  ruleId: action,
  name: action,
  action,
  finders: categories.map((category) => ({ category, find: findDetector(category) })),
  tenantPatterns: 0,
});

test('redacts values with a match anywhere, and leaves others unchanged', () => {
  const value = { to: ['a@example.com', { 'b@example.com': 4111111111111111 }], n: 1 };
  const found = scanContent(value, [rule('redact', 'email'), rule('monitor', 'card')]);
  expect(found.value).toEqual({
    to: ['[REDACTED_EMAIL]', { '[REDACTED_EMAIL]': 4111111111111111 }],
    n: 1,
  });
  expect(JSON.stringify(found.masked)).not.toMatch(/example|4111/);
  expect(found.predictions).toMatchObject([
    { category: 'email', action: 'redact', count: 2 },
    { category: 'card', action: 'monitor', count: 1 },
  ]);
  fc.assert(
    fc.property(fc.jsonValue(), (any) => {
      expect(scanContent(any, []).value).toBe(any);
      const once = scanContent(any, [rule('redact', 'email', 'card')]).value;
      expect(scanContent(once, [rule('redact', 'email', 'card')]).value).toEqual(once);
    }),
  );
});

test('reports values that are too large or too deep', () => {
  expect(() => scanContent('x'.repeat(SCAN_MAX_CHARS + 1), [rule('block', 'email')])).toThrow(
    RangeError,
  );
  let deep: unknown = 'x';
  for (let i = 0; i < 1_000; i++) deep = [deep];
  expect(() => scanContent(deep, [rule('block', 'email')])).toThrow(RangeError);
  const picture = { type: 'image', data: 'x'.repeat(SCAN_MAX_CHARS + 1), mimeType: 'image/png' };
  expect(scanContent(picture, [rule('block', 'email')]).predictions).toEqual([]);
});

const parts = (...texts: string[]) => texts.map((text) => ({ type: 'text', text }));
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['parts of a result', { content: parts('card 4111 1111 ', '1111 1111.', 'bye') }],
  [
    'parts with a picture between them',
    { content: [...parts('4111 1111 '), { type: 'image', data: 'AAAA' }, ...parts('1111 1111')] },
  ],
  [
    'messages of a prompt',
    {
      messages: parts('4111 1111 ', '1111 1111').map((content) => ({ role: 'user', content })),
    },
  ],
  [
    'texts of resources',
    {
      contents: [
        { uri: 'a:1', text: '4111 1111 11' },
        { uri: 'a:2', text: '11 1111' },
      ],
    },
  ],
  ['a file with a text type', { blob: base64('4111 1111 1111 1111'), mimeType: 'text/plain' }],
  ['a text with a file type', { blob: base64('4111 1111 1111 1111'), mimeType: 'application/pdf' }],
  ['a file without a type', { uri: 'memo://x', blob: base64('see 4111111111111111') }],
  ['a text in the place of a picture', { type: 'image', data: '4111111111111111' }],
  [
    'files as addresses within a text',
    `![a](data:text/plain;charset=utf-8;base64,${base64('card 4111 1111 1111 1111')}) and
    ![b](DATA:;BASE64,${base64('nothing here')}) ![c](data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==)`,
  ],
  ['what is no base64', { type: 'audio', data: 'card: 4111 1111 1111 1111' }],
])('joins %s or decodes their content for the search', (_what, value) => {
  const found = scanContent(value, [rule('redact', 'card')]);
  expect(found.predictions).toMatchObject([{ category: 'card', count: 1 }]);
  expect(scanContent(found.value, [rule('block', 'card')]).predictions).toEqual([]);
  expect(scanContent(found.masked, [rule('block', 'card')]).predictions).toEqual([]);
  const seen = scanContent(value, [rule('monitor', 'card')]);
  expect([seen.value, seen.predictions.length]).toEqual([value, 1]);
});

const WIDE = '４１１１１１１１１１１１１１１１';

test.each([
  ['wide letters beside letters that expand to phrases', `${WIDE}${'\ufdfa'.repeat(300)}`],
  ['wide letters between single-letter words', `\u3300${WIDE} \u337f`],
  ...[0x034f, 0x180e, 0x200b, 0x2060, 0x2067, 0x206a, 0xfe0f, 0x3164, 0xe0020].map(
    (letter): [string, string] => [
      `U+${letter.toString(16)} between the digits`,
      [...'4111111111111111'].join(String.fromCodePoint(letter)),
    ],
  ),
])('finds a card number in %s', (_what, text) => {
  expect(scanContent(text, [rule('block', 'card')]).predictions).toMatchObject([{ count: 1 }]);
  const { value } = scanContent(text, [rule('redact', 'card')]);
  expect(value).toContain('[REDACTED_CARD]');
  expect(scanContent(value, [rule('block', 'card')]).predictions).toEqual([]);
});

test('redacts within an embedded file, and leaves the rest of both unchanged', () => {
  const around = (inside: string) =>
    `see data:text/csv;base64,${base64(inside)} and data:text/csv;base64,${base64('plain')}.`;
  const { value } = scanContent(around('a,4111111111111111,b'), [rule('redact', 'card')]);
  expect(value).toBe(around('a,[REDACTED_CARD],b'));
});

test('searches letters that expand to phrases without additional cost', () => {
  const text = '\ufdfa'.repeat(SCAN_MAX_CHARS);
  expect(scanContent(text, [rule('redact', 'email', 'card')]).value).toBe(text);
});

test('replaces a match across parts in the first part, and keeps all parts', () => {
  const { value } = scanContent({ content: parts('a 4111 1111 ', '1111 1111 b') }, [
    rule('redact', 'card'),
  ]);
  expect(value).toEqual({ content: parts('a [REDACTED_CARD] b', '') });
});

test('aborts a slow pattern, and searches the next text', () => {
  const patterns = Array.from({ length: 250 }, (_, i) => `(a|b|ab|ba){1,60}${i}$`);
  expect(patterns.map(patternProblem)).toEqual(patterns.map(() => null));
  const finders = patterns.map((pattern, i) => ({
    category: `p${i}`,
    find: patternFinder(`p${i}`, pattern),
  }));
  const own = { ruleId: 'r', name: 'own', action: 'block' as const, finders, tenantPatterns: 250 };
  const text = 'ab'.repeat(1_900_000) + patterns.map((_, i) => i).join(' ');
  expect(() => scanContent({ text }, [own])).toThrow(RangeError);
  expect(scanContent({ text: 'ab7' }, [own]).predictions).toMatchObject([{ category: 'p7' }]);
});
