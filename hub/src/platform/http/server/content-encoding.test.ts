// Accept-Encoding selects between gzip and identity.
import { expect, test } from 'vitest';
import { acceptsGzip } from './content-encoding.ts';

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
])('selects gzip for %s', (header) => {
  expect(acceptsGzip(header)).toBe(true);
});

test.each([
  ...[undefined, '', 'deflate', 'gzip;q=0', '*;q=0', 'gzip;q=0, *', 'gzip;q=x', 'identity'],
  ...['identity;q=1, gzip;q=0.5', 'identity, *;q=0.1'],
])('selects identity for %s', (header) => {
  expect(acceptsGzip(header)).toBe(false);
});
