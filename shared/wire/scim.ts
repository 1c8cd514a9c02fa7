// SCIM 2.0 (RFC 7643 and 7644) as the hub speaks it. Attribute names are taken in any case and what is not named here is
// let pass unread, as the standard asks; so these say what is understood, and the schemas of the standard check it.
import { type Static, Type } from 'typebox';

export const SCIM = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const;

const Schemas = Type.Optional(Type.Array(Type.String(), { maxItems: 20 }));
const Text = Type.Optional(Type.String({ maxLength: 400 }));
const open = { additionalProperties: true };

export const ScimUserInput = Type.Object(
  {
    schemas: Schemas,
    userName: Text,
    externalId: Text,
    active: Type.Optional(Type.Union([Type.Boolean(), Type.String()])),
    displayName: Text,
    name: Type.Optional(Type.Object({}, open)),
    emails: Type.Optional(Type.Array(Type.Object({ value: Text }, open), { maxItems: 50 })),
    roles: Type.Optional(Type.Array(Type.Object({ value: Text }, open), { maxItems: 50 })),
  },
  { ...open, title: 'ScimUserInput' },
);
export type ScimUserInput = Static<typeof ScimUserInput>;

export const ScimGroupInput = Type.Object(
  {
    schemas: Schemas,
    displayName: Text,
    externalId: Text,
    members: Type.Optional(Type.Array(Type.Object({ value: Text }, open), { maxItems: 20_000 })),
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

export const ScimListQuery = Type.Object({
  filter: Type.Optional(Type.String({ maxLength: 1_000 })),
  startIndex: Type.Optional(
    Type.String({ description: 'a number, from 1', pattern: '^-?[0-9]{1,9}$' }),
  ),
  count: Type.Optional(
    Type.String({ description: 'a number, up to 1000', pattern: '^-?[0-9]{1,9}$' }),
  ),
  attributes: Text,
  excludedAttributes: Text,
  sortBy: Text,
  sortOrder: Text,
});
export const ScimOneQuery = Type.Object({ attributes: Text, excludedAttributes: Text });

/** A user, a group, or what describes the service. */
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
