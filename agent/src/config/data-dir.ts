// Locates the data folder, which contains the agent's persistent state.
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { protectFolder } from '../native/windows/access-control.ts';
import { messageOf, PlainError } from '../runtime/errors.ts';

/** Returns the data folder unless the configuration or `--data-dir` names another. */
export function defaultDataDir(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
  isRoot: boolean = process.getuid?.() === 0,
): string {
  if (platform === 'win32') {
    return join(env.ProgramData ?? 'C:\\ProgramData', 'Gatewarden', 'agent');
  }
  if (isRoot) {
    return platform === 'darwin'
      ? '/Library/Application Support/Gatewarden/agent'
      : '/var/lib/gatewarden-agent';
  }
  return join(env.XDG_STATE_HOME || join(ownHomeFolder(), '.local', 'state'), 'gatewarden-agent');
}

/** An account that no list knows (a container's number, an offline directory) uses `HOME`, or nothing. */
export function ownHomeFolder(): string {
  try {
    return homedir();
  } catch {
    // Name of the folder on Debian.
    return '/nonexistent';
  }
}

/** Makes the folder. Others may pass through it to the readable socket; the files inside are for the owner alone. */
export function ensureDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
    // Windows has no modes: an access list takes their place.
    if (process.platform === 'win32') protectFolder(dataDir);
  } catch (error) {
    throw new PlainError(`cannot make the data folder ${dataDir}: ${messageOf(error)}`);
  }
}
