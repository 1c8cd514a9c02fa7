// Code blocks of a document that are marked for execution: ```sh run. Words after `run`: `background` starts the block and ends it
// with the page, `until=TEXT` waits until its output contains TEXT. Blocks run in order, each in a shell of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface MarkedBlock {
  /** Line of the fence, from 1. */
  line: number;
  script: string;
  isBackground: boolean;
  until: string | null;
}

const FENCE = /^```sh run\b([^\n]*)\n([\s\S]*?)^```[ \t]*$/gm;

export function findMarkedBlocks(text: string): MarkedBlock[] {
  return [...text.matchAll(FENCE)].map(({ index, 1: words = '', 2: script = '' }) => ({
    line: text.slice(0, index).split('\n').length,
    script,
    isBackground: /\bbackground\b/.test(words),
    until: /\buntil=(\S+)/.exec(words)?.[1] ?? null,
  }));
}

/** Top-level entries of a checkout that a reader's copy does not have. */
const LEFT_OUT = new Set(['.git', '.data', 'logs']);

/**
 * Runs blocks in a folder that looks like the checkout; files that they create stay in that folder, which is removed. Throws with
 * the line and the output of the first block that fails.
 */
export async function runMarkedBlocks(
  blocks: readonly MarkedBlock[],
  { root, env }: { root: string; env: NodeJS.ProcessEnv },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-docs-'));
  for (const entry of readdirSync(root)) {
    if (!LEFT_OUT.has(entry)) symlinkSync(join(root, entry), join(folder, entry));
  }
  const running: ChildProcess[] = [];
  try {
    for (const block of blocks) {
      const child = spawn('bash', ['-euo', 'pipefail', '-c', block.script], {
        cwd: folder,
        env: {
          ...env,
          GATEWARDEN_DATA_DIR: join(folder, '.data'),
          HUB_DATA_DIR: join(folder, '.data/hub'),
        },
        // A group of its own, so that everything it starts can be ended.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      if (block.isBackground) running.push(child);
      await outcomeOf(child, block);
    }
  } finally {
    await Promise.all(running.map(endGroup));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves when a block has ended with success, or when its output contains what it waits for. */
function outcomeOf(child: ChildProcess, { line, isBackground, until }: MarkedBlock): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = '';
    const take = (chunk: Buffer) => {
      output += chunk;
      if (isBackground && until !== null && output.includes(until)) resolve();
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    child.on('error', reject);
    child.on('close', (code) => {
      const isMissing = until !== null && !output.includes(until);
      if (code === 0 && !isMissing) resolve();
      else reject(new Error(`The block in line ${line} ended with ${code}:\n${output}`));
    });
    if (isBackground && until === null) resolve();
  });
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('close', resolve));
  process.kill(-child.pid, 'SIGTERM');
  await ended;
}
