// Third-party code that we ship: its licenses, its hashes, and its install scripts. `npm audit` is not here: it needs a server.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LockEntry, lockProblems } from '../../scripts/check-lock.ts';
import { releaseNotes } from '../../scripts/release-notes.ts';
import {
  licenceProblems,
  objectionToLicence,
  PROGRAMS,
  sbomOf,
  shippedLibraries,
} from '../../scripts/sbom.ts';
import { ROOT } from './planted.ts';

const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
const packages: Record<string, LockEntry> = read('package-lock.json').packages;
const scripts: Record<string, boolean> = read('package.json').allowScripts;

test('ships only libraries whose licenses allow it', () => {
  expect(licenceProblems(shippedLibraries())).toEqual([]);
});

test('terms that are unknown, or only allowed together with others, are noticed', () => {
  for (const fine of ['MIT', '(MIT OR GPL-3.0)', 'MIT AND ISC', 'GPL-2.0 OR Apache-2.0']) {
    expect(objectionToLicence(fine)).toBe(null);
  }
  for (const bad of [
    '',
    'undefined',
    'GPL-3.0',
    'MIT AND GPL-3.0',
    'SEE LICENSE IN x',
    'AGPL-3.0',
  ]) {
    expect(objectionToLicence(bad)).not.toBe(null);
  }
  const planted = { name: 'planted', version: '1.0.0', licence: 'SSPL-1.0' };
  expect(licenceProblems([...shippedLibraries(), planted])).toEqual([
    'planted@1.0.0: SSPL-1.0 is not on the list',
  ]);
});

test('accepts only packages of the registry with a hash in the lock file', () => {
  expect(lockProblems(packages, scripts)).toEqual([]);
  expect(Object.keys(packages).length).toBeGreaterThan(300);
});

test('rejects a modified lock file', () => {
  const name = 'node_modules/fastify';
  const good = packages[name] ?? {};
  const { integrity: _none, ...unbound } = good;
  const planted: [LockEntry, RegExp][] = [
    [{ ...good, resolved: 'https://registry.example.com/fastify.tgz' }, /comes from/],
    [{ ...good, resolved: 'http://registry.npmjs.org/fastify.tgz' }, /comes from/],
    [{ ...good, resolved: 'git+ssh://git@github.com/x/y.git' }, /comes from/],
    [unbound, /has no integrity/],
    [{ ...good, integrity: 'sha1-abc' }, /not one SHA-512/],
    [{ ...good, version: '^5.0.0' }, /no exact version/],
    [{ ...good, hasInstallScript: true }, /runs a script/],
  ];
  for (const [entry, message] of planted) {
    const problems = lockProblems({ ...packages, [name]: entry }, scripts);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(message);
  }
});

test('lists each component in the SBOM with version, package URL, license and hash, reproducibly', () => {
  for (const program of Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[]) {
    const bom = sbomOf(program);
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
    expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(new Set(bom.components.map((component) => component['bom-ref'])).size).toBe(
      bom.components.length,
    );
    for (const component of bom.components) {
      expect(component.purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/);
      expect(component.hashes?.[0]?.content, component.purl).toMatch(/^[0-9a-f]{128}$/);
    }
    expect(sbomOf(program)).toEqual(bom);
  }
  const names = sbomOf('agent').components.map((component) => component.purl);
  expect(names.some((name) => name.startsWith('pkg:npm/node@24.'))).toBe(true);
  expect(names.some((name) => name.startsWith('pkg:npm/fastify@'))).toBe(false);
});

test('lists dependencies of each component in the SBOM, all reachable from the program', () => {
  for (const program of Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[]) {
    const { metadata, components, dependencies } = sbomOf(program);
    const needs = new Map(dependencies.map((dependency) => [dependency.ref, dependency.dependsOn]));
    expect(needs.size).toBe(dependencies.length);
    const reached = new Set([metadata.component['bom-ref']]);
    // Iteration continues with elements that are added during it.
    for (const ref of reached) {
      const needed = needs.get(ref) ?? [ref, 'missing'];
      expect(new Set(needed).size, ref).toBe(needed.length);
      for (const value of needed) reached.add(value);
    }
    const known = [metadata.component, ...components].map((item) => item['bom-ref']);
    expect([...reached].sort()).toEqual(known.sort());
    expect([...needs.keys()].sort()).toEqual(known);
  }
  const fastify = sbomOf('hub').dependencies.find((dependency) =>
    dependency.ref.startsWith('pkg:npm/fastify@'),
  );
  expect(fastify?.dependsOn.some((value) => value.startsWith('pkg:npm/find-my-way@'))).toBe(true);
});

test('release notes list each change once, without merges', () => {
  const notes = releaseNotes('0.2.0', '2026-11-21', ['A new page', 'Merge x', 'A new page', 'wip']);
  expect(notes).toBe('## 0.2.0 (2026-11-21)\n\n- A new page\n');
});

test.each(['no-such-tag', '--output=notes'])(
  'release notes since %s: a line, and no trace of the program',
  (from) => {
    const script = join(ROOT, 'scripts', 'release-notes.ts');
    const run = spawnSync(process.execPath, [script, `--from=${from}`], { encoding: 'utf8' });
    expect([run.status, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toBe(`--from: there is no tag or commit "${from}" in ${ROOT}\n`);
  },
);

test.each([
  ['scripts/release-notes.ts', 2],
  ['scripts/sbom.ts', 2],
  ['installers/src/build.ts', 1],
  ['installers/src/tree.ts', 1],
])('reports an unknown option of %s in a single line', (script, code) => {
  const run = spawnSync(process.execPath, [join(ROOT, script), '--wrong'], { encoding: 'utf8' });
  expect([run.status, run.stdout]).toEqual([code, '']);
  expect(run.stderr).toMatch(/^Unknown option '--wrong'[^\n]*\n$/);
});
