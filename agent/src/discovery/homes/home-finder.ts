// Finds the homes of this machine. Where a home may be on an unresponsive file system, a worker process lists them,
// and is abandoned when it does not end.
import { agentScope } from '../../config/agent-scope.ts';
import { readOwnSid } from '../../native/windows/process-handle.ts';
import { readRegistryTree, readRegistryValues } from '../../native/windows/registry.ts';
import {
  type AbandonedWorkers,
  createAbandonedWorkers,
  runKillable,
} from '../../runtime/killable-worker.ts';
import { HOMES_WORKER } from '../../runtime/program-paths.ts';
import {
  discoverHomes,
  type FoundHomes,
  type Home,
  type HomeListingPlan,
  type HomeListingRequest,
  planHomeListing,
} from './home-list.ts';
import { readHomeMounts } from './home-mounts.ts';

const PROFILE_LIST = 'HKLM\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\ProfileList';
const SHELL_FOLDERS = 'Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\User Shell Folders';
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
  const wanted = planHomeListing(process.platform === 'win32' ? askWindows() : {});
  if (!mayHang(wanted)) return discoverHomes(wanted);
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
  const mounts = readHomeMounts();
  if (mounts === null) return true;
  if (folder !== null && mounts.foreignBelow(folder).length > 0) return true;
  const places = [...listed.map((home) => home.path), ...(folder === null ? [] : [folder])];
  return places.some((path) => mounts.foreignOn(path) !== null);
}

/** Reads the profiles that this agent serves: a user's agent finds other profiles, and may not read them. */
function askWindows(): HomeListingRequest {
  const all = readRegistryTree(PROFILE_LIST) ?? [];
  const profiles =
    agentScope() === 'machine' ? all : all.filter(({ path }) => path.endsWith(`\\${readOwnSid()}`));
  const shellFolders = new Map(
    profiles.map(({ path }) => {
      const sid = path.slice(path.lastIndexOf('\\') + 1);
      // The hive of a user exists while the user is signed in.
      return [sid, readRegistryValues(`HKU\\${sid}\\${SHELL_FOLDERS}`) ?? new Map()];
    }),
  );
  return { root: `${process.env.SystemDrive ?? 'C:'}\\`, profiles, shellFolders };
}

/** Returns null where the worker does not end in time, or ends before it wrote its result. */
async function askChild(
  wanted: HomeListingPlan,
  abandoned: AbandonedWorkers,
): Promise<FoundHomes | null> {
  const { SystemRoot } = process.env;
  const result = await runKillable(process.execPath, ['--max-semi-space-size=1', HOMES_WORKER], {
    env: { ...(SystemRoot === undefined ? {} : { SystemRoot }), UV_THREADPOOL_SIZE: THREADS },
    input: JSON.stringify(wanted),
    timeoutMs: PATIENCE_MS,
    maxOutput: MAX_ANSWER,
    isComplete: (output) => output.endsWith('\n'),
    abandon: (child) => abandoned.abandon(child, WAY),
  });
  return result === null || !result.output.endsWith('\n')
    ? null
    : (JSON.parse(result.output) as FoundHomes);
}
