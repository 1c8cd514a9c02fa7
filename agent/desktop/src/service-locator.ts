// Locates the service of this device, and checks whether it can be trusted.
import { lstatSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { AgentScope } from '../../src/config/agent-scope.ts';
import { defaultDataDir } from '../../src/config/data-dir.ts';
import { socketPath } from '../../src/local-api/socket-paths.ts';

const SCOPES: readonly AgentScope[] = ['machine', 'user'];

/** The installed service's folder, then the folder of the user's own service; or the folder that the start names. */
export function dataDirsToTry(named: string | null, env: NodeJS.ProcessEnv): string[] {
  if (named !== null) return [resolve(named)];
  const { platform } = process;
  return [...new Set(SCOPES.map((scope) => defaultDataDir(env, platform, scope)))];
}

/**
 * Returns the existing sockets in the order of requests: a stopped service leaves its socket behind. An untrusted
 * socket does not lead to the next one.
 */
export function findServices(dataDirs: readonly string[]): {
  found: string[];
  problem: 'no_service' | 'not_ours';
} {
  const found: string[] = [];
  for (const dataDir of dataDirs) {
    const socket = socketPath(dataDir, 'status', process.env);
    // Windows names pipes outside of the file system: Node cannot read their owner.
    if (process.platform !== 'win32') {
      const there = lstatSync(socket, { throwIfNoEntry: false });
      if (there === undefined) continue;
      const isBelieved = there.isSocket() && isOurs(there.uid) && isSafeFolder(dirname(socket));
      if (!isBelieved) return { found, problem: 'not_ours' };
    }
    found.push(dataDir);
  }
  return { found, problem: 'no_service' };
}

/** Anybody could put a socket of theirs in the place of ours in a folder that all may write to. */
function isSafeFolder(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  const isSticky = (mode & 0o1000) !== 0;
  return isOurs(uid) && ((mode & 0o002) === 0 || isSticky);
}

/** The system's, or this person's own. */
const isOurs = (uid: number) => uid === 0 || uid === process.getuid?.();
