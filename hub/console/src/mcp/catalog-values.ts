// Values of the server form from the catalog or from a sighting on devices. Pure.
import { findCatalogEntry, type McpCatalogEntry } from '@gatewarden/shared/mcp-catalog.ts';
import type { DiscoveredServer } from '@gatewarden/shared/wire/console/mcp-discovered.ts';
import { EMPTY_SERVER, type ServerValues } from './server-values.ts';

/** Returns the entries that have each word of the search in their name, vendor or description. */
export function searchCatalog(
  entries: readonly McpCatalogEntry[],
  search: string,
): McpCatalogEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ name, vendor, description }) => {
    const text = `${name} ${vendor} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const SLUG_CHARS = 60;

/** Returns a slug of the name that no server has. */
export function chooseSlug(name: string, taken: readonly string[]): string {
  const base =
    name
      .toLowerCase()
      .normalize('NFKD')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, SLUG_CHARS)
      .replace(/-+$/, '') || 'server';
  for (let n = 1; ; n++) {
    const slug = n === 1 ? base : `${base}-${n}`;
    if (!taken.includes(slug)) return slug;
  }
}

/** Returns the form of a server of the catalog; `taken` are the slugs of other servers. */
export function toEntryValues(entry: McpCatalogEntry, taken: readonly string[]): ServerValues {
  return {
    ...EMPTY_SERVER,
    name: entry.name,
    slug: chooseSlug(entry.name, taken),
    url: entry.url ?? '',
    kind: entry.auth,
    sameAs: entry.packages.join('\n'),
  };
}

/** Returns the form that publishes a discovered server. */
export function toDiscoveredValues(
  server: DiscoveredServer,
  taken: readonly string[],
): ServerValues {
  const entry = server.catalog_id === null ? undefined : findCatalogEntry(server.catalog_id);
  const base =
    entry === undefined ? toNamedValues(server.name, taken) : toEntryValues(entry, taken);
  return { ...base, url: server.url ?? '' };
}

/** The name of a server without a catalog entry is often its host and path: `notes.example.com/mcp` is `notes`. */
function toNamedValues(name: string, taken: readonly string[]): ServerValues {
  const host = /^([a-z0-9.-]+\.[a-z]{2,})(?:[:/]|$)/i.exec(name)?.[1];
  const short = host?.replace(/^(?:www|mcp|api)\./, '').split('.')[0] ?? name;
  return { ...EMPTY_SERVER, name, slug: chooseSlug(short, taken) };
}
