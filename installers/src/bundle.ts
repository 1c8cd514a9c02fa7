// Bundles the agent's code into a few files: its command line and its two child programs, with shared chunks.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'rolldown';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'agent/src');
/** Libraries with native parts are not bundled, because their parts are named by platform. */
const NATIVE = ['better-sqlite3', '@napi-rs/keyring'];
/** The platform suffixes of @napi-rs. */
const ABI = { linux: '-gnu', darwin: '', win32: '-msvc' };

export interface Platform {
  /** The operating system in Node's notation. */
  os: 'linux' | 'darwin' | 'win32';
  arch: 'x64' | 'arm64';
}

/** Writes `app` and `node_modules` into the folder. `version` is the version that the agent reports. */
export async function bundleAgent(
  folder: string,
  {
    version,
    platform,
    updateKey,
  }: { version: string; platform: Platform; updateKey: string | null },
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
  for (const library of NATIVE) copyLibrary(folder, library, platform);
}

function copyLibrary(folder: string, name: string, platform: Platform): void {
  const find = createRequire(join(ROOT, 'agent/package.json'));
  const from = dirname(find.resolve(`${name}/package.json`));
  const to = join(folder, 'node_modules', name);
  mkdirSync(to, { recursive: true });
  if (name === 'better-sqlite3') {
    for (const part of ['package.json', 'LICENSE', 'lib']) {
      cpSync(join(from, part), join(to, part), { recursive: true });
    }
    const built = `prebuilds/${platform.os}-${platform.arch}.node`;
    mkdirSync(join(to, 'prebuilds'));
    cpSync(join(from, built), join(to, built));
    return;
  }
  for (const part of readdirSync(from).filter((name) => /\.(js|json|md)$|^LICENSE/.test(name))) {
    cpSync(join(from, part), join(to, part));
  }
  const inside = `${name}-${platform.os}-${platform.arch}${ABI[platform.os]}`;
  cpSync(join(dirname(from), inside.split('/')[1] ?? ''), join(folder, 'node_modules', inside), {
    recursive: true,
  });
}

/** Returns the version of the workspace. */
export function agentVersion(): string {
  return JSON.parse(readFileSync(join(ROOT, 'agent/package.json'), 'utf8')).version as string;
}
