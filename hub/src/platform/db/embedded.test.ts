import { expect, test } from 'vitest';
import { whyNot } from './embedded.ts';

test('a database that did not start says that its disk is full, or where to look', () => {
  expect(whyNot('/data', 0)).toBe('the disk of /data is full');
  expect(whyNot('/data', 2 ** 30)).toMatch(/^see \/data\//);
});
