import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../../test/agent-process.ts';
import { plant } from '../../../../test/trees.ts';
import { openScopedFs } from '../../scoped-fs/scoped-fs.ts';
import { findProjects } from './project-finder.ts';

test('lists each folder of a home once, also below a usual folder of projects', async () => {
  const root = makeFolder();
  plant(root, {
    'home/alice/code/app/AGENTS.md': 'x',
    'home/alice/code/group/deep/deeper/AGENTS.md': 'x',
    'home/alice/notes/2026/AGENTS.md': 'x',
  });
  const { fs } = openScopedFs({
    ...{ platform: 'linux', root, env: {}, readRegistry: null, commons: new Map() },
    home: { owner: 'alice', path: join(root, 'home/alice'), uid: null, gid: null },
    isOverdue: () => false,
  });
  const listed: string[] = [];
  const projects = await findProjects({
    ...fs,
    entries(path) {
      listed.push(path);
      return fs.entries(path);
    },
  });
  const paths = ['code/app', 'code/group/deep/deeper', 'notes/2026'];
  expect(projects.map(({ path }) => path)).toEqual(paths);
  expect(listed).toHaveLength(new Set(listed).size);
});
