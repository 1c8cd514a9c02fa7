// The curated products: which identities, over sources and platforms, are the same product. The data is aliases.json.
import { OneOf } from '@gatewarden/shared/wire/common.ts';
import {
  PRODUCT_CATEGORIES,
  type ProductCategory,
} from '@gatewarden/shared/wire/console/products.ts';
import type { EntityKind } from '@gatewarden/shared/wire/vocabulary.ts';
import { type Static, Type } from 'typebox';
import ALIASES from './aliases.json' with { type: 'json' };

const strict = { additionalProperties: false };

/** The schema of aliases.json, which its test validates. */
export const AliasFile = Type.Object(
  {
    /** Raised by each change of the rules or of the data: every hub then identifies stored applications again. */
    version: Type.Integer({ minimum: 1 }),
    products: Type.Array(
      Type.Object(
        {
          id: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
          name: Type.String({ minLength: 1 }),
          vendor: Type.String({ minLength: 1 }),
          category: OneOf(PRODUCT_CATEGORIES),
          /** Identities in the form of `identitiesOf`: `<source>:<id>`, folded. */
          identities: Type.Array(Type.String({ minLength: 3 }), { minItems: 1 }),
        },
        strict,
      ),
    ),
  },
  strict,
);
export type ProductAlias = Static<typeof AliasFile>['products'][number];

export const PRODUCT_ALIASES = ALIASES.products as readonly ProductAlias[];
export const PRODUCT_RULES_VERSION: number = ALIASES.version;

/** Servers have a namespace of their own: an MCP server and an application of the same name are two products. */
const SERVERS = indexAliases((alias) => alias.category === 'mcp_server');
const PROGRAMS = indexAliases((alias) => alias.category !== 'mcp_server');

/** Returns the curated product that has this identity among entities of the kind, if any. */
export function findAlias(kind: EntityKind, identity: string): ProductAlias | undefined {
  return (kind === 'mcp_server' ? SERVERS : PROGRAMS).get(identity);
}

const BY_ID = new Map(PRODUCT_ALIASES.map((alias) => [alias.id, alias]));

/** Returns the curated product with this id, if any. */
export const findAliasById = (id: string): ProductAlias | undefined => BY_ID.get(id);

function indexAliases(isMeant: (alias: ProductAlias) => boolean): Map<string, ProductAlias> {
  return new Map(
    PRODUCT_ALIASES.filter(isMeant).flatMap((alias) =>
      alias.identities.map((identity) => [identity, alias] as const),
    ),
  );
}

const CATEGORY_OF: Readonly<Record<EntityKind, ProductCategory>> = {
  application: 'application',
  package: 'package',
  browser_extension: 'extension',
  ide_extension: 'extension',
  mcp_server: 'mcp_server',
  ai_tool: 'ai_tool',
};

/** Returns the category of an entity that no alias names. */
export const categoryOf = (kind: EntityKind): ProductCategory => CATEGORY_OF[kind];
