// The reader of a backup file reports errors to its caller.
import { expect, test } from 'vitest';
import { readParts } from './format.ts';

test('reports a file that is deleted before the read', async () => {
  const parts = readParts('/nonexistent/backup', 100);
  await expect(parts.next()).rejects.toThrow('ENOENT');
});
