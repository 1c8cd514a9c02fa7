// The product of an entity: the same key for the same software over platforms and sources. Pure.
import { createHash } from 'node:crypto';
import {
  PRODUCT_CATEGORIES,
  type ProductCategory,
} from '@gatewarden/shared/wire/console/products.ts';
import type { EntityKind } from '@gatewarden/shared/wire/vocabulary.ts';
import { categoryOf, findAlias, findAliasById } from './aliases.ts';
import { type IdentifiedEntity, identitiesOf, serverIdentities } from './identities.ts';

const ALIAS = 'alias';

/**
 * Returns the key of the product that an entity belongs to: `alias:<id>`, or `<category>:<identity>`. A curated alias of any
 * of its identities goes first; else the most exact identity within the entity's category decides, so an MCP server and an
 * application of the same name are two products.
 */
export function productKey(entity: IdentifiedEntity): string {
  return keyOf(entity.kind, identitiesOf(entity));
}

function keyOf(kind: EntityKind, identities: readonly string[]): string {
  const alias = identities
    .map((identity) => findAlias(kind, identity))
    .find((match) => match !== undefined);
  if (alias !== undefined) return `${ALIAS}:${alias.id}`;
  return `${categoryOf(kind)}:${identities[0]}`;
}

/** Returns the ids of the products of MCP servers that agents would report under any of these keys of theirs. */
export function serverProductIds(keys: readonly string[]): string[] {
  const ids = keys
    .flatMap(serverIdentities)
    .map((identity) => productIdOf(keyOf('mcp_server', [identity])));
  return [...new Set(ids)];
}

/** Returns the id of a product: SHA-256 of its key, in hex. */
export const productIdOf = (key: string): string => createHash('sha256').update(key).digest('hex');

export interface ProductDescription {
  category: ProductCategory;
  /** Names of a product with an alias; null where its applications give the name. */
  curated: { name: string; vendor: string } | null;
}

/** Returns the category and the curated names of a product by its key. An alias that a later release dropped is described as an application. */
export function describeProduct(key: string): ProductDescription {
  const [prefix = '', rest = ''] = key.split(/:(.*)/s);
  const alias = prefix === ALIAS ? findAliasById(rest) : undefined;
  if (alias !== undefined) {
    const { category, name, vendor } = alias;
    return { category, curated: { name, vendor } };
  }
  const category = PRODUCT_CATEGORIES.find((known) => known === prefix) ?? 'application';
  return { category, curated: null };
}
