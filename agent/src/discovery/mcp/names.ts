// Names of a launch's target that may be shown, each by the grammar of its kind. A text without that grammar, or
// with a secret's shape, is left out. Pure.
import { isTag, showPath, showWord } from '../redaction/argument-allowlist.ts';
import { replaceVendorTokens } from '../redaction/token-shapes.ts';
import { REDACTED, redactUrl } from '../redaction/url-redaction.ts';
import { consistsOfWords, type NamePosition } from '../redaction/word-groups.ts';
import { hasPlaceholder, throughPlaceholders } from '../sources/lib/placeholders.ts';
import { readImage } from './containers.ts';
import { readPackageName } from './packages.ts';
import type { ParsedLaunch } from './target.ts';

/** Packages of npm, PyPI, NuGet, Go and flakes of Nix. */
const PACKAGE = /^(?:[a-z]+:)?@?[A-Za-z0-9_~][\w.~-]*(?:[/#][\w.~-]+){0,8}$/;
/** A version, a range, a tag, or extras, behind a package's name. */
const VERSION = /^(?:\[[\w,.-]{1,128}\])?(?:[@=<>~!^,| ]+(?:v?\d[\w.*+-]{0,40}|[a-z]{1,24}|\*))*$/i;
const MODULE = /^[A-Za-z_][\w.:-]*$/;
const TASK = /^(?:\/\/|:)?[A-Za-z0-9_][\w:./-]*$/;
/** Files and folders that have the same name in every project. */
const COMMON_FILES =
  /^(index|main|server|app|cli|start|run|__main__|dist|build|src|lib|bin|out|node_modules|scripts?|(docker-)?compose)(\.[a-z]{1,4})?$/i;

/** A name in full where it has the grammar and consists of words. */
function showName(name: string, grammar: RegExp, position: NamePosition): string {
  if (hasPlaceholder(name)) return throughPlaceholders(name, (masked) => showWord(masked));
  const isShown =
    grammar.test(name) &&
    consistsOfWords(name, position) &&
    replaceVendorTokens(name, REDACTED) === name;
  return isShown ? name : REDACTED;
}

export const showPackage = (name: string): string => showName(name, PACKAGE, 'package');
export const showModule = (name: string): string => showName(name, MODULE, 'name');
export const showTask = (name: string): string => showName(name, TASK, 'name');

/** A package with its version as it is written. */
function showSpec(spec: string): string {
  const { name } = readPackageName(spec);
  const at = spec.indexOf(name);
  const version = spec.slice(at + name.length);
  const shown = showPackage(name);
  if (at !== 0 || shown !== name) return shown;
  const isVersion = VERSION.test(version) && replaceVendorTokens(version, REDACTED) === version;
  return isVersion && consistsOfWords(version, 'value') ? spec : `${name}@${REDACTED}`;
}

/** An image, and its version. A lone `word:word` could be a person with a password: then only the first is shown. */
export interface ShownImage {
  name: string;
  reference: string;
  version: string | null;
}

export function showImage(image: string): ShownImage {
  const found = readImage(image);
  if (found === null) {
    const shown = throughPlaceholders(image, (masked) => showWord(masked));
    return { name: shown, reference: shown, version: null };
  }
  const { name, tag, digest } = found;
  const isLone = !image.includes('/');
  if (
    replaceVendorTokens(name, REDACTED) !== name ||
    (isLone && !consistsOfWords(name, 'package'))
  ) {
    return { name: REDACTED, reference: REDACTED, version: null };
  }
  const isOpen =
    tag === null || digest !== null || !isLone || (isTag(tag) && consistsOfWords(tag, 'name'));
  const version = digest ?? (tag === 'latest' || !isOpen ? null : tag);
  return { name, reference: isOpen ? image : `${name}:${REDACTED}`, version };
}

/** An address by its host and path. */
export function showAddress(url: string): string {
  return placeOf(redactUrl(url));
}

/** Returns the host and the path of a URL in a normal form. */
export function placeOf(url: string): string {
  const place = url
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/\?.*$/s, '')
    .replace(/\/+$/, '');
  const slash = pathAt(place);
  // A variable's name keeps its capitals.
  const host = place
    .slice(0, slash)
    .replace(/\$?\{[^}]{0,512}\}|\$\w+|%\w+%|[^${%]+/g, (part) =>
      /^[${%]/.test(part) ? part : part.toLowerCase(),
    )
    .replace(/:(443|80)$/, '')
    .replace(/(?<=\w)\.(?=$|:)/, '');
  return host + place.slice(slash);
}

/** The index at which the path of an address begins: its first slash that is in no variable. */
function pathAt(place: string): number {
  let isInVariable = false;
  for (let at = 0; at < place.length; at++) {
    const sign = place[at];
    if (sign === '{') isInVariable = true;
    else if (sign === '}') isInVariable = false;
    else if (sign === '/' && !isInVariable) return at;
  }
  return place.length;
}

/** Returns the shown name of a script: its file name, with the directory or the project before a common name such as `server.py`. */
export function showScript(path: string, project: string | null): string {
  return throughPlaceholders(distinctPart(path, project), (masked) => showPath(masked));
}

/** Returns the last distinctive part of a path, with the file's own name where that is distinctive. */
export function distinctPart(path: string, project: string | null = null): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.' && part !== '..');
  const file = parts.at(-1);
  if (file === undefined) return project ?? path;
  if (!COMMON_FILES.test(file)) return file;
  const folder = parts.slice(0, -1).findLast((part) => !COMMON_FILES.test(part) && part !== '~');
  const distinct = folder ?? project;
  return distinct === null ? file : `${distinct}/${file}`;
}

/** The words of a launch that name its target, and how each may be shown. */
export function classifyWords({ target, word, container }: ParsedLaunch): Map<string, string> {
  const shown = new Map<string, string>();
  if (container?.kind === 'image') shown.set(container.word, showImage(container.word).reference);
  if (word === null) return shown;
  if (target.kind === 'package') {
    const [, scheme = '', spec = word] = /^((?:npm|jsr):)(.*)$/.exec(word) ?? [];
    shown.set(word, scheme + showSpec(spec));
  } else if (target.kind === 'image') shown.set(word, showImage(word).reference);
  else if (target.kind === 'module') shown.set(word, showModule(word));
  else if (target.kind === 'task') shown.set(word, showTask(word));
  else if (target.kind === 'script' && !/:/.test(word.replace(/^[A-Za-z]:/, ''))) {
    shown.set(
      word,
      throughPlaceholders(word, (masked) => showPath(masked)),
    );
  }
  return shown;
}
