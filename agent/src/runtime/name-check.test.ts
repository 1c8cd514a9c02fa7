import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../test/agent-process.ts';
import { nameExists } from './name-check.ts';

test('finds the names of files, folders and links to nothing, and no name below a file', () => {
  const folder = makeFolder();
  const at = (name: string) => join(folder, name);
  writeFileSync(at('file'), '');
  mkdirSync(at('folder'));
  symlinkSync(at('nowhere'), at('dangling'));
  const names = ['file', 'folder', 'dangling', 'nowhere', 'nowhere/file', 'file/below'];
  expect(names.filter((name) => nameExists(at(name)))).toEqual(['file', 'folder', 'dangling']);
});
