// Products for the console's search box: the first rows of the list that the inventory shows.
import type { SearchAnswer } from '@gatewarden/shared/wire/console/search.ts';
import type { Db } from '../../../platform/db/database.ts';
import { platformsOf, selectProductPage } from './list-store.ts';

/** Returns products with these pieces of text in their name, vendor or key, most devices first. */
export async function searchProductNames(
  db: Db,
  tenantId: string,
  query: string,
  limit: number,
): Promise<SearchAnswer['products']> {
  const filter = { query, sort: '-device_count' } as const;
  const products = await selectProductPage(db, tenantId, filter, [], { after: undefined, limit });
  return products.map((product) => ({
    product_id: product.product_id,
    name: product.name,
    category: product.category,
    platforms: platformsOf(product).map(({ platform }) => platform),
  }));
}
