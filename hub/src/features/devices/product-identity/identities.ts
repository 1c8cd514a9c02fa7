// Identities of an entity within its registry, store or address, from what its device reported. Pure.
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { foldProductName, foldPublisher } from './folding.ts';

export type IdentifiedEntity = Pick<WireEntity, 'entity_id' | 'kind' | 'source' | 'name'> & {
  publisher?: string | null | undefined;
  install_path?: string | null | undefined;
  details?: unknown;
};

type Fields = Readonly<Record<string, unknown>>;

/** Sources whose entities are named as their registry names them, with the registry's prefix. */
const REGISTRIES: Readonly<Record<string, string>> = {
  npm: 'npm',
  python: 'pypi',
  dpkg: 'deb',
  rpm: 'rpm',
  pacman: 'pacman',
  apk: 'apk',
  nix: 'nix',
  pixi: 'conda',
  winget: 'winget',
  scoop: 'scoop',
  choco: 'choco',
};
/** Browsers that share Mozilla's store and its extension ids. */
const GECKO_BROWSERS =
  /^(?:firefox|librewolf|waterfox|zen|floorp|seamonkey|mullvad-browser|tor-browser|tor|icecat|firedragon|midori|mercury|glide|palemoon|basilisk)$/;
/** Texts and settings for assistants, and models: their names are their identity within the source. */
const NAMED_BY_SOURCE = new Set([
  ...['agent_hook', 'ai_permissions', 'model_server', 'model_store'],
  ...['instruction_file', 'skill'],
]);

/**
 * Returns the identities of an entity, the most exact first and never none, each as `<source>:<id>` in folded form.
 * Order: registry package, bundle or store id, extension id, image, URL, else publisher and folded name.
 */
export function identitiesOf(entity: IdentifiedEntity): string[] {
  const details = isFields(entity.details) ? entity.details : {};
  const exact = EXACT[entity.kind](entity, details).filter((identity) => identity !== null);
  if (exact.length > 0) return exact.map((identity) => identity.toLowerCase());
  return [nameIdentity(entity)];
}

const nameIdentity = ({ publisher, name }: IdentifiedEntity): string =>
  `name:${foldPublisher(publisher ?? null)}/${foldProductName(name)}`;

const EXACT: Readonly<
  Record<WireEntity['kind'], (entity: IdentifiedEntity, details: Fields) => (string | null)[]>
> = {
  package: (entity) => [registryIdentity(entity)],
  application: applicationIdentities,
  browser_extension: ({ source }, { extension_id: id }) => [
    typeof id === 'string' ? `${extensionStore(source)}:${id}` : null,
  ],
  ide_extension: ({ source, name }, details) => {
    const id = details.extension_id ?? details.plugin_id;
    return [typeof id === 'string' ? `${source}:${id}` : `${source}:${name}`];
  },
  mcp_server: (entity, details) => {
    const identity = serverIdentity(entity, details);
    return identity === null ? serverNameIdentities(entity) : [identity];
  },
  ai_tool: ({ source, name }, { binary, package: owner }) => {
    if (typeof binary === 'string') {
      return [`cli:${binary}`, typeof owner === 'string' ? owner : null];
    }
    return [NAMED_BY_SOURCE.has(source) ? `${source}:${foldProductName(name)}` : null];
  },
};

function registryIdentity({ source, name }: IdentifiedEntity): string | null {
  const registry = source === 'homebrew' ? 'brew' : REGISTRIES[source];
  if (registry === undefined) return source === 'runtime' ? `runtime:${name}` : null;
  return `${registry}:${registry === 'pypi' ? normalizePythonName(name) : name}`;
}

/** PEP 503: a run of `-`, `_` and `.` is a single hyphen. */
const normalizePythonName = (name: string): string => name.replace(/[-_.]+/g, '-');

function applicationIdentities(entity: IdentifiedEntity, details: Fields): (string | null)[] {
  const { source, name } = entity;
  const textOf = (field: string, prefix: string) => {
    const value = details[field];
    return typeof value === 'string' && value !== '' ? `${prefix}:${value}` : null;
  };
  if (source === 'homebrew') return [`cask:${name}`];
  if (source === 'snap') {
    // The title is for people; the folder has the store's own name.
    return [`snap:${entity.install_path?.split('/').at(-1) ?? name}`];
  }
  return [
    REGISTRIES[source] === undefined ? null : registryIdentity(entity),
    textOf('bundle_id', 'bundle'),
    textOf('package_family', 'appx'),
    source === 'flatpak' ? textOf('id', 'flatpak') : textOf('flatpak', 'flatpak'),
  ];
}

function extensionStore(source: string): string {
  if (source === 'safari') return 'safari';
  return GECKO_BROWSERS.test(source) ? 'gecko' : 'chromium';
}

