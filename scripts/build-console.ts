// Builds the console when its sources changed since the last build.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildOnce } from './build-once.ts';

const CONSOLE = join(import.meta.dirname, '../hub/console');
const SOURCES = [
  'hub/console/{index.html,vite.config.ts,package.json}',
  'hub/console/{src,public}/**/*',
  'shared/**/*.ts',
];

const WORTH_COMPRESSING = 1_024;

/** Gives what was done. */
export function buildConsole(): Promise<'built' | 'fresh' | 'skipped'> {
  return buildOnce(join(CONSOLE, 'dist/.sources'), SOURCES, async (vite) => {
    await vite.build({ root: CONSOLE, logLevel: 'warn' });
    compress(join(CONSOLE, 'dist'));
  });
}

/** Puts beside each larger file what the hub sends to browsers that take it so: once here, not with each request. */
function compress(dist: string): void {
  for (const name of globSync('**/*.{js,css,svg}', { cwd: dist })) {
    const file = join(dist, name);
    const bytes = readFileSync(file);
    if (bytes.length < WORTH_COMPRESSING) continue;
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${file}.gz`, gzipSync(bytes));
  }
}

if (import.meta.main) {
  const outcome = await buildConsole();
  if (outcome === 'skipped') {
    process.stderr.write('the console was not built: vite is not installed\n');
  }
}
