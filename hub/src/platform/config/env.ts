// The only file of the hub that reads `process.env`. Values are text here; config.ts gives them meaning.
import { HUB_VARIABLES } from '@gatewarden/shared/environment.ts';
import { closest, distance } from 'fastest-levenshtein';

type EnvName = keyof typeof HUB_VARIABLES;
export const ENV_NAMES = Object.keys(HUB_VARIABLES) as readonly EnvName[];
export type Env = Partial<Record<EnvName, string>>;

/** Returns the names of variables that begin with `HUB_` and are none of the hub's. */
export function unknownVariables(source: NodeJS.ProcessEnv = process.env): string[] {
  const known = new Set<string>(ENV_NAMES);
  return Object.keys(source).filter((name) => name.startsWith('HUB_') && !known.has(name));
}

/** Largest share of the letters of a name that may be misspelled. */
const MISSPELLED = 0.4;

/** Returns a sentence about an unknown variable, with the most similar name if there is any. */
export function describeUnknownVariable(name: string): string {
  const similar = closest(name, ENV_NAMES);
  const isSimilar = distance(name, similar) <= similar.length * MISSPELLED;
  return `${name} is not a variable of the hub${isSimilar ? `: did you mean ${similar}?` : ''}`;
}

/** Returns the hub's variables; an empty variable counts as unset. */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const env: Env = {};
  for (const name of ENV_NAMES) {
    const value = source[name];
    if (value !== undefined && value.trim() !== '') env[name] = value.trim();
  }
  // Vite and Vitest set this for whatever they start; it names no origin.
  if (env.BASE_URL === '/') delete env.BASE_URL;
  return env;
}
