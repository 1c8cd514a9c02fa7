// What the guard rails must know of the agent itself, read from this process and the list of all.
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { listProcesses } from '../processes/process-list.ts';
import { INSTALL_FOLDER } from '../runtime/program-paths.ts';
import { ancestorsOf, type SystemContext } from './protection-rules.ts';

/** Where the desktop package puts the tray app: only administrators write there. */
const TRAY_FOLDERS = ['/opt/Gatewarden', '/Applications/Gatewarden.app'];

/** Reads them anew: a parent that ended has left us to another one. */
export async function readSystemContext(): Promise<SystemContext> {
  return {
    agentPid: process.pid,
    ancestors: ancestorsOf(process.pid, await listProcesses()),
    ownExecutables: new Set([realPath(process.execPath)]),
    ownFolders: [realPath(INSTALL_FOLDER), ...TRAY_FOLDERS],
    loginShells: readLoginShells('/'),
  };
}

/** The shells that the system lets people choose, and those that its accounts have. */
export function readLoginShells(root: string): Set<string> {
  const chosen = linesOf(join(root, 'etc/shells')).filter((line) => line.startsWith('/'));
  const given = linesOf(join(root, 'etc/passwd')).map((line) => line.split(':')[6] ?? '');
  const paths = [...chosen, ...given].map((path) => path.trim());
  return new Set(paths.filter((path) => path.startsWith('/')).map(realPath));
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    // A system without it.
    return [];
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Replaced by an update: the name still tells it.
    return path;
  }
}
