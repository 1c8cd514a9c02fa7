// Whether a path answers, asked by a small program that can be given up: what is touched on a dead network file system never
// comes back, and the service's own threads are few.
import { execFile } from 'node:child_process';
import { type Mounts, readMounts } from './discovery/mounts.ts';

export interface Reach {
  /** True where nothing on the way waits for anybody else. */
  isOwn(path: string): boolean;
  /** Whether who touches it comes back. At once where it is the machine's own. */
  answers(path: string): Promise<boolean>;
  /** Where it really is; null where it is not there, `hangs` where nobody says so. */
  realPath(path: string): Promise<string | null | 'hangs'>;
}

const PATIENCE_MS = 2000;
/** A mount that did not answer is left alone for so long, one that did is believed for so long. */
const REST_MS = 30_000;
const BELIEVED_MS = 1000;
const USUAL_PATH = '/usr/bin:/bin';
const MAX_ANSWER = 16_384;

/** `read` tells the mounts; where none are told, everything is the machine's own. */
export function openReach(
  monotonicMs: () => number = () => performance.now(),
  read: () => Mounts | null = readMounts,
): Reach {
  const hungAtMs = new Map<string, number>();
  const answeredAtMs = new Map<string, number>();
  let table: { mounts: Mounts | null; atMs: number } | null = null;
  const foreignOn = (path: string): string | null => {
    const nowMs = monotonicMs();
    if (table === null || nowMs - table.atMs > BELIEVED_MS) table = { mounts: read(), atMs: nowMs };
    return table.mounts?.foreignOn(path) ?? null;
  };
  const isWithin = (times: Map<string, number>, mount: string, ms: number) =>
    monotonicMs() - (times.get(mount) ?? -Infinity) < ms;
  const realPath = async (path: string): Promise<string | null | 'hangs'> => {
    const mount = foreignOn(path) ?? '/';
    if (isWithin(hungAtMs, mount, REST_MS)) return 'hangs';
    const found = await askForRealPath(path);
    (found === 'hangs' ? hungAtMs : answeredAtMs).set(mount, monotonicMs());
    return found;
  };
  return {
    isOwn: (path) => foreignOn(path) === null,
    async answers(path) {
      const mount = foreignOn(path);
      if (mount === null || isWithin(answeredAtMs, mount, BELIEVED_MS)) return true;
      return (await realPath(path)) !== 'hangs';
    },
    realPath,
  };
}

function askForRealPath(path: string): Promise<string | null | 'hangs'> {
  return new Promise((resolve) => {
    const child = execFile(
      'readlink',
      ['-f', '-z', '--', path],
      { cwd: '/', env: { PATH: process.env.PATH ?? USUAL_PATH }, maxBuffer: MAX_ANSWER },
      (error, stdout) => {
        clearTimeout(timer);
        // Where there is no such program nobody can say.
        if (error?.code === 'ENOENT') resolve('hangs');
        else resolve(error === null ? stdout.replace(/\0$/, '') || null : null);
      },
    );
    // It may not even be possible to end it.
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.unref();
      resolve('hangs');
    }, PATIENCE_MS);
  });
}
