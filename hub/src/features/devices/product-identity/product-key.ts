// The product of an entity: one key for the same software over platforms and sources. Pure.
import { createHash } from 'node:crypto';
import { categoryOf, findAlias, type ProductCategory } from './aliases.ts';
import { type IdentifiedEntity, identitiesOf } from './identities.ts';

export interface ProductKey {
  /** SHA-256 of the key, in hex: what addresses and rows carry. */
  productId: string;
  /** For people: `alias:claude-code`, or the category and the identity, `package:npm:lodash`. */
  key: string;
  category: ProductCategory;
  /** Of a curated product; null where the name of its applications serves. */
  curated: { name: string; vendor: string } | null;
}

/**
 * Returns the product that an entity belongs to. A curated alias of any of its identities goes first; else the most exact
 * identity within the entity's category decides, so an MCP server and an application of one name are two products.
 */
export function productKey(entity: IdentifiedEntity): ProductKey {
  const identities = identitiesOf(entity);
  for (const identity of identities) {
    const alias = findAlias(entity.kind, identity);
    if (alias === undefined) continue;
    const { id, category, name, vendor } = alias;
    return identified(`alias:${id}`, category, { name, vendor });
  }
  const category = categoryOf(entity.kind);
  return identified(`${category}:${identities[0]}`, category, null);
}

function identified(
  key: string,
  category: ProductCategory,
  curated: ProductKey['curated'],
): ProductKey {
  const productId = createHash('sha256').update(key).digest('hex');
  return { productId, key, category, curated };
}
