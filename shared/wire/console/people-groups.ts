// C/people-groups: groups of people by e-mail address: for the rules of the MCP gateway, for device groups, and with the
// role that their people have.
import { type Static, Type } from 'typebox';
import { NameText, Nullable, OneOf, Uuid } from '../common.ts';
import { GROUP_ROLES } from '../vocabulary.ts';
import { JustPaged, ListAnswer } from './common.ts';

const Name = NameText(200);
const Description = Type.String({ maxLength: 2_000 });
const GroupRole = Nullable(OneOf(GROUP_ROLES));
const Members = Type.Array(
  Type.String({
    description: 'an e-mail address',
    pattern: '^[^\\s@<>"]{1,64}@[^\\s@<>"]{1,253}$',
  }),
  { maxItems: 5_000 },
);
export const PeopleGroupInput = Type.Object(
  {
    name: Name,
    description: Type.Optional(Description),
    members: Type.Optional(Members),
    role: Type.Optional(GroupRole),
  },
  { additionalProperties: false, title: 'PeopleGroupInput' },
);
export const PeopleGroupPatch = Type.Object(
  {
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    /** All of them: who is not named is in it no more. */
    members: Type.Optional(Members),
    role: Type.Optional(GroupRole),
  },
  { additionalProperties: false, minProperties: 1, title: 'PeopleGroupPatch' },
);
export type PeopleGroupPatch = Static<typeof PeopleGroupPatch>;
export const PeopleGroup = Type.Object(
  {
    people_group_id: Uuid,
    name: Type.String(),
    description: Type.String(),
    /** Whoever of its people may sign in has this role at least; null: none by this group. */
    role: GroupRole,
    member_count: Type.Integer(),
    /** Only where one group is read. */
    members: Type.Optional(Type.Array(Type.String())),
    version: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String(),
  },
  { title: 'PeopleGroup' },
);
export type PeopleGroup = Static<typeof PeopleGroup>;
export const PeopleGroupAnswer = Type.Object({ group: PeopleGroup, request_id: Type.String() });
export type PeopleGroupAnswer = Static<typeof PeopleGroupAnswer>;
export const PeopleGroupList = ListAnswer(PeopleGroup);
export const PeopleGroupQuery = JustPaged;
export const PeopleGroupParams = Type.Object({ tenant_id: Type.String(), people_group_id: Uuid });
