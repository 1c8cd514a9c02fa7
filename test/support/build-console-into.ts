// The console built into a folder of a test's own.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';

const CONSOLE = join(import.meta.dirname, '../../hub/console');

/** With the libraries as people get them, or those for development; `options` are Vite's for the build. */
export async function buildConsoleInto(
  folder: string,
  libraries: 'production' | 'development',
  options: { manifest?: boolean; minify?: boolean } = {},
): Promise<void> {
  const config = { root: CONSOLE, logLevel: 'error', build: { ...options, outDir: folder } };
  // In a process of its own: which libraries are taken is said by NODE_ENV, which is that of tests here. And not waited for
  // in place: a hub that runs in this process would be busy to all who ask.
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
