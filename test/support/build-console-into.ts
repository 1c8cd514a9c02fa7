// The console built into a folder of a test's own.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const CONSOLE = join(import.meta.dirname, '../../hub/console');

/** Builds the console with the libraries' production or development variant; `options` are Vite's for the build. */
export async function buildConsoleInto(
  folder: string,
  libraries: 'production' | 'development',
  options: { manifest?: boolean; minify?: boolean } = {},
): Promise<void> {
  const config = { root: CONSOLE, logLevel: 'error', build: { ...options, outDir: folder } };
  // NODE_ENV selects the variant of the libraries, and tests have another value of it: so the build has its own process.
  // The call is asynchronous, because a hub in this process would otherwise answer nobody during the build.
  const built = await promisify(execFile)(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { build } = await import('vite'); await build(${JSON.stringify(config)});`,
    ],
    { cwd: CONSOLE, env: { ...process.env, NODE_ENV: libraries } },
  );
  expect(built.stderr).toBe('');
}
