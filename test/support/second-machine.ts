// A machine of its own for an installer: everything of this machine seen through an overlay, with its own processes.
// Files written there stay in a folder; they never reach this machine, and its programs cannot end a process here.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface StayingProgram {
  /** Returns the output so far. */
  log(): string;
  stop(): Promise<string>;
}

export interface SecondMachine {
  /** The folder of the files that were written there, as they lie on top of this machine's. */
  written: string;
  /** Runs a shell script as its root to the end. */
  run(
    script: string,
    env?: Record<string, string>,
  ): Promise<{ code: number | null; output: string }>;
  /** Starts a program that stays; `stop` sends it SIGTERM, waits, and gives what it wrote to standard error. */
  start(command: string): StayingProgram;
  remove(): void;
}

/** Why there can be none here; null where it works. */
export function whyNoSecondMachine(): string | null {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'it needs root';
  const machine = openSecondMachine();
  const [program = '', ...args] = enter(machine.folder, 'true');
  const tried = spawnSync(program, args, { encoding: 'utf8' });
  machine.remove();
  return tried.status === 0 ? null : `an overlay cannot be mounted here: ${tried.stderr.trim()}`;
}

export function openSecondMachine(): SecondMachine & { folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'gw-machine-'));
  for (const name of ['upper', 'work', 'root']) mkdirSync(join(folder, name));
  return {
    folder,
    written: join(folder, 'upper'),
    async run(script, env = {}) {
      const [program = '', ...args] = enter(folder, script);
      const child = spawn(program, args, {
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [out, problem, code] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        new Promise<number | null>((resolve) => child.on('close', resolve)),
      ]);
      return { code, output: out + problem };
    },
    start(command) {
      // The end of the input stops the program: the process here is only the shell that entered the namespace.
      const script = `${command} & pid=$!; cat >/dev/null; kill -TERM $pid; wait $pid`;
      const [program = '', ...args] = enter(folder, script);
      const child = spawn(program, args, {
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' },
        stdio: ['pipe', 'ignore', 'pipe'],
      });
      let log = '';
      child.stderr.setEncoding('utf8').on('data', (piece: string) => {
        log += piece;
      });
      const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
      return {
        log: () => log,
        async stop() {
          child.stdin.end();
          await closed;
          return log;
        },
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function enter(folder: string, script: string): string[] {
  const root = join(folder, 'root');
  const options = `lowerdir=/,upperdir=${join(folder, 'upper')},workdir=${join(folder, 'work')}`;
  const mount = [
    `mount -t overlay overlay -o ${options} ${root}`,
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
    `mount -t tmpfs tmpfs ${root}/run`,
    `exec chroot ${root} /bin/sh -c "$0"`,
  ].join(' && ');
  return ['unshare', '-m', '-p', '-f', '--kill-child', '/bin/sh', '-c', mount, script];
}
