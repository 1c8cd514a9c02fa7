// Desktop entries of the system and of homes, valid and hostile, are parsed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '../../../test/agent-process.ts';
import { contextOf, FIXED_CLOCK, put } from '../../../test/trees.ts';
import { scan } from '../scan/in-process-scan.ts';
import { desktopEntries } from './desktop-entries.ts';

const entry = (lines: string) => `[Desktop Entry]\nType=Application\n${lines}\n`;

function scanRoot(root: string) {
  return scan([desktopEntries], contextOf(root, { people: ['alice'] }), FIXED_CLOCK);
}

describe.runIf(process.platform === 'linux')('desktop entries', () => {
  test('reports applications with their program, once for the machine and its users', async () => {
    const root = makeFolder();
    put(root, 'usr/bin/editor', 'x', 0o755);
    put(
      root,
      'usr/share/applications/org.editor.desktop',
      entry('Name=Editor\nExec=env KEY=secret editor %F'),
    );
    put(root, 'usr/share/applications/kde/sub.desktop', entry('Name=Sub\nExec=nowhere'));
    put(
      root,
      'usr/share/applications/hidden.desktop',
      entry('Name=H\nNoDisplay=true\nExec=editor'),
    );
    put(root, 'usr/share/applications/link.desktop', '[Desktop Entry]\nType=Link\nName=L\nURL=x');
    put(
      root,
      'home/alice/.local/share/applications/org.editor.desktop',
      entry('Name=Mine\nExec=editor'),
    );
    const { entities, coverage, problems } = await scanRoot(root);
    const byName = new Map(entities.map((e) => [e.wire.name, e.wire]));
    expect([...byName.keys()].sort()).toEqual(['Editor', 'Sub']);
    expect(byName.get('Editor')).toMatchObject({
      executables: ['/usr/bin/editor'],
      instances: [
        { owner: null },
        { owner: 'alice', path: '~/.local/share/applications/org.editor.desktop', name: 'Mine' },
      ],
    });
    expect(JSON.stringify(entities)).not.toContain('secret');
    expect(entities.every((e) => Value.Check(WireEntity, e.wire))).toBe(true);
    expect(problems).toEqual([]);
    expect(coverage).toMatchObject([
      { owner: null, state: 'read', entities: 2 },
      { owner: 'alice', state: 'read', entities: 1 },
    ]);
  });

  test('survives and reports entries of a hostile home', async () => {
    const root = makeFolder();
    const folder = 'home/alice/.local/share/applications';
    put(root, `${folder}/good.desktop`, entry('Name=Good'));
    put(root, `${folder}/huge.desktop`, `[Desktop Entry]\n#${'x'.repeat(70_000)}`);
    put(root, `${folder}/binary.desktop`, '\0\u0001\u0002');
    put(root, `${folder}/quote.desktop`, entry('Name=Q\nExec="open'));
    put(root, `${folder}/proto.desktop`, entry('Name=__proto__\n__proto__=x\nconstructor=y'));
    execFileSync('mkfifo', [join(root, folder, 'fifo.desktop')]);
    symlinkSync('/etc/shadow', join(root, folder, 'shadow.desktop'));
    symlinkSync('/etc', join(root, folder, 'etc'));
    mkdirSync(join(root, folder, 'folder.desktop'));
    const { entities, problems } = await scanRoot(root);
    expect(entities.map((e) => e.wire.name).sort()).toEqual(['Good', '__proto__']);
    const reasons = new Map(problems.map((p) => [p.path.replace(/.*\//, ''), p.reason]));
    expect(Object.fromEntries(reasons)).toEqual({
      'binary.desktop': 'no [Desktop Entry] group',
      'fifo.desktop': 'not a regular file',
      'folder.desktop': 'not a regular file',
      'huge.desktop': 'larger than 65536 bytes',
      'quote.desktop': 'an Exec that cannot be read',
      'shadow.desktop': 'a link leads out of the home',
    });
  });

  test('ignores entries that lead out of a home', async () => {
    const root = makeFolder();
    put(root, 'secret/applications/x.desktop', entry('Name=Secret'));
    mkdirSync(join(root, 'home/alice/.local'), { recursive: true });
    symlinkSync(join(root, 'secret'), join(root, 'home/alice/.local/share'));
    const { entities, coverage } = await scanRoot(root);
    expect(entities).toEqual([]);
    expect(coverage.find((c) => c.owner === 'alice')).toMatchObject({ state: 'unreadable' });
  });
});
