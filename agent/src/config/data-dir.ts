// Locates the data folder, which contains the agent's persistent state.
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, win32 } from 'node:path';
import { protectFolder, requireTrustedOwner } from '../native/windows/access-control.ts';
import { messageOf, PlainError } from '../runtime/errors.ts';
import { type AgentScope, agentScope } from './agent-scope.ts';

/** Returns the data folder unless the configuration or `--data-dir` names another. */
export function defaultDataDir(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
  scope: AgentScope = agentScope(platform),
): string {
  if (platform === 'win32') {
    const folder = windowsFolder(env, scope);
    return scope === 'user' ? folder : join(folder, 'agent');
  }
  if (scope === 'machine') {
    return platform === 'darwin'
      ? '/Library/Application Support/Gatewarden/agent'
      : '/var/lib/gatewarden-agent';
  }
  return join(env.XDG_STATE_HOME || join(ownHomeFolder(), '.local', 'state'), 'gatewarden-agent');
}

/** Returns the folder of configuration and data on Windows. */
export function windowsFolder(env: NodeJS.ProcessEnv, scope: AgentScope): string {
  const parent =
    scope === 'user'
      ? (env.LOCALAPPDATA ?? join(ownHomeFolder(), 'AppData', 'Local'))
      : (env.ProgramData ?? 'C:\\ProgramData');
  return join(parent, 'Gatewarden');
}

/**
 * Protects the folder of the machine-wide configuration on Windows, where every user may create folders in
 * `%ProgramData%`. Other folders keep their permissions, because they may serve other programs, too. Throws a
 * `PlainError` where the folder or the configuration is a link, or belongs to another account.
 */
export function protectMachineFolder(
  { configFile, dataDir }: { configFile: string | null; dataDir: string },
  env: NodeJS.ProcessEnv,
): void {
  if (process.platform !== 'win32') return;
  const folder = windowsFolder(env, 'machine');
  const isInside = (path: string) =>
    path.toLowerCase().startsWith(`${folder}${win32.sep}`.toLowerCase());
  const hasConfig = configFile !== null && isInside(configFile);
  if (!hasConfig && !isInside(dataDir)) return;
  let path = folder;
  try {
    mkdirSync(folder, { recursive: true });
    protectFolder(folder);
    if (!hasConfig || !existsSync(configFile)) return;
    path = configFile;
    requireTrustedOwner(configFile);
  } catch (error) {
    throw new PlainError(`cannot trust ${path}: ${messageOf(error)}`);
  }
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
