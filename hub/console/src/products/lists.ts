// The tabs of the inventory that list products. The last part of the address names the list.
import type { ProductCategory } from '@gatewarden/shared/wire/console/products.ts';
import { navTexts } from '../app/nav-texts.ts';

export interface ProductList {
  title: string;
  category: ProductCategory;
}

const LISTS: Readonly<Record<string, ProductList>> = {
  'ai-tools': { title: navTexts.inventory.aiTools, category: 'ai_tool' },
  'mcp-servers': { title: navTexts.inventory.mcpServers, category: 'mcp_server' },
  apps: { title: navTexts.inventory.apps, category: 'application' },
  extensions: { title: navTexts.inventory.extensions, category: 'extension' },
  packages: { title: navTexts.inventory.packages, category: 'package' },
};

/** Returns the list of that name, or undefined. */
export const productList = (name: string): ProductList | undefined =>
  Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;

/** Returns the name and the title of the list of a category. */
export function listOfCategory(category: ProductCategory): { list: string; title: string } {
  const entry = Object.entries(LISTS).find(([, { category: own }]) => own === category);
  return { list: entry?.[0] ?? 'apps', title: entry?.[1].title ?? navTexts.inventory.apps };
}
