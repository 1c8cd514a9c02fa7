// C/device-groups: named sets of devices that overrides can apply to.
import { type Static, Type } from 'typebox';
import { NameText, Nullable, OneOf, Uuid } from '../common.ts';
import { PLATFORMS } from '../vocabulary.ts';
import { ListAnswer, ListQuery } from './common.ts';

const strict = { additionalProperties: false };
const GroupName = NameText(200);
const Description = Nullable(Type.String({ maxLength: 2000 }));

/**
 * Fields that a membership query compares: properties that a device reports, its user, and the names of the user's
 * groups.
 */
export const RULE_FIELDS = [
  'hostname',
  'subscriber_id',
  'people_group',
  'platform',
  'os_version',
  'arch',
  'agent_version',
] as const;
/** `one_of` and `none_of` take globs (`*`, `?`, case-insensitive); the other two take a version. */
export const RULE_TESTS = ['one_of', 'none_of', 'at_least', 'below'] as const;

export const RuleCondition = Type.Object(
  {
    field: OneOf(RULE_FIELDS),
    test: OneOf(RULE_TESTS),
    values: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 50,
    }),
  },
  strict,
);
export type RuleCondition = Static<typeof RuleCondition>;

/** A device that is not retired belongs to the group if all conditions match. */
export const GroupRule = Type.Object(
  { conditions: Type.Array(RuleCondition, { minItems: 1, maxItems: 10 }) },
  strict,
);
export type GroupRule = Static<typeof GroupRule>;

/** Null: members are added by hand. */
const Rule = Nullable(GroupRule);

export const DeviceGroupInput = Type.Object(
  { name: GroupName, description: Type.Optional(Description), rule: Type.Optional(Rule) },
  strict,
);
export type DeviceGroupInput = Static<typeof DeviceGroupInput>;

/** PATCH: an absent field is unchanged. */
export const DeviceGroupPatch = Type.Object(
  {
    name: Type.Optional(GroupName),
    description: Type.Optional(Description),
    rule: Type.Optional(Rule),
  },
  strict,
);
export type DeviceGroupPatch = Static<typeof DeviceGroupPatch>;

export const DeviceGroup = Type.Object({
  group_id: Uuid,
  /** The ETag verbatim, including its quotes: the value for `If-Match`. */
  version: Type.String(),
  name: Type.String(),
  description: Nullable(Type.String()),
  rule: Rule,
  device_count: Type.Integer(),
  created_at: Type.String(),
  created_by: Type.String(),
  updated_at: Type.String(),
  updated_by: Type.String(),
});
export type DeviceGroup = Static<typeof DeviceGroup>;

export const DeviceGroupAnswer = Type.Object({ group: DeviceGroup, request_id: Type.String() });
export type DeviceGroupAnswer = Static<typeof DeviceGroupAnswer>;

export const DeviceGroupDeletedAnswer = Type.Object({
  group_id: Uuid,
  deleted: Type.Literal(true),
  request_id: Type.String(),
});

export const DeviceGroupsQuery = Type.Object(
  { ...ListQuery, query: Type.Optional(Type.String({ maxLength: 200 })) },
  strict,
);
export const DeviceGroupsAnswer = ListAnswer(DeviceGroup);

/** Whether the device is a member now: the response of adding and removing it. */
export const MembershipAnswer = Type.Object({
  group_id: Uuid,
  device_id: Uuid,
  member: Type.Boolean(),
  request_id: Type.String(),
});

export const GroupDevice = Type.Object({
  device_id: Uuid,
  hostname: Type.String(),
  platform: OneOf(PLATFORMS),
  subscriber_id: Type.String(),
  last_seen_at: Type.String(),
  added_at: Type.String(),
  added_by: Type.String(),
});
export type GroupDevice = Static<typeof GroupDevice>;

export const GroupDevicesQuery = Type.Object(ListQuery, strict);
export const GroupDevicesAnswer = ListAnswer(GroupDevice);

/** Previews the members of a membership query before it is stored. */
export const RulePreviewInput = Type.Object({ rule: GroupRule }, strict);
export const RulePreviewAnswer = Type.Object({
  device_count: Type.Integer(),
  /** The first 20 members by host name. */
  devices: Type.Array(
    Type.Object({
      device_id: Uuid,
      hostname: Type.String(),
      subscriber_id: Type.String(),
      platform: OneOf(PLATFORMS),
    }),
  ),
  request_id: Type.String(),
});
export type RulePreviewAnswer = Static<typeof RulePreviewAnswer>;

/** A group as shown with a device. */
export const NamedGroup = Type.Object({ group_id: Uuid, name: Type.String() });
export type NamedGroup = Static<typeof NamedGroup>;
