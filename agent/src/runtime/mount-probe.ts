// Whether a path answers, asked by a small program that can be given up: what is touched on a dead network file system never
// comes back, and the service's own threads are few.
import { type Mounts, readMounts } from '../discovery/scoped-fs/mount-table.ts';
import { limitTo } from './concurrency-limiter.ts';
import { createAbandonedWorkers, runKillable, type WorkerCall } from './killable-worker.ts';

export interface MountProbe {
  /** True where nothing on the way waits for anybody else. */
  isOwn(path: string): boolean;
  /** Whether who touches it comes back. At once where it is the machine's own. */
  answers(path: string): Promise<boolean>;
  /** Returns the real path; null where it is missing, `hangs` where the mount does not respond. */
  realPath(path: string): Promise<string | null | 'hangs'>;
}

type Found = string | null | 'hangs';

const PATIENCE_MS = 2000;
/** A mount that did not answer is left alone for so long, a path that did is believed for so long. */
const REST_MS = 30_000;
const BELIEVED_MS = 1000;
const USUAL_PATH = '/usr/bin:/bin';
const MAX_ANSWER = 16_384;
/**
 * Bound of simultaneous probes over all mounts, and of abandoned probes that still run: beyond it nothing is probed.
 */
const MAX_ASKED = 8;
const MAX_LEFT = 32;
const MAX_REMEMBERED = 5000;

interface MountProbeParts {
  /** The present mounts; without a mount table everything counts as local. */
  read?: () => Mounts | null;
  /** Takes readlink's options. */
  program?: string;
  patienceMs?: number;
}

/** Knows nothing of any mount yet. */
export function openMountProbe(parts: MountProbeParts = {}): MountProbe {
  const { read = readMounts, program = 'readlink', patienceMs = PATIENCE_MS } = parts;
  const monotonicMs = () => performance.now();
  const hungAtMs = new Map<string, number>();
  const answeredAtMs = new Map<string, number>();
  const asking = new Map<string, Promise<Found>>();
  const lastOf = new Map<string, Promise<Found>>();
  const abandoned = createAbandonedWorkers();
  const limitProbes = limitTo(MAX_ASKED);
  let table: { mounts: Mounts | null; atMs: number } | null = null;
  const mountsNow = (): Mounts | null => {
    const nowMs = monotonicMs();
    if (table === null || nowMs - table.atMs > BELIEVED_MS) table = { mounts: read(), atMs: nowMs };
    return table.mounts;
  };
  const isWithin = (times: Map<string, number>, name: string, ms: number) =>
    monotonicMs() - (times.get(name) ?? -Infinity) < ms;
  const note = (times: Map<string, number>, name: string) => {
    if (times.size >= MAX_REMEMBERED) times.clear();
    times.set(name, monotonicMs());
  };
  const isSilent = (mount: string) =>
    isWithin(hungAtMs, mount, REST_MS) || abandoned.has(mount) || abandoned.count() >= MAX_LEFT;
  const ask = async (path: string, mount: string): Promise<Found> => {
    if (isSilent(mount)) return 'hangs';
    const found = await limitProbes(() => {
      return readLink(program, path, {
        env: { PATH: process.env.PATH ?? USUAL_PATH },
        timeoutMs: patienceMs,
        maxOutput: MAX_ANSWER,
        // The probe process may be impossible to end: nothing waits for it.
        abandon: (child) => void abandoned.abandon(child, mount),
      });
    });
    if (found === 'hangs') note(hungAtMs, mount);
    else note(answeredAtMs, path);
    return found;
  };
  /** Probes of a mount run one after the other: after a probe that hangs the others are skipped. */
  const realPath = (path: string): Promise<Found> => {
    const mount = mountsNow()?.answererOf(path) ?? '/';
    if (isSilent(mount)) return Promise.resolve('hangs');
    const asked = asking.get(path);
    if (asked !== undefined) return asked;
    const before = lastOf.get(mount) ?? Promise.resolve(null);
    const answer = before.then(() => ask(path, mount));
    asking.set(path, answer);
    lastOf.set(mount, answer);
    void answer.then(() => {
      asking.delete(path);
      if (lastOf.get(mount) === answer) lastOf.delete(mount);
    });
    return answer;
  };
  const isOwn = (path: string) => (mountsNow()?.foreignOn(path) ?? null) === null;
  return {
    isOwn,
    async answers(path) {
      // The path itself is probed: a link on a responsive mount may lead to an unresponsive mount.
      if (isOwn(path) || isWithin(answeredAtMs, path, BELIEVED_MS)) return true;
      return (await realPath(path)) !== 'hangs';
    },
    realPath,
  };
}

/** Only the probe's own output is an answer: a failed start or a kill is none. */
async function readLink(program: string, path: string, call: WorkerCall): Promise<Found> {
  const result = await runKillable(program, ['-e', '-z', '--', path], call);
  if (result === null) return 'hangs';
  return result.code === 0 ? result.output.replace(/\0$/, '') || null : null;
}
