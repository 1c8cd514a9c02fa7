// Builds the console when its sources changed since the last build; otherwise does nothing, quickly.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const CONSOLE = join(ROOT, 'hub/console');
const STAMP = join(CONSOLE, 'dist/.sources');
const SOURCES = [
  'hub/console/{index.html,vite.config.ts,package.json}',
  'hub/console/{src,public}/**/*',
  'shared/**/*.ts',
];

/** Gives what was done: `built`, `fresh`, or `skipped` where the build tool is not installed. */
export async function buildConsole(): Promise<'built' | 'fresh' | 'skipped'> {
  const fingerprint = sourcesFingerprint();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint) return 'fresh';
  let vite: typeof import('vite');
  try {
    vite = await import('vite');
  } catch {
    return 'skipped';
  }
  await vite.build({ root: CONSOLE, logLevel: 'warn' });
  writeFileSync(STAMP, fingerprint);
  return 'built';
}

function sourcesFingerprint(): string {
  // What tests serve warns of what is wrong in it, and weighs twice as much: it is not what people get afterwards.
  const hash = createHash('sha256').update(process.env.NODE_ENV === 'test' ? 'test' : '');
  const files = globSync(SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(file.slice(ROOT.length)).update(readFileSync(file));
  return hash.digest('hex');
}

if (import.meta.main) {
  const outcome = await buildConsole();
  if (outcome === 'skipped') {
    process.stderr.write('the console was not built: vite is not installed\n');
  }
}
