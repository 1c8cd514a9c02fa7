#!/usr/bin/env node
// `npx gatewarden`: finds the Node that came along, whatever Node the machine has, and does the command with it. No types
// here, for an older Node reads this file.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function nodeThatCameAlong() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'));
    const program = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return existsSync(program) ? program : null;
  } catch {
    return null;
  }
}

const node = nodeThatCameAlong();
if (node === null) {
  process.stderr.write('gatewarden: its packages are missing: run "npm ci" first\n');
  process.exitCode = 1;
} else {
  const program = fileURLToPath(new URL('gatewarden.ts', import.meta.url));
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal tells the child by itself; whoever ends only this process means both.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', (error) => {
    process.stderr.write(`gatewarden: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