/** Programs that fetch and start a package, by the registry that they fetch it from. */
const RUNNERS: Readonly<Record<string, 'npm' | 'pypi' | 'image'>> = {
  ...{ npx: 'npm', pnpx: 'npm', bunx: 'npm', npm: 'npm', pnpm: 'npm', yarn: 'npm', bun: 'npm' },
  ...{ uvx: 'pypi', uv: 'pypi', pipx: 'pypi' },
  ...{ docker: 'image', podman: 'image', nerdctl: 'image' },
};
/** Words before a runner that only start it. */
const WRAPPER_WORDS = 4;
const PACKAGE_NAME = {
  npm: /^(?:@[\w.-]+\/)?[\w.-]+$/,
  pypi: /^[a-z0-9](?:[\w.-]*[a-z0-9])?$/i,
  image: /^[\w.-]+(?::\d+)?(?:\/[\w.-]+)*$/,
} as const;

/**
 * Returns the identity of an MCP server: its package, image or URL. A program of its own is known by its name; scripts,
 * tasks and other relative launches belong to a single project, so nothing but their own entity shares their identity.
 */
function serverIdentity(entity: IdentifiedEntity, details: Fields): string | null {
  const configured = Array.isArray(details.configured) ? details.configured.filter(isFields) : [];
  for (const entry of configured) {
    const identity = launchIdentity(entity.name, entry);
    if (identity !== null) return identity;
  }
  const isExtension = configured.some((entry) => entry.scope === 'extension');
  if (isExtension || configured.length === 0) return null;
  return `entity:${entity.entity_id}`;
}

/**
 * Returns the identities of an MCP server that is known by its name alone, which may be a package, an image or an address.
 * Only a scoped package is certain. Elsewhere the name goes first, so that only a curated alias matches the others.
 */
function serverNameIdentities(entity: IdentifiedEntity): string[] {
  const name = entity.name.trim().toLowerCase();
  const scoped = /^(@[\w.-]+\/[\w.-]+)(?:@\S*)?$/.exec(name)?.[1];
  if (scoped !== undefined) return [`npm:${scoped}`];
  if (/\s/.test(name)) return [nameIdentity(entity)];
  const packages = [`npm:${name}`, `pypi:${normalizePythonName(name)}`];
  return [nameIdentity(entity), ...packages, ...serverIdentities(name)];
}

function launchIdentity(name: string, { url, command, args }: Fields): string | null {
  if (typeof url === 'string') return normalizeUrl(url);
  if (typeof command !== 'string') return null;
  const words = [command, ...(Array.isArray(args) ? args : [])].filter(
    (word) => typeof word === 'string',
  );
  const registry = words
    .slice(0, WRAPPER_WORDS)
    .map((word) => RUNNERS[programOf(word)])
    .find((found) => found !== undefined);
  const [target = ''] = name.split(' ');
  if (registry !== undefined) return packageIdentity(registry, target);
  return programOf(command) === programOf(target) && !INTERPRETERS.test(programOf(command))
    ? `name:/${foldProductName(name)}`
    : null;
}

const INTERPRETERS =
  /^(?:node|deno|python[\d.]*|pythonw|py|ruby|php|java|dotnet|bash|sh|zsh|cmd|powershell|pwsh|make|just|go|cargo)$/;

function packageIdentity(registry: 'npm' | 'pypi' | 'image', target: string): string | null {
  if (!PACKAGE_NAME[registry].test(target)) return null;
  if (registry === 'pypi') return `pypi:${normalizePythonName(target)}`;
  return `${registry}:${registry === 'image' ? normalizeImage(target) : target}`;
}

/**
 * Returns the identities of an MCP server by an agent's key of it: `npm:…`, `pypi:…`, an image, or the host and path of a
 * URL. A key of the last two forms may be either; the identity that no server has matches nothing.
 */
export function serverIdentities(key: string): string[] {
  if (/^(?:npm|pypi):/.test(key)) return [key.toLowerCase()];
  if (/\s/.test(key)) return [];
  const urls = ['https', 'http'].map((scheme) => normalizeUrl(`${scheme}://${key}`));
  return [`image:${normalizeImage(key)}`, ...urls.filter((url) => url !== null)];
}

/** Returns an image's repository without the default registry, tag and digest. */
export function normalizeImage(image: string): string {
  return image
    .toLowerCase()
    .replace(/@sha256:.*$/, '')
    .replace(/:[^/:]*$/, '')
    .replace(/^(?:docker\.io|index\.docker\.io|registry-1\.docker\.io)\//, '')
    .replace(/^library\//, '');
}

/** Returns `url:` with scheme, host and path, without user, default port, query and fragment; null for what is no URL. */
export function normalizeUrl(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const scheme = url.protocol.replace(/^wss:$/, 'https:').replace(/^ws:$/, 'http:');
  return `url:${scheme}//${url.host}${url.pathname.replace(/\/+$/, '')}`;
}

const programOf = (word: string): string =>
  (word.split(/[\\/]/).at(-1) ?? '').toLowerCase().replace(/\.(?:exe|cmd|bat|ps1)$/, '');

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
