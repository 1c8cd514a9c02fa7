// Command-line assistants: that they are there and who installed them, by paths, packages and marks alone. Nothing is started.
import { posix } from 'node:path';
import { ASSISTANTS, type Assistant } from '../clients/command-lines.ts';
import { isFields } from '../mcp/servers.ts';
import type { Discovered, ScopedFs, Source } from '../source-contract.ts';
import { readJson } from './lib/document-formats.ts';
import { programFolders } from './lib/program-folders.ts';

const ENDINGS = { linux: [''], darwin: [''], win32: ['.exe', '.cmd', '.bat'] };
/** A script that starts a package's program names it; a program is larger. */
const MAX_SHIM_BYTES = 64 * 1024;

interface Install {
  method: string;
  version: string | null;
  /** The package that installed the program, where its path identifies it: `npm:name`, `pypi:name` or `brew:name`. */
  package: string | null;
}

export const aiCli: Source = {
  name: 'ai_cli',
  platforms: ['linux', 'darwin', 'win32'],
  scopes: ['machine', 'home'],
  async *discover(fs) {
    const seen = new Set<string>();
    const programs = ASSISTANTS.flatMap((assistant) =>
      ENDINGS[fs.platform].map((ending) => ({ assistant, name: `${assistant.binary}${ending}` })),
    );
    for (const folder of await programFolders(fs)) {
      await fs.yieldToEventLoop();
      for (const { assistant, name } of programs) {
        const path = `${folder}/${name}`;
        const real = fs.has(path) ? fs.executable(path) : null;
        if (real === null || seen.has(`${assistant.name}\0${real}`)) continue;
        const found = await describe(fs, assistant, { folder, name, real });
        if (found === null) continue;
        seen.add(`${assistant.name}\0${real}`);
        yield found;
      }
    }
  },
};

interface Candidate {
  folder: string;
  name: string;
  real: string;
}

async function describe(
  fs: ScopedFs,
  assistant: Assistant,
  candidate: Candidate,
): Promise<Discovered | null> {
  const { folder, name, real } = candidate;
  const install = await howInstalled(fs, assistant, candidate);
  if (!hasEvidence(fs, assistant, candidate, install)) return null;
  const { method, version } = install;
  // A person's link may lead to any program: it must not make that program the assistant's.
  const own = fs.owner === null || fs.locate(real) !== null;
  const isScript = method === 'npm' || method === 'pipx';
  return {
    kind: 'ai_tool',
    key: `${assistant.binary}:${method}`,
    name: assistant.name,
    version,
    publisher: assistant.publisher,
    path: fs.toMachinePath(`${folder}/${name}`),
    executables: own ? [real] : [],
    installedAt: fs.changedAt(`${folder}/${name}`),
    launch: isScript ? { command: method === 'npm' ? 'node' : 'python', token: real } : null,
    details: {
      binary: assistant.binary,
      installed_by: method,
      ...(install.package === null ? {} : { package: install.package }),
    },
  };
}

function hasEvidence(
  fs: ScopedFs,
  { common, packages = [] }: Assistant,
  { folder, name, real }: Candidate,
  install: Install,
): boolean {
  if (common === undefined) return true;
  if (install.package !== null && packages.includes(install.package)) return true;
  if (common.path?.test(real.replaceAll('\\', '/')) === true) return true;
  const hasBeside = (other: string) =>
    ENDINGS[fs.platform].some((ending) => fs.has(`${folder}/${other}${ending}`));
  if (common.beside?.some(hasBeside) === true) return true;
  if (fs.owner !== null && common.marks?.some((mark) => fs.has(mark)) === true) return true;
  return packages.some((packageItem) => isSystemPackage(fs, packageItem, `${folder}/${name}`));
}

/** True where the package of that name owns the program, by dpkg's or pacman's list of its files. */
function isSystemPackage(fs: ScopedFs, name: string, path: string): boolean {
  if (fs.owner !== null || !name.startsWith('system:')) return false;
  const plain = name.slice('system:'.length);
  const lists = [
    `/var/lib/dpkg/info/${plain}.list`,
    ...fs.expand(`/var/lib/pacman/local/${plain}-*/files`),
  ];
  return lists
    .filter((list) => fs.kindOf(list) === 'file')
    .map((list) => `\n${fs.text(list) ?? ''}\n`)
    .some((text) => text.includes(`\n${path}\n`) || text.includes(`\n${path.slice(1)}\n`));
}

