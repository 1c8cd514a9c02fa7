// What the guard rails must know of the agent itself, read from this process and the list of all.
import { realpathSync } from 'node:fs';
import { listProcesses } from '../processes/list.ts';
import { OWN_FOLDER } from '../programs.ts';
import { ancestorsOf, type Surroundings } from './guard-rails.ts';

/** Where the desktop package puts the tray app: only administrators write there. */
const TRAY_FOLDERS = ['/opt/Gatewarden', '/Applications/Gatewarden.app'];

/** Reads them anew: a parent that ended has left us to another one. */
export async function readSurroundings(): Promise<Surroundings> {
  return {
    agentPid: process.pid,
    ancestors: ancestorsOf(process.pid, await listProcesses()),
    ownExecutables: new Set([realPath(process.execPath)]),
    ownFolders: [realPath(OWN_FOLDER), ...TRAY_FOLDERS],
  };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Replaced by an update: the name still tells it.
    return path;
  }
}
