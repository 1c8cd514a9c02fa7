// Values of the server form from the catalog and from sightings.
import { findCatalogEntry, MCP_CATALOG } from '@gatewarden/shared/mcp-catalog.ts';
import type { DiscoveredServer } from '@gatewarden/shared/wire/console/mcp-discovered.ts';
import { expect, it } from 'vitest';
import { chooseSlug, searchCatalog, toDiscoveredValues, toEntryValues } from './catalog-values.ts';
import { validateServer } from './server-values.ts';

const named = (search: string) => searchCatalog(MCP_CATALOG, search).map(({ name }) => name);
const discovered = (over: Partial<DiscoveredServer>) =>
  ({ name: 'x', catalog_id: null, url: null, ...over }) as DiscoveredServer;

it('finds entries by words of name, vendor and description', () => {
  expect(named('GITHUB')).toEqual(['DeepWiki', 'GitHub']);
  expect(named('issues atlassian')).toEqual(['Atlassian']);
  expect(named('no such server')).toEqual([]);
  expect(named(' ')).toHaveLength(MCP_CATALOG.length);
});

it('chooses a slug that no server has', () => {
  expect(chooseSlug('monday.com', [])).toBe('monday-com');
  expect(chooseSlug('Linear', ['linear', 'linear-2'])).toBe('linear-3');
  expect(chooseSlug('日本', [])).toBe('server');
});

it('fills a valid form for each remote entry', () => {
  for (const entry of MCP_CATALOG.filter(({ url, auth }) => url !== null && auth !== 'shared')) {
    expect(validateServer(toEntryValues(entry, []), null)).toEqual({});
  }
});

it('publishes the remote server of a product that devices run locally', () => {
  const url = findCatalogEntry('mcp-github')?.url ?? '';
  const server = discovered({ name: 'GitHub', catalog_id: 'mcp-github', url });
  expect(toDiscoveredValues(server, ['github'])).toMatchObject({
    ...{ name: 'GitHub', slug: 'github-2', url, kind: 'personal_key' },
    sameAs: expect.stringContaining('npm:@modelcontextprotocol/server-github'),
  });
});

it('names a server without an entry by its host', () => {
  const url = 'https://mcp.notes.example.com/mcp';
  const server = discovered({ name: 'mcp.notes.example.com/mcp', url });
  expect(toDiscoveredValues(server, [])).toMatchObject({
    ...{ name: 'mcp.notes.example.com/mcp', slug: 'notes', url, kind: 'none' },
  });
});
