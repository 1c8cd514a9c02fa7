// Builds the console when its sources changed since the last build.
import { join } from 'node:path';
import { buildOnce } from './build-once.ts';
import { compressFiles } from './compress-files.ts';

const CONSOLE = join(import.meta.dirname, '../hub/console');
const SOURCES = [
  'hub/console/{index.html,vite.config.ts,package.json}',
  'hub/console/{src,public}/**/*',
  'shared/**/*.ts',
];

/** Returns `built`, `fresh`, or `skipped` if the build tool is not installed. */
export function buildConsole(): Promise<'built' | 'fresh' | 'skipped'> {
  return buildOnce(
    join(CONSOLE, 'dist/.sources'),
    SOURCES,
    async (vite) => {
      await vite.build({ root: CONSOLE, logLevel: 'warn' });
      compressFiles(join(CONSOLE, 'dist'));
    },
    () => import('vite'),
  );
}

if (import.meta.main) {
  const outcome = await buildConsole();
  if (outcome === 'skipped') {
    process.stderr.write('the console was not built: vite is not installed\n');
  }
}
