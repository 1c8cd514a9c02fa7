// A throw-away folder with planted files, and the gates' own programs run in it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'node_modules/.bin');

export interface Planted {
  folder: string;
  /** Runs a program of node_modules/.bin there; gives its exit code and everything it printed. */
  run(program: string, ...options: string[]): { code: number | null; output: string };
}

/** Passes `work` a new folder with these files that resolves our node_modules; deletes the folder afterwards. */
export function withPlanted<T>(
  files: Readonly<Record<string, string>>,
  work: (planted: Planted) => T,
): T {
  const folder = mkdtempSync(join(tmpdir(), 'gw-gate-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const planted: Planted = {
    folder,
    run(program, ...options) {
      const ended = spawnSync(join(BIN, program), options, {
        cwd: folder,
        encoding: 'utf8',
        env: {
          ...process.env,
          NO_COLOR: '1',
          FORCE_COLOR: '0',
          PATH: `${BIN}:${process.env.PATH}`,
        },
      });
      return { code: ended.status, output: `${ended.stdout}${ended.stderr}` };
    },
  };
  try {
    return work(planted);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
