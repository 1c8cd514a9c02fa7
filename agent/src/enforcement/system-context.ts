// Reads the system context of the protection rules: the agent's own processes and the list of all processes.
import { readFileSync } from 'node:fs';
import { join, win32 } from 'node:path';
import { listProcesses } from '../processes/process-list.ts';
import { comparablePath } from '../runtime/path-comparison.ts';
import { INSTALL_FOLDER } from '../runtime/program-paths.ts';
import { realPath } from '../runtime/real-path.ts';
import { ancestorsOf, type SystemContext } from './protection-rules.ts';

/** Path of the desktop package's tray app: only administrators write there. */
const TRAY_FOLDERS = [
  '/opt/Gatewarden',
  '/Applications/Gatewarden.app',
  win32.join(process.env.ProgramFiles ?? 'C:\\Program Files', 'Gatewarden'),
];

/** Reads the context anew: after the end of a parent the agent has another one. */
export async function readSystemContext(): Promise<SystemContext> {
  return {
    agentPid: process.pid,
    ancestors: ancestorsOf(process.pid, listProcesses()),
    ownExecutables: new Set([comparablePath(resolvePath(process.execPath))]),
    ownFolders: [resolvePath(INSTALL_FOLDER), ...TRAY_FOLDERS],
    loginShells: readLoginShells('/'),
  };
}

/** The shells that the system lets people choose, and those that its accounts have. */
export function readLoginShells(root: string): Set<string> {
  const chosen = linesOf(join(root, 'etc/shells')).filter((line) => line.startsWith('/'));
  const given = linesOf(join(root, 'etc/passwd')).map((line) => line.split(':')[6] ?? '');
  const paths = [...chosen, ...given].map((path) => path.trim());
  return new Set(paths.filter((path) => path.startsWith('/')).map(resolvePath));
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    // A system without it.
    return [];
  }
}

function resolvePath(path: string): string {
  try {
    return realPath(path);
  } catch {
    // The program was replaced by an update: its name identifies it still.
    return path;
  }
}
