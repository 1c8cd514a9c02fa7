// Builds the console when its sources changed since the last build.
import { join } from 'node:path';
import { buildOnce } from './build-once.ts';

const CONSOLE = join(import.meta.dirname, '../hub/console');
const SOURCES = [
  'hub/console/{index.html,vite.config.ts,package.json}',
  'hub/console/{src,public}/**/*',
  'shared/**/*.ts',
];

/** Gives what was done. */
export function buildConsole(): Promise<'built' | 'fresh' | 'skipped'> {
  return buildOnce(join(CONSOLE, 'dist/.sources'), SOURCES, (vite) =>
    vite.build({ root: CONSOLE, logLevel: 'warn' }),
  );
}

if (import.meta.main) {
  const outcome = await buildConsole();
  if (outcome === 'skipped') {
    process.stderr.write('the console was not built: vite is not installed\n');
  }
}
