// Settings that the packages' launcher gives the service: flags of Node, and variables of malloc.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const LAUNCHER = join(import.meta.dirname, '../../installers/linux/gatewarden');

/** Returns the settings of the launcher's `run`. */
export function readServiceSettings(): { flags: string[]; env: Record<string, string> } {
  const text = readFileSync(LAUNCHER, 'utf8');
  const [, variables = '', flags = ''] =
    /export (MALLOC_.*)\n\s*exec "\$program\/bin\/node" (--.*) "\$program/.exec(text) ?? [];
  const env = variables.split(' ').map((pair) => pair.split('=') as [string, string]);
  return { flags: flags.split(' '), env: Object.fromEntries(env) };
}
