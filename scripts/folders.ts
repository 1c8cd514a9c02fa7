// The data folders of `start`, which `uninstall` removes. An empty variable counts as unset.
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Returns the data folder. Throws a single-line error for a folder with another purpose. */
export function dataFolder(env: NodeJS.ProcessEnv): string {
  const folder = resolve(env.GATEWARDEN_DATA_DIR || join(ROOT, '.data'));
  if ([ROOT, homedir(), dirname(folder)].includes(folder)) {
    throw new Error(`GATEWARDEN_DATA_DIR cannot be ${folder}: name a folder for this alone`);
  }
  return folder;
}

export const hubFolder = (env: NodeJS.ProcessEnv): string =>
  resolve(ROOT, env.HUB_DATA_DIR || join(dataFolder(env), 'hub'));
