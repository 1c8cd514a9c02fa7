// What a client says of how an answer may be packed.
import { expect, test } from 'vitest';
import { takesGzip } from './encodings.ts';

test.each([
  ...[
    'gzip',
    'GZIP',
    'x-gzip',
    '*',
    'br, gzip;q=0.8',
    'identity;q=0, gzip;q=0.1',
    'gzip, identity',
  ],
  ...['*;q=0, gzip', 'identity;q=0.5, gzip;q=0.5', 'gzip ; q=0.3'],
])('%s takes gzip', (header) => {
  expect(takesGzip(header)).toBe(true);
});

test.each([
  ...[undefined, '', 'deflate', 'gzip;q=0', '*;q=0', 'gzip;q=0, *', 'gzip;q=x', 'identity'],
  ...['identity;q=1, gzip;q=0.5', 'identity, *;q=0.1'],
])('%s takes it plain', (header) => {
  expect(takesGzip(header)).toBe(false);
});
