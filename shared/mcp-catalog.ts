// The catalog of well-known MCP servers. The data is mcp-catalog.json: the console offers it when an administrator adds a server,
// and the hub finds the remote server of a product that devices run locally.
import { type Static, Type } from 'typebox';
import CATALOG from './mcp-catalog.json' with { type: 'json' };
import { OneOf } from './wire/common.ts';
import { AUTH_KINDS } from './wire/console/mcp-backends.ts';

const strict = { additionalProperties: false };

/** The schema of mcp-catalog.json, which its test validates. */
export const McpCatalogFile = Type.Array(
  Type.Object(
    {
      /** The id of the product in the hub's aliases.json. */
      id: Type.String({ pattern: '^mcp-[a-z0-9]+(-[a-z0-9]+)*$' }),
      name: Type.String({ minLength: 1, maxLength: 60 }),
      vendor: Type.String({ minLength: 1, maxLength: 60 }),
      description: Type.String({ minLength: 1, maxLength: 80 }),
      /** The endpoint that the vendor operates; null: the server runs on devices or on servers of the customer. */
      url: Type.Union([Type.String({ pattern: '^https://' }), Type.Null()]),
      /** The usual authentication at `url`. */
      auth: OneOf(AUTH_KINDS),
      /** Packages (`npm:…`, `pypi:…`) and images with which devices run the server. */
      packages: Type.Array(Type.String({ minLength: 3 })),
      docs: Type.String({ pattern: '^https://' }),
    },
    strict,
  ),
);
export type McpCatalogEntry = Static<typeof McpCatalogFile>[number];

/** The entries by name. */
export const MCP_CATALOG = CATALOG as readonly McpCatalogEntry[];

const BY_ID = new Map(MCP_CATALOG.map((entry) => [entry.id, entry]));

/** Returns the entry with this id, if any. */
export const findCatalogEntry = (id: string): McpCatalogEntry | undefined => BY_ID.get(id);
