// C/people-groups: user groups by e-mail address. Access policies and device groups refer to them, and a group can
// grant its members a role.
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
    /** The complete list of members; users that are absent are removed. */
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
    /** The minimum console role of the members; null: the group grants no role. */
    role: GroupRole,
    member_count: Type.Integer(),
    /** Present only if a single group is read. */
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
