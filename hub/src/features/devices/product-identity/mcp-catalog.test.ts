// The catalog of well-known MCP servers: its schema, and each entry as a product of the inventory.
import { findCatalogEntry, MCP_CATALOG, McpCatalogFile } from '@gatewarden/shared/mcp-catalog.ts';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { PRODUCT_ALIASES } from './aliases.ts';
import { productIdOf, serverProductIds } from './product-key.ts';

describe('the catalog of MCP servers', () => {
  it('validates, and names each server once in the order of names', () => {
    expect([...Value.Errors(McpCatalogFile, MCP_CATALOG)]).toEqual([]);
    const names = MCP_CATALOG.map((entry) => entry.name.toLowerCase());
    expect(names).toEqual([...new Set(names)].sort());
    expect(MCP_CATALOG.filter((entry) => entry.url !== null).length).toBeGreaterThan(30);
  });

  it('has an entry for each curated product that is an MCP server', () => {
    const curated = PRODUCT_ALIASES.filter((alias) => alias.category === 'mcp_server');
    const missing = curated.filter(({ id, name, vendor }) => {
      const entry = findCatalogEntry(id);
      return entry?.name !== name || entry.vendor !== vendor;
    });
    expect(missing.map(({ id }) => id)).toEqual([]);
    expect(MCP_CATALOG).toHaveLength(curated.length);
  });

  it.each(MCP_CATALOG)('finds the product of $name by its URL, packages and images', (entry) => {
    const { id, url, packages } = entry;
    const keys = [...packages, ...(url === null ? [] : [url.replace(/^https:\/\//, '')])];
    for (const key of keys) {
      expect(serverProductIds([key])).toContain(productIdOf(`alias:${id}`));
    }
    expect(keys.length).toBeGreaterThan(0);
  });
});
