// Resource indicators (RFC 8707): the parameter `resource` of authorization and token requests.
import { OAuthError } from './errors.ts';
import type { Urls } from './namespaces.ts';

/** Returns the values of the parameter, which may be repeated (RFC 8707 §2). */
export function resourcesIn(sent: unknown): string[] {
  return [sent].flat().filter((item) => typeof item === 'string' && item !== '') as string[];
}

/** Throws `invalid_target` (RFC 8707 §2) unless each resource is the namespace's own. */
export function checkResources(resources: readonly string[], urls: Urls): void {
  if (resources.every((resource) => isResource(resource, urls))) return;
  throw new OAuthError('invalid_target', `resource must be ${urls.mcp ?? urls.issuer}.`);
}

/**
 * Returns whether `resource` is the namespace's own MCP URL, or the origin of the root, which has no MCP URL. Scheme and host
 * may be in capitals, as MCP allows, and a slash may follow.
 */
function isResource(resource: string, { mcp, issuer }: Urls): boolean {
  const canonical = resource.replace(/^[a-z]+:\/\/[^/?#]*/i, (origin) => origin.toLowerCase());
  return canonical.replace(/\/$/, '') === (mcp ?? issuer);
}
