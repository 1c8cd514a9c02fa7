// Under which keys agents report a server that devices use without the gateway. Pure.

/** The last segment of an endpoint's path; a server often has both. */
const ENDPOINTS = ['mcp', 'sse'];

/**
 * Returns the agents' keys of a backend: of its URL, with the endpoints that servers usually have, and of each package,
 * image or command that an administrator named, however it is written (`npm:a@1.2`, `npx -y a`, `docker.io/library/a:1`).
 * A backend may also have the name of its package or image.
 */
export function deviceServerKeys(backend: {
  name?: string;
  url: string;
  same_as: readonly string[];
}): string[] {
  const { name = '', url, same_as: sameAs } = backend;
  const named = IS_PACKAGE.test(name) ? [name, ...sameAs] : sameAs;
  return [...new Set([...addressKeys(url), ...named.flatMap(namedKeys)])];
}

/** A scoped package, an image with its namespace, or a name with a prefix of its registry. */
const IS_PACKAGE = /^(?:(?:npm|pypi):)?@?[\w.-]+\/[\w./-]+(?:[:@]\S+)?$|^(?:npm|pypi):\S+$/;

function addressKeys(url: string): string[] {
  const { host, pathname } = new URL(url);
  const place = host
    .toLowerCase()
    .replace(/:(443|80)$/, '')
    .replace(/\.(?=$|:)/, '');
  // Agents keep a path as it is written, the standard's parser escapes it.
  const written = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? pathname;
  return [pathname, written].flatMap((path) => {
    const bare = path.replace(/\/+$/, '');
    const base = bare.replace(new RegExp(`/(${ENDPOINTS.join('|')})$`), '');
    return [bare, base, ...ENDPOINTS.map((endpoint) => `${base}/${endpoint}`)].map(
      (item) => `${place}${item}`,
    );
  });
}

const NPM_NAME = /^(@[\w.-]+\/)?[\w.-]+/;

function namedKeys(named: string): string[] {
  const text = named.trim();
  const npm = /^(?:npm:|npx\s+(?:-y\s+|--yes\s+)?)(.+)$/.exec(text)?.[1];
  if (npm !== undefined) return [text, `npm:${NPM_NAME.exec(npm)?.[0] ?? npm}`];
  const pypi = /^(?:pypi:|uvx\s+|pipx run\s+)([\w.-]+)/.exec(text)?.[1];
  // PEP 503: lower case, and a hyphen for each run of separators.
  if (pypi !== undefined) return [text, `pypi:${pypi.toLowerCase().replace(/[-_.]+/g, '-')}`];
  if (/^@[\w.-]+\//.test(text)) return [text, `npm:${NPM_NAME.exec(text)?.[0]}`];
  return [text, ...bareKeys(text), ...imageKeys(text)];
}

/** A name without a registry may be a package of either registry. */
function bareKeys(text: string): string[] {
  const name = /^([\w.-]+)(?:@[\w.-]+|==[\w.-]+)?$/.exec(text)?.[1];
  if (name === undefined) return [];
  return [`npm:${name}`, `pypi:${name.toLowerCase().replace(/[-_.]+/g, '-')}`];
}

/** A tag and a digest are no part of an image's key; an official image has the namespace `library`. */
function imageKeys(text: string): string[] {
  if (/\s/.test(text) || text.startsWith('/')) return [];
  const bare = text.replace(/@sha256:[0-9a-f]+$/, '').replace(/:[\w.-]+$/, '');
  const short = bare.replace(/^docker\.io\//, '');
  return [bare, short, short.includes('/') ? short : `library/${short}`];
}
