// Validates device groups and applies changes to them. Pure.
import { isDeepStrictEqual } from 'node:util';
import { foldName } from '@gatewarden/shared/names.ts';
import type {
  DeviceGroup,
  DeviceGroupInput,
  DeviceGroupPatch,
} from '@gatewarden/shared/wire/console/device-groups.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { etagOf } from '../../../platform/http/server/etag.ts';
import { checkedRule } from './membership-query.ts';
import type { GroupRecord, NewGroup } from './store.ts';

/** A new group as it is stored. Throws 400 with a pointer. */
export function newGroup(
  input: DeviceGroupInput,
  by: { groupId: string; email: string; now: Date },
): NewGroup {
  return {
    group_id: by.groupId,
    ...named(input.name),
    description: described(input.description ?? null),
    rule: checkedRule(input.rule ?? null),
    created_at: by.now,
    created_by: by.email,
    updated_at: by.now,
    updated_by: by.email,
  };
}

/** Applies a patch; returns null if nothing changes. Throws 400 with a pointer. */
export function patchedGroup(
  before: GroupRecord,
  patch: DeviceGroupPatch,
  by: { email: string; now: Date },
): NewGroup | null {
  const { version: _version, device_count: _count, ...same } = before;
  const after = {
    ...same,
    ...(patch.name === undefined ? {} : named(patch.name)),
    ...(patch.description === undefined ? {} : { description: described(patch.description) }),
    ...(patch.rule === undefined ? {} : { rule: checkedRule(patch.rule) }),
  };
  const isSame =
    after.name === same.name &&
    after.description === same.description &&
    isDeepStrictEqual(after.rule, same.rule);
  if (isSame) return null;
  return { ...after, updated_at: by.now, updated_by: by.email };
}

/** Returns the group's query as text. */
export function groupRow(record: GroupRecord): DeviceGroup {
  const { name_folded: _folded, version, ...row } = record;
  return {
    ...row,
    version: etagOf(version),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function named(text: string): { name: string; name_folded: string } {
  const name = text.trim();
  if (name === '') throw new HubError('invalid_request', '/name must not be blank');
  return { name, name_folded: foldName(name) };
}

function described(text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}
