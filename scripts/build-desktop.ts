// Builds the tray app into agent/desktop/dist: its pages, the main process and the preload script. A preload script in
// Electron's sandbox must be a single CommonJS file, and bundling avoids node_modules in the package.
import { cpSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { buildOnce } from './build-once.ts';

const DESKTOP = join(import.meta.dirname, '../agent/desktop');
const SOURCES = [
  'agent/desktop/*.{ts,json}',
  'agent/desktop/{src,page,icons}/**/*',
  'agent/src/**/*.ts',
  'shared/**/*.ts',
];

/** Returns `built`, `fresh`, or `skipped` if the build tool is not installed. */
export function buildDesktop(): Promise<'built' | 'fresh' | 'skipped'> {
  return buildOnce(join(DESKTOP, 'dist/.sources'), SOURCES, buildParts, () => import('vite'));
}

async function buildParts(vite: typeof import('vite')): Promise<void> {
  await vite.build({ root: join(DESKTOP, 'page'), logLevel: 'warn' });
  for (const icon of globSync('icons/*.png', { cwd: DESKTOP })) {
    cpSync(join(DESKTOP, icon), join(DESKTOP, 'dist', icon));
  }
  for (const [name, format, ending] of [
    ['main', 'es', 'js'],
    ['preload', 'cjs', 'cjs'],
  ] as const) {
    await vite.build({
      configFile: false,
      root: DESKTOP,
      logLevel: 'warn',
      ssr: { noExternal: true },
      build: {
        ssr: `src/${name}.ts`,
        outDir: 'dist',
        emptyOutDir: false,
        rolldownOptions: {
          external: ['electron'],
          output: { format, entryFileNames: `[name].${ending}`, codeSplitting: false },
        },
      },
    });
  }
}

if (import.meta.main) process.stdout.write(`${await buildDesktop()}\n`);
