// Files are decoded to text where they contain text.
import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeText } from './text-extraction.ts';

const TEXT = 'é: card 4111 1111 1111 1111';
const big = (text: string) => Buffer.from(text, 'utf16le').swap16();

test.each([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-16', Buffer.from(TEXT, 'utf16le')],
  ['UTF-16 with its mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['UTF-16, the other way round', big(TEXT)],
  ['UTF-16, the other way round, with its mark', big(`\ufeff${TEXT}`)],
  ['a single-byte encoding', Buffer.from(TEXT, 'latin1')],
])('decodes and encodes %s unchanged, with or without a text type', (_name, bytes) => {
  for (const type of [undefined, 'text/plain', 'application/octet-stream']) {
    const file = decodeText(bytes, type);
    expect(file?.text.replace('\ufeff', '')).toBe(TEXT);
    expect(file?.encode(file.text)).toEqual(bytes);
  }
});

test('ignores compressed data and images', () => {
  const packed = deflateSync(Buffer.from(TEXT.repeat(100)));
  const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  for (const bytes of [packed, picture]) expect(decodeText(bytes, 'image/png')).toBeNull();
});

test('decodes any content with a text type', () => {
  expect(decodeText(Buffer.from(`a\u0000b\u0001 ${TEXT}`), 'text/csv')?.text).toContain(TEXT);
});

test.each([
  ['another script', 'Номер карты клиента 4111 1111 1111 1111, пожалуйста'],
  ['a blank of another script', `card\u3000${TEXT}`],
])('detects UTF-16 without a byte order mark in %s', (_name, text) => {
  for (const bytes of [Buffer.from(text, 'utf16le'), big(text)]) {
    for (const type of [undefined, 'text/plain']) expect(decodeText(bytes, type)?.text).toBe(text);
  }
});

test.each([
  ['a single odd letter at the end', Buffer.from(`${'a'.repeat(20_000)}é`, 'latin1')],
  ['half a letter at the end', Buffer.concat([Buffer.from(TEXT, 'utf16le'), Buffer.from('a')])],
])('leaves unreplaced content unchanged: %s', (_name, bytes) => {
  const file = decodeText(bytes, 'text/plain');
  expect(file?.encode(file.text)).toEqual(bytes);
});
