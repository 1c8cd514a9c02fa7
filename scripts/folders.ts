// Where `start` keeps things, as `uninstall` takes them away: both use this file. An empty variable counts as none.
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Throws one clear line for a folder that holds other things by its nature. */
export function dataFolder(env: NodeJS.ProcessEnv): string {
  const folder = resolve(env.GATEWARDEN_DATA_DIR || join(ROOT, '.data'));
  if ([ROOT, homedir(), dirname(folder)].includes(folder)) {
    throw new Error(`GATEWARDEN_DATA_DIR cannot be ${folder}: name a folder for this alone`);
  }
  return folder;
}

export const hubFolder = (env: NodeJS.ProcessEnv): string =>
  resolve(ROOT, env.HUB_DATA_DIR || join(dataFolder(env), 'hub'));
