// Whatever enforces runs in a PID namespace of its own: a mistake of the agent can then end nothing of this machine.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Namespace of the process that started this process: an inherited variable alone is no proof. */
const OUTSIDE = 'GATEWARDEN_TEST_OUTSIDE';
const PATIENCE_MS = 1_200_000;

function ownNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    // No Linux, or no /proc.
    return null;
  }
}

/** True in a PID namespace that was made for this test. */
export function isInOwnNamespace(): boolean {
  const outside = process.env[OUTSIDE];
  const own = ownNamespace();
  return outside !== undefined && own !== null && own !== outside;
}

/** Throws where an agent that may end processes would run beside the processes of this machine. */
export function refuseOutside(configFile: string): void {
  if (isInOwnNamespace()) return;
  if (!/^\s*enforcement\s*=\s*"enforce"/m.test(readFileSync(configFile, 'utf8'))) return;
  throw new Error('an agent that enforces runs in inOwnNamespace() only');
}

function unshareArguments(): string[] {
  // Without root, a user namespace gives the right to make the others.
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
  return [...user, '--pid', '--fork', '--mount-proc', '--kill-child'];
}

function whyImpossible(): string | null {
  if (process.platform !== 'linux') return `there are no PID namespaces on ${process.platform}`;
  const tried = spawnSync('unshare', [...unshareArguments(), 'true'], { encoding: 'utf8' });
  if (tried.status === 0) return null;
  return `unshare does not work here: ${(tried.stderr || String(tried.error)).trim()}`;
}

/**
 * Declares the tests of a file: inside of a namespace as they are, outside as a test that runs the file again in a
 * namespace. Where none can be created they are skipped, and the reason is printed.
 */
export function inOwnNamespace(file: string, declare: () => void, project = 'inside'): void {
  if (isInOwnNamespace()) {
    declare();
    return;
  }
  const impossible = whyImpossible();
  if (impossible !== null) {
    process.stdout.write(`skipped: ${file}: ${impossible}\n`);
    test.skip(`needs a PID namespace of its own: ${impossible}`, () => undefined);
    return;
  }
  test('in a PID namespace of its own', { timeout: PATIENCE_MS }, () => runInside(file, project));
}

function runInside(file: string, project: string): Promise<void> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const command = [process.execPath, vitest, 'run', '--project', project, file];
  // No Node options of the outer run, which are for its workers.
  const env: NodeJS.ProcessEnv = { ...process.env, [OUTSIDE]: ownNamespace() ?? '' };
  for (const name of Object.keys(env)) if (name.startsWith('VITEST')) delete env[name];
  return new Promise((resolve, reject) => {
    execFile(
      'unshare',
      [...unshareArguments(), ...command],
      { cwd: ROOT, env, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        for (const line of stdout.split('\n')) {
          // The output of a measurement is for the person who started it.
          if (/^(from start to end|watching) /.test(line)) process.stdout.write(`${line}\n`);
        }
        if (error === null) resolve();
        else reject(new Error(`${stdout}\n${stderr}`));
      },
    );
  });
}
