// Writes a CycloneDX document for each shipped program, and validates the licenses of all dependencies. It reads the
// installed packages and the lock file, and its output is reproducible. Usage: node scripts/sbom.ts [--out dist/sbom]
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { graphOf, type Library, librariesOf } from '../installers/src/licences.ts';
import { orEnd } from './options.ts';

const ROOT = join(import.meta.dirname, '..');
/** The workspace of each program, whose run-time dependencies are listed. */
export const PROGRAMS = {
  hub: 'hub',
  console: 'hub/console',
  agent: 'agent',
  desktop: 'agent/desktop',
  collector: 'collector',
} as const;

/** Packages of the agent contain Node, and the hub runs on the same version. */
const RUNTIMES: Partial<Record<keyof typeof PROGRAMS, 'node' | 'electron'>> = {
  agent: 'node',
  hub: 'node',
  desktop: 'electron',
};

/** Licenses that permit shipping a library in a closed-source product. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/** Returns null if the SPDX expression permits shipping, else the objection. */
export function objectionToLicence(expression: string): string | null {
  const words = expression.replace(/[()]/g, ' ').trim();
  if (words === '' || words === 'undefined') return 'it names no licence';
  const isFine = words
    .split(/\s+OR\s+/i)
    .some((choice) => choice.split(/\s+AND\s+/i).every((license) => ALLOWED.has(license.trim())));
  return isFine ? null : `${expression} is not on the list`;
}

/** Returns a line for each library that must not be shipped. */
export function licenceProblems(
  libraries: readonly Pick<Library, 'name' | 'version' | 'licence'>[],
) {
  return libraries.flatMap(({ name, version, licence }) => {
    const objection = objectionToLicence(licence);
    return objection === null ? [] : [`${name}@${version}: ${objection}`];
  });
}

/** Returns the libraries of all programs. */
export function shippedLibraries(): Library[] {
  const all = new Map<string, Library>();
  for (const workspace of Object.values(PROGRAMS)) {
    for (const library of librariesOf(workspace))
      all.set(`${library.name}@${library.version}`, library);
  }
  return [...all.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

interface Locked {
  version?: string;
  integrity?: string;
}

/** Returns the CycloneDX 1.6 document of a program. */
export function sbomOf(program: keyof typeof PROGRAMS) {
  const manifest = JSON.parse(readFileSync(join(ROOT, PROGRAMS[program], 'package.json'), 'utf8'));
  const lock: Record<string, Locked> = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  ).packages;
  const graph = graphOf(PROGRAMS[program]);
  const name = RUNTIMES[program];
  const runtimes = name === undefined ? [] : [runtime(name, lock)];
  const components = [...graph.libraries, ...runtimes].map((library) => component(library, lock));
  const version: string = manifest.version;
  const self = `gatewarden-${program}@${version}`;
  const dependencies = [
    {
      ref: self,
      dependsOn: [...graph.top.map(purlOf), ...runtimes.map((runtime) => purlOf(keyOf(runtime)))],
    },
    ...[...graph.libraries, ...runtimes].map((library) => ({
      ref: purlOf(keyOf(library)),
      dependsOn: (graph.needs.get(keyOf(library)) ?? []).map(purlOf),
    })),
  ];
  const content = JSON.stringify([components, dependencies]);
  const digest = createHash('sha256').update(content).digest('hex');
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    // The serial number is derived from the content, which makes the output reproducible.
    serialNumber: `urn:uuid:${asUuid(digest)}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': self,
        name: `gatewarden-${program}`,
        version,
      },
    },
    components,
    dependencies,
  };
}

const keyOf = ({ name, version }: Library) => `${name}@${version}`;
const purlOf = (key: string) => `pkg:npm/${key.replace(/^@/, '%40')}`;

function runtime(name: 'node' | 'electron', lock: Record<string, Locked>): Library {
  const version = lock[`node_modules/${name}`]?.version ?? '';
  return { name, version, licence: 'MIT', folder: '' };
}

function component(library: Library, lock: Record<string, Locked>) {
  const { name, version, licence } = library;
  const slash = name.startsWith('@') ? name.indexOf('/') : -1;
  const purl = purlOf(keyOf(library));
  const integrity = Object.entries(lock).find(
    ([path, entry]) => path.endsWith(`node_modules/${name}`) && entry.version === version,
  )?.[1].integrity;
  return {
    type: 'library',
    'bom-ref': purl,
    ...(slash < 0 ? {} : { group: name.slice(0, slash) }),
    name: name.slice(slash + 1),
    version,
    purl,
    licenses: [/[ (]/.test(licence) ? { expression: licence } : { license: { id: licence } }],
    ...(integrity === undefined
      ? {}
      : {
          hashes: [
            {
              alg: 'SHA-512',
              content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
            },
          ],
        }),
  };
}

function asUuid(hex: string): string {
  const parts = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(hex)?.slice(1) ?? [];
  return `${parts[0]}-${parts[1]}-5${parts[2]}-8${parts[3]}-${parts[4]}`;
}

if (import.meta.main) {
  const options = { out: { type: 'string', default: 'dist/sbom' } } as const;
  const { values } = orEnd(() => parseArgs({ options }), 2);
  const out = resolve(values.out);
  mkdirSync(out, { recursive: true });
  for (const program of Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[]) {
    const bom = sbomOf(program);
    const file = join(out, `gatewarden-${program}.cdx.json`);
    writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
    process.stdout.write(`${file}: ${bom.components.length} components\n`);
  }
  const libraries = shippedLibraries();
  const lines = libraries.map(({ name, version, licence }) => `${name} ${version}: ${licence}\n`);
  writeFileSync(join(out, 'licences.txt'), lines.join(''));
  const problems = licenceProblems(libraries);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
