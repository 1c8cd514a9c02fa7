// Where the agent keeps what it must remember.
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { messageOf, PlainError } from '../runtime/errors.ts';

/** The data folder that is used unless the configuration or `--data-dir` names one. */
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

/** Of an account that no list knows (a container's number, a directory that is away) it is what `HOME` says, or nothing. */
export function ownHomeFolder(): string {
  try {
    return homedir();
  } catch {
    // As Debian calls it.
    return '/nonexistent';
  }
}

/** Makes the folder. Others may pass through it to the readable socket; the files inside are for the owner alone. */
export function ensureDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  } catch (error) {
    throw new PlainError(`cannot make the data folder ${dataDir}: ${messageOf(error)}`);
  }
}
