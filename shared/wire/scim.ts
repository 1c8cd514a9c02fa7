// Schemas of SCIM 2.0 (RFC 7643, RFC 7644) with the attributes that the hub interprets. The standard compares attribute
// names case-insensitively and ignores unknown attributes, so every object accepts additional properties.
import { type Static, Type } from 'typebox';
import { Nullable } from './common.ts';

export const SCIM = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const;

const Schemas = Type.Optional(Type.Array(Type.String(), { maxItems: 20 }));
/** Null means unassigned (RFC 7643 §2.5). */
const Text = Type.Optional(Nullable(Type.String({ maxLength: 400 })));
/** Some directories send an object as JSON text. */
const Item = Type.Union([
  Type.Object(
    { value: Type.Optional(Nullable(Type.String({ maxLength: 4_000 }))) },
    { additionalProperties: true },
  ),
  Type.String({ maxLength: 4_000 }),
]);
const Items = (maxItems: number) => Type.Optional(Nullable(Type.Array(Item, { maxItems })));
const open = { additionalProperties: true };

export const ScimUserInput = Type.Object(
  {
    schemas: Schemas,
    userName: Text,
    externalId: Text,
    active: Type.Optional(Nullable(Type.Union([Type.Boolean(), Type.String()]))),
    displayName: Text,
    name: Type.Optional(Nullable(Type.Object({}, open))),
    emails: Items(50),
    roles: Items(50),
  },
  { ...open, title: 'ScimUserInput' },
);
export type ScimUserInput = Static<typeof ScimUserInput>;

export const ScimGroupInput = Type.Object(
  {
    schemas: Schemas,
    displayName: Text,
    externalId: Text,
    members: Items(20_000),
  },
  { ...open, title: 'ScimGroupInput' },
);
export type ScimGroupInput = Static<typeof ScimGroupInput>;

export const ScimPatch = Type.Object(
  {
    schemas: Schemas,
    Operations: Type.Array(
      Type.Object(
        {
          op: Type.String({ description: 'add, remove or replace, in any case' }),
          path: Text,
          value: Type.Optional(Type.Unknown()),
        },
        open,
      ),
      { minItems: 1, maxItems: 100 },
    ),
  },
  { ...open, title: 'ScimPatch' },
);
export type ScimPatch = Static<typeof ScimPatch>;

const Parameter = Type.Optional(Type.String({ maxLength: 400 }));

export const ScimListQuery = Type.Object({
  filter: Type.Optional(Type.String({ maxLength: 1_000 })),
  startIndex: Type.Optional(
    Type.String({ description: 'a number, from 1', pattern: '^-?[0-9]{1,9}$' }),
  ),
  count: Type.Optional(
    Type.String({ description: 'a number, up to 1000', pattern: '^-?[0-9]{1,9}$' }),
  ),
  attributes: Parameter,
  excludedAttributes: Parameter,
  sortBy: Parameter,
  sortOrder: Parameter,
});
export const ScimOneQuery = Type.Object({
  attributes: Parameter,
  excludedAttributes: Parameter,
});

/** A user, a group, or a discovery resource of RFC 7643 §5 to §7. */
export const ScimResource = Type.Object(
  { schemas: Type.Array(Type.String()), id: Type.Optional(Type.String()) },
  { ...open, title: 'ScimResource' },
);
export type ScimResource = Static<typeof ScimResource> & Record<string, unknown>;

export const ScimList = Type.Object(
  {
    schemas: Type.Array(Type.String()),
    totalResults: Type.Integer(),
    startIndex: Type.Integer(),
    itemsPerPage: Type.Integer(),
    Resources: Type.Array(ScimResource),
  },
  { title: 'ScimList' },
);

export const ScimError = Type.Object(
  {
    schemas: Type.Array(Type.Literal(SCIM.error)),
    status: Type.String(),
    scimType: Type.Optional(Type.String()),
    detail: Type.String(),
  },
  { title: 'ScimError' },
);
