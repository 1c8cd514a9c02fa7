// Vitest's global setup of what opens pages: the console and the tray app's window as people get them, built once before any
// file runs.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const SCRIPTS = join(import.meta.dirname, '../../scripts');

export default function setup(): void {
  for (const script of ['build-console.ts', 'build-desktop.ts', 'docs/build-site.ts']) {
    // In a process of its own: under the NODE_ENV of tests the libraries would be those for development.
    const built = spawnSync(process.execPath, [join(SCRIPTS, script)], {
      env: { ...process.env, NODE_ENV: 'production' },
      encoding: 'utf8',
    });
    if (built.status !== 0) throw new Error(`${script}: ${built.stderr}`);
  }
}
