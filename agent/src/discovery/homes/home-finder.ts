// Finds the homes of this machine. Where a home may be on an unresponsive file system, a worker process lists them,
// and is abandoned when it does not end.
import { execFile } from 'node:child_process';
import { HOMES_WORKER } from '../../runtime/program-paths.ts';
import { type AbandonedWorkers, createAbandonedWorkers } from '../scan/worker/abandoned-workers.ts';
import { readMounts } from '../scoped-fs/mount-table.ts';
import { openLiveRegistry, parseRegistryExport } from '../scoped-fs/windows-registry.ts';
import {
  discoverHomes,
  type FoundHomes,
  type Home,
  type HomeListingPlan,
  type HomeListingRequest,
  planHomeListing,
} from './home-list.ts';

const PROFILE_LIST = 'HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList';
/** Timeout of the worker: longer than its own timeouts for a folder, a folder in it and a home together. */
const PATIENCE_MS = 10_000;
const WAY = 'homes';
const MAX_ANSWER = 16 * 1024 * 1024;
/** A thread for each home that may hang. */
const THREADS = '64';

/** Returns the homes; homes without an answer count as hanging. Returns null while an earlier worker still hangs. */
export async function findHomes(
  abandoned: AbandonedWorkers = createAbandonedWorkers(),
): Promise<FoundHomes | null> {
  const wanted = planHomeListing(process.platform === 'win32' ? await askWindows() : {});
  if (process.platform === 'linux' && !mayHang(wanted)) return discoverHomes(wanted);
  if (abandoned.has(WAY)) return null;
  const { listed, folder } = wanted;
  return (
    (await askChild(wanted, abandoned)) ?? {
      homes: listed.map((home): Home => ({ ...home, hangs: true })),
      hanging: folder === null ? [] : [folder],
    }
  );
}

function mayHang({ listed, folder }: HomeListingPlan): boolean {
  const mounts = readMounts();
  if (mounts === null) return true;
  if (folder !== null && mounts.foreignBelow(folder).length > 0) return true;
  const places = [...listed.map((home) => home.path), ...(folder === null ? [] : [folder])];
  return places.some((path) => mounts.foreignOn(path) !== null);
}

async function askWindows(): Promise<HomeListingRequest> {
  const exported = await openLiveRegistry(process.env.SystemRoot ?? 'C:\\Windows')(PROFILE_LIST);
  const profiles = exported === null ? [] : parseRegistryExport(exported);
  return { root: `${process.env.SystemDrive ?? 'C:'}\\`, profiles };
}

function askChild(
  wanted: HomeListingPlan,
  abandoned: AbandonedWorkers,
): Promise<FoundHomes | null> {
  return new Promise((resolve) => {
    const { SystemRoot } = process.env;
    const child = execFile(process.execPath, ['--max-semi-space-size=1', HOMES_WORKER], {
      cwd: '/',
      env: { ...(SystemRoot === undefined ? {} : { SystemRoot }), UV_THREADPOOL_SIZE: THREADS },
      maxBuffer: MAX_ANSWER,
    });
    let output = '';
    const end = (found: FoundHomes | null) => {
      clearTimeout(timer);
      void abandoned.abandon(child, WAY).then(() => resolve(found));
    };
    const timer = setTimeout(() => end(null), PATIENCE_MS);
    child.once('error', () => end(null));
    child.once('close', () => end(readAnswer(output)));
    child.stdout?.on('data', (chunk: string) => {
      output += chunk;
      if (chunk.endsWith('\n')) end(readAnswer(output));
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(wanted));
  });
}

function readAnswer(output: string): FoundHomes | null {
  try {
    return JSON.parse(output) as FoundHomes;
  } catch {
    // The worker ended before it wrote its result.
    return null;
  }
}
