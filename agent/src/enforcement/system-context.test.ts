// System facts are read: login shells of the system and its accounts.
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import { put } from '../../test/trees.ts';
import { readLoginShells } from './system-context.ts';

test('reads login shells from both lists, by real path', () => {
  const root = makeFolder();
  put(root, 'bin/odd-1.0');
  const link = join(root, 'bin/odd');
  symlinkSync(join(root, 'bin/odd-1.0'), link);
  put(root, 'etc/shells', `# shells\n${link}\n\n/opt/gone \n`);
  put(root, 'etc/passwd', 'alice:x:1000:1000::/home/alice:/opt/kiosk\nshort:x:1\n');
  expect(readLoginShells(root)).toEqual(
    new Set([join(root, 'bin/odd-1.0'), '/opt/gone', '/opt/kiosk']),
  );
  expect(readLoginShells(join(root, 'bin'))).toEqual(new Set());
});
