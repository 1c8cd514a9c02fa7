import { expect, test } from 'vitest';
import { whyNot } from './embedded.ts';

test('reports a full disk or the log of a database that did not start', () => {
  expect(whyNot('/data', 0)).toBe('the disk of /data is full');
  expect(whyNot('/data', 2 ** 30)).toMatch(/^see \/data\//);
});
