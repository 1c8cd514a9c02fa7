// Exec lines follow the Desktop Entry Specification; hostile lines never throw.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDesktopEntry } from '../desktop-entries.ts';
import { findProgram, splitExec } from './desktop-exec.ts';

test.each([
  ['/usr/bin/chromium %U', '/usr/bin/chromium'],
  ['"/opt/My App/run" --flag', '/opt/My App/run'],
  ['"/opt/quo\\"te" x', '/opt/quo"te'],
  ['env TOKEN=secret GDK=x /usr/bin/app %f', '/usr/bin/app'],
  ['/usr/bin/env -u HOME -C /tmp A=b app', 'app'],
  ['env -i -- app', 'app'],
  ['100%%sure', '100%sure'],
])('parses %s to the program %s', (exec, program) => {
  expect(findProgram(exec)).toEqual({ program, flatpakId: null });
});

test('identifies a Flatpak by its own id', () => {
  const exec = '/usr/bin/flatpak run --branch=stable --command=gimp org.gimp.GIMP @@u %U @@';
  expect(findProgram(exec)).toEqual({ program: '/usr/bin/flatpak', flatpakId: 'org.gimp.GIMP' });
});

test('parses an open quote and an empty line to no program', () => {
  expect(findProgram('"/usr/bin/x')).toBeNull();
  expect(findProgram('env A=b')).toBeNull();
  expect(findProgram('%U')).toBeNull();
});

test('never throws, and never returns an environment value', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      splitExec(text);
      findProgram(text);
      parseDesktopEntry(text);
      parseDesktopEntry(`[Desktop Entry]\n${text}`);
      const found = findProgram(`env A=planted-secret ${text}`);
      expect(found?.program ?? '').not.toContain('planted-secret');
    }),
  );
});
