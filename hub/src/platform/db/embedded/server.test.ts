import { expect, test } from 'vitest';
import { explainStartFailure } from './server.ts';

test('reports a full disk or the log of a database that did not start', () => {
  expect(explainStartFailure('/data', 0)).toBe('the disk of /data is full');
  expect(explainStartFailure('/data', 2 ** 30)).toMatch(/^see \/data\//);
});