async function howInstalled(
  fs: ScopedFs,
  assistant: Assistant,
  candidate: Candidate,
): Promise<Install> {
  const real = candidate.real.replaceAll('\\', '/');
  const modules = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(real);
  if (modules !== null) return ofNodePackage(fs, fs.locate(modules[1] ?? ''), modules[2] ?? '');
  const cellar = /\/(?:Cellar|Caskroom)\/([^/]+)\/([^/]+)\//.exec(real);
  if (cellar !== null) {
    return { method: 'homebrew', version: cellar[2] ?? null, package: `brew:${cellar[1]}` };
  }
  const venv = /^(.*\/(?:pipx\/venvs|uv\/tools)\/([^/]+))\//.exec(real);
  if (venv !== null) return ofEnvironment(fs, fs.locate(venv[1] ?? ''), venv[2] ?? '');
  const versioned = /\/versions\/([^/]+)(?:\/|$)/.exec(real)?.[1];
  const beside = await packageBeside(fs, assistant, candidate);
  if (beside !== null) return beside;
  if (versioned !== undefined) return { method: 'native', version: versioned, package: null };
  const method = /^\/(usr\/)?bin\//.test(real) ? 'system' : 'binary';
  return { method, version: null, package: null };
}

async function ofNodePackage(fs: ScopedFs, folder: string | null, name: string): Promise<Install> {
  const manifest = folder === null ? undefined : await readJson(fs, `${folder}/package.json`);
  const version = isFields(manifest) ? manifest.version : null;
  return {
    method: 'npm',
    version: typeof version === 'string' ? version : null,
    package: `npm:${name}`,
  };
}

/** Describes a package in an environment of its own that is named after it. */
function ofEnvironment(fs: ScopedFs, folder: string | null, name: string): Install {
  const version = folder === null ? null : installedPython(fs, `${folder}/lib/python*`, name);
  return { method: 'pipx', version, package: `pypi:${name}` };
}

/** The version of a Python package by the folder of its metadata; null where it is not there. */
function installedPython(fs: ScopedFs, library: string, name: string): string | null {
  const folder = `${library}/site-packages`;
  const plain = name.replaceAll('-', '_');
  const found = fs.expand(`${folder}/${plain}-*.dist-info`);
  return /-([^-]+)\.dist-info$/.exec(found[0] ?? '')?.[1] ?? null;
}

/** Evidence near a program that is no link: the package's folder below the same prefix, or a script that names it. */
async function packageBeside(
  fs: ScopedFs,
  { packages = [] }: Assistant,
  { folder, name }: Candidate,
): Promise<Install | null> {
  const prefix = posix.dirname(folder);
  let shim: string | null | undefined;
  for (const packageItem of packages) {
    const [registry, plain = ''] = splitRegistry(packageItem);
    if (registry === 'pypi') {
      const version = installedPython(fs, `${prefix}/lib/python*`, plain);
      if (version !== null) return { method: 'pip', version, package: packageItem };
    }
    if (registry !== 'npm') continue;
    const near = [
      `${folder}/node_modules/${plain}`,
      `${prefix}/lib/node_modules/${plain}`,
      `${prefix}/tools/image/packages/${plain}/lib/node_modules/${plain}`,
    ];
    const modules = near.find((path) => fs.kindOf(`${path}/package.json`) === 'file');
    if (modules !== undefined) return ofNodePackage(fs, modules, plain);
    shim ??= readShim(fs, `${folder}/${name}`);
    if (shim?.replaceAll('\\', '/').includes(`node_modules/${plain}/`)) {
      return { method: 'npm', version: null, package: packageItem };
    }
  }
  return null;
}

function splitRegistry(name: string): [string, string] {
  const at = name.indexOf(':');
  return [name.slice(0, at), name.slice(at + 1)];
}

/** A small script's text; null for programs. */
function readShim(fs: ScopedFs, path: string): string | null {
  const size = fs.sizeOf(path);
  if (size === null || size > MAX_SHIM_BYTES) return null;
  const text = fs.text(path, MAX_SHIM_BYTES);
  return text === null || text.includes('\0') ? null : text;
}
