// Bundles the agent's code into a few files: its command line and its two child programs, with shared chunks.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'agent/src');
/** Libraries with native parts are not bundled, because their parts are named by platform. */
const NATIVE = ['better-sqlite3', '@napi-rs/keyring', 'koffi'];
/** The platform suffixes of @napi-rs. */
const ABI = { linux: '-gnu', darwin: '', win32: '-msvc' };
/** The files that koffi loads; the rest of its package is source code in C++. */
const KOFFI_FILES = [
  'package.json',
  'LICENSE.txt',
  'index.cjs',
  'src/koffi/index.cjs',
  'src/koffi/src/static.cjs',
];

export interface Platform {
  /** The operating system in Node's notation. */
  os: 'linux' | 'darwin' | 'win32';
  arch: 'x64' | 'arm64';
}

/**
 * Writes `app` and `node_modules` into the folder. `version` is the version that the agent reports; `parts` is the
 * `node_modules` folder with the platform packages of native libraries, by default that of this repository.
 */
export async function bundleAgent(
  folder: string,
  {
    version,
    platform,
    updateKey,
    parts = join(ROOT, 'node_modules'),
  }: { version: string; platform: Platform; updateKey: string | null; parts?: string },
): Promise<void> {
  const app = join(folder, 'app');
  rmSync(app, { recursive: true, force: true });
  await build({
    cwd: ROOT,
    input: {
      main: join(SOURCE, 'main.ts'),
      'scan-worker': join(SOURCE, 'discovery/scan/worker/scan-worker.ts'),
      'homes-worker': join(SOURCE, 'discovery/scan/worker/homes-worker.ts'),
      'edit-worker': join(SOURCE, 'enforcement/quarantine/edit-worker.ts'),
      ...(platform.os === 'win32' ? { launcher: join(SOURCE, 'update/windows-launcher.ts') } : {}),
    },
    platform: 'node',
    // The other entry point requires its parts at run time, which a bundler cannot resolve.
    resolve: { mainFields: ['module', 'main'] },
    external: NATIVE,
    plugins: [
      {
        name: 'built-in',
        transform(_code, id) {
          if (id === join(SOURCE, 'version.ts')) {
            return `export const AGENT_VERSION = ${JSON.stringify(version)};`;
          }
          if (id === join(SOURCE, 'update/vendor-key.ts')) {
            return `export const VENDOR_KEY = ${JSON.stringify(updateKey)};`;
          }
          return null;
        },
      },
    ],
    output: {
      dir: app,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      minify: { compress: true, mangle: false, codegen: true },
    },
    logLevel: 'warn',
  });
  writeFileSync(join(app, 'package.json'), '{"type":"module"}\n');
  const find = createRequire(join(ROOT, 'agent/package.json'));
  const target: LibraryTarget = { folder: join(folder, 'node_modules'), platform, parts };
  for (const library of NATIVE) {
    // The exports of koffi do not include its manifest; its main module is in the same folder.
    const file = library === 'koffi' ? library : `${library}/package.json`;
    copyLibrary(dirname(find.resolve(file)), library, target);
  }
}

interface LibraryTarget {
  folder: string;
  platform: Platform;
  parts: string;
}

/** Copies a native library from the folder `from`, with its part for the target platform. */
function copyLibrary(from: string, name: string, { folder, platform, parts }: LibraryTarget): void {
  const { os, arch } = platform;
  // On Linux the agent reads /proc instead.
  if (name === 'koffi' && os === 'linux') return;
  const to = join(folder, name);
  const copy = (files: readonly string[]) => {
    for (const file of files) cpSync(join(from, file), join(to, file), { recursive: true });
  };
  const copyPart = (part: string) =>
    cpSync(join(parts, part), join(folder, part), { recursive: true });
  mkdirSync(to, { recursive: true });
  if (name === 'better-sqlite3') {
    copy(['package.json', 'LICENSE', 'lib', `prebuilds/${os}-${arch}.node`]);
  } else if (name === 'koffi') {
    copy(KOFFI_FILES);
    copyPart(`@koromix/koffi-${os}-${arch}`);
  } else {
    copy(readdirSync(from).filter((file) => /\.(js|json|md)$|^LICENSE/.test(file)));
    copyPart(`${name}-${os}-${arch}${ABI[os]}`);
  }
}

/** Returns the version of the workspace. */
export function agentVersion(): string {
  return JSON.parse(readFileSync(join(ROOT, 'agent/package.json'), 'utf8')).version as string;
}
