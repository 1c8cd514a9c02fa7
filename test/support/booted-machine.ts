// A machine of its own with a real systemd: this one's files through an overlay, its own processes, a control group of its
// own. It shares the network, so that its programs reach a hub here; of the kernel it may change nothing.
import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { awaitThat } from './waiting.ts';

const SYSTEMD = '/lib/systemd/systemd';
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface BootedMachine {
  /** The folder of the files that were written there, as they lie on top of this machine's. */
  written: string;
  /** Runs a shell script as its root to the end; standard error is part of the output. */
  run(
    script: string,
    env?: Record<string, string>,
  ): Promise<{ code: number | null; output: string }>;
  /** Ends all of it. */
  remove(): Promise<void>;
}

/** Why none can be booted here; null where it is worth trying. */
export function whyNoBootedMachine(): string | null {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.getuid?.() !== 0) return 'it needs root';
  if (!existsSync(SYSTEMD)) return 'there is no systemd';
  const groups = controlGroups();
  if (groups === null) return 'there are no control groups of version 2';
  const own = join(groups, `gatewarden-test-${process.pid}`);
  const attempt = spawnSync('mkdir', [own], { encoding: 'utf8' });
  if (attempt.status !== 0) return `no control group can be made: ${attempt.stderr.trim()}`;
  rmdirSync(own);
  return null;
}

/** Boots it. `shown` are folders of this machine that it sees under other names. */
export async function bootMachine(shown: Record<string, string> = {}): Promise<BootedMachine> {
  // On a disk: of an overlay that writes to memory, folders of services were stale after their second start.
  const folder = mkdtempSync(join(process.env.GATEWARDEN_TEST_DISK ?? tmpdir(), 'gw-booted-'));
  for (const name of ['upper', 'work', 'root']) mkdirSync(join(folder, name));
  const group = join(controlGroups() ?? '', `gatewarden-test-${process.pid}`);
  mkdirSync(group);
  const script = join(folder, 'boot.sh');
  writeFileSync(script, bootScript(folder, shown));
  // In its control group before it takes that for the whole. It ends with our end of its input, however we end.
  const enter = `echo $$ >${group}/cgroup.procs
    unshare -m -p -C -u -i --fork --kill-child /bin/sh ${script} </dev/null & box=$!
    echo $box >${folder}/box; cat >/dev/null
    kill -KILL $(cat /proc/$box/task/$box/children); wait`;
  const outside = spawn('/bin/sh', ['-c', enter], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH },
  });
  let output = '';
  for (const stream of [outside.stdout, outside.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      output += piece;
    });
  }
  const ended = new Promise<void>((resolve) => outside.on('close', () => resolve()));
  const init = () => {
    if (!existsSync(join(folder, 'box'))) return '';
    const box = readFileSync(join(folder, 'box'), 'utf8').trim();
    const children = `/proc/${box}/task/${box}/children`;
    return existsSync(children) ? readFileSync(children, 'utf8').trim() : '';
  };
  const machine: BootedMachine = {
    written: join(folder, 'upper'),
    async run(what, env = {}) {
      const pairs = Object.entries({ PATH, LANG: 'C.UTF-8', ...env }).map(([k, v]) => `${k}=${v}`);
      const inside = ['-t', init(), '-m', '-p', '-C', '-u', '-i', 'env', '-i', ...pairs];
      const child = spawn('nsenter', [...inside, '/bin/sh', '-c', `exec 2>&1\n${what}`], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [output, code] = await Promise.all([
        text(child.stdout),
        new Promise<number | null>((resolve) => child.on('close', resolve)),
      ]);
      return { code, output };
    },
    async remove() {
      outside.stdin.end();
      await ended;
      await awaitThat('its control groups are empty', async () => {
        spawnSync('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', '+']);
        return !existsSync(group);
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await awaitThat(
    'systemd runs',
    async () =>
      init() !== '' &&
      /running|degraded/.test((await machine.run('systemctl is-system-running')).output),
    () => output,
  );
  await machine.run('systemctl start systemd-journald.service dbus.socket');
  return machine;
}

/** Returns where control groups of version 2 are mounted; null if they are not. */
function controlGroups(): string | null {
  const line = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[2] === 'cgroup2');
  return line?.split(' ')[1] ?? null;
}

function bootScript(folder: string, shown: Record<string, string>): string {
  const root = join(folder, 'root');
  const options = `lowerdir=/,upperdir=${join(folder, 'upper')},workdir=${join(folder, 'work')}`;
  const binds = Object.entries({ [folder]: folder, ...shown }).map(
    ([from, to]) => `mkdir -p ${root}${to}; mount --bind ${from} ${root}${to}`,
  );
  return [
    'set -eu',
    'mount --make-rprivate /',
    `mount -t overlay overlay -o ${options} ${root}`,
    `mount -t proc proc ${root}/proc`,
    // Processes inside cannot set this machine's kernel parameters.
    `mount --bind ${root}/proc/sys ${root}/proc/sys; mount -o remount,ro,bind ${root}/proc/sys`,
    `mount --bind /sys ${root}/sys; mount -o remount,ro,bind ${root}/sys`,
    `mount -t cgroup2 cgroup2 ${root}/sys/fs/cgroup`,
    `mount --rbind /dev ${root}/dev; mount --make-rslave ${root}/dev`,
    `mount -t tmpfs -o mode=1777 tmpfs ${root}/dev/shm`,
    `mount -t tmpfs tmpfs ${root}/run`,
    `mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp`,
    // Units that this machine starts, mounts and sets by itself are not started a second time.
    `for folder in ${root}/usr/lib/systemd/system-generators ${root}/usr/lib/systemd/system/*.wants ${root}/etc/systemd/system/*.wants; do`,
    '  [ ! -d "$folder" ] || mount -t tmpfs tmpfs "$folder"',
    'done',
    ...binds,
    `cd ${root}; mkdir -p .outside; pivot_root . .outside; umount -l /.outside`,
    'mount --make-rshared /',
    `exec env -i container=gatewarden-test PATH=${PATH} ${SYSTEMD} --system --log-target=console --unit=basic.target </dev/null`,
    '',
  ].join('\n');
}
