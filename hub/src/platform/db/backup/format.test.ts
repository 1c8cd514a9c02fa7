// A backup's file as it is read.
import { expect, test } from 'vitest';
import { readParts } from './format.ts';

test('a file that is gone by the time it is read is an error of who reads it', async () => {
  const parts = readParts('/nonexistent/backup', 100);
  await expect(parts.next()).rejects.toThrow('ENOENT');
});
