// Images that container runtimes run. Pure.
import { CONTAINER_SWITCHES } from './option-values.ts';

export const CONTAINER_RUNTIMES = new Set(['docker', 'podman', 'nerdctl']);

/** The image and the command of `docker run`. */
export interface ContainerRun {
  image: string;
  /** The command inside of the container; none: the image's own. */
  command: string[];
}

/** An image by the grammar of references: registry with port, namespace, name, tag, digest. */
const REFERENCE =
  /^((?:[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?::\d{1,5})?\/)?[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*){0,8})(?::(\w[\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/i;
const MAX_REFERENCE = 512;

export interface ImageReference {
  /** Without the registry that is meant where none is named. */
  name: string;
  tag: string | null;
  digest: string | null;
}

/** Reads the image and the command of a container runtime's words; null where it runs no image. */
export function readContainerRun(args: readonly string[]): ContainerRun | null {
  const from = args.indexOf('run');
  if (from < 0 || /^(mcp|compose|model)$/.test(args[0] ?? '')) return null;
  const at = imageAt(args, from + 1);
  const image = args[at];
  if (image === undefined) return null;
  const options = args.slice(from, at);
  const named = options.indexOf('--entrypoint') + 1;
  const joined = options.find((option) => option.startsWith('--entrypoint='));
  const entrypoint = named > 0 ? options[named] : joined?.slice('--entrypoint='.length);
  const command = args.slice(at + 1);
  return { image, command: entrypoint === undefined ? command : [entrypoint, ...command] };
}

/** The index of the first word that is neither an option nor the value of an option. */
function imageAt(args: readonly string[], from: number): number {
  for (let at = from; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') continue;
    if (!arg.startsWith('-')) return at;
    if (takesNextWord(arg)) at++;
  }
  return args.length;
}

/** Reads the container and the command of `docker exec`; null where a runtime is asked for something else. */
export function readContainerExec(
  args: readonly string[],
): { name: string; command: string[] } | null {
  if (args.find((arg) => !arg.startsWith('-')) !== 'exec') return null;
  for (let at = args.indexOf('exec') + 1; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (!arg.startsWith('-')) return { name: arg, command: args.slice(at + 1) };
    if (/^(-[euw]|--(env|env-file|user|workdir|detach-keys))$/.test(arg)) at++;
  }
  return null;
}

/** A container's option `-itp 80:80` takes the next word, `-itp80:80` contains its value. */
function takesNextWord(option: string): boolean {
  if (CONTAINER_SWITCHES.has(option) || option.includes('=')) return false;
  return option.startsWith('--') || /^-[itdPq]*[A-Za-z]?$/.test(option);
}

/** Reads an image's reference; null where it has another grammar. */
export function readImage(image: string): ImageReference | null {
  const found = image.length > MAX_REFERENCE ? null : REFERENCE.exec(image);
  if (found === null) return null;
  const [, name = '', tag = null, digest = null] = found;
  return { name: name.replace(/^(?:index\.)?docker\.io\/(?:library\/)?/, ''), tag, digest };
}
