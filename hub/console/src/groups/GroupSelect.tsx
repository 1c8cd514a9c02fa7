// Selects a device group by a search for its name.
import type {
  DeviceGroup,
  DeviceGroupAnswer,
} from '@gatewarden/shared/wire/console/device-groups.ts';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { isStatus } from '../api/client.ts';
import { useOffered, useResource } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { searchable, visible } from '../ui/visible.ts';

const OFFERED = 100;
const SETTLE_MS = 250;
/** No group has this id. */
const NONE = 'none';

interface GroupSelectProps {
  label: string;
  placeholder: string;
  /** Empty: no group. */
  value: string;
  onChange: (groupId: string) => void;
  /** The ids of groups that are not offered. */
  except?: readonly string[];
  error?: ReactNode;
  description?: string;
  /** Offers only groups with manual membership. */
  byHand?: boolean;
  /** The text of the choice of no group; left out: not offered. */
  noneLabel?: string;
}

/** Returns the label of a chosen group that is not offered: its name, or its id until the name is loaded. */
function useGroup(groupId: string | null): { name: string | null; isGone: boolean } {
  const path = groupId === null ? null : `/device-groups/${encodeURIComponent(groupId)}`;
  const { data, error } = useResource<DeviceGroupAnswer>('device-groups', path, {}, 'names');
  const isGone = groupId !== null && isStatus(error, 404);
  const name = isGone ? texts.groups.gone : (data?.group.name ?? groupId);
  return { name: groupId === null ? null : name, isGone };
}

export function GroupSelect(props: GroupSelectProps) {
  const { label, placeholder, value, onChange, except = [], error } = props;
  const { description, noneLabel, byHand = false } = props;
  const [typed, setTyped] = useState('');
  const [query] = useDebouncedValue(typed.trim().slice(0, 200), SETTLE_MS);
  const first = useOffered<DeviceGroup>('device-groups', '/device-groups', {
    limit: OFFERED,
  });
  const found = useOffered<DeviceGroup>('device-groups', '/device-groups', {
    query: searchable(query),
    limit: OFFERED,
  });
  const known = [...first, ...found];
  const offered = byHand ? known.filter((item) => item.rule === null) : known;
  const options = new Map(offered.map((item) => [item.group_id, item.name]));
  for (const groupId of except) options.delete(groupId);
  const chosen = useGroup(value !== '' && !options.has(value) ? value : null);
  if (chosen.name !== null) options.set(value, chosen.name);
  const none = noneLabel === undefined ? [] : [{ value: NONE, label: noneLabel }];
  return (
    <Select
      label={label}
      {...(description === undefined ? {} : { description })}
      placeholder={placeholder}
      nothingFoundMessage={texts.groups.none}
      searchable
      data={[...none, ...[...options].map(([id, name]) => ({ value: id, label: visible(name) }))]}
      limit={OFFERED}
      onSearchChange={setTyped}
      error={chosen.isGone ? texts.groups.goneChoose : error}
      value={value !== '' ? value : noneLabel === undefined ? null : NONE}
      onChange={(id) => {
        onChange(id === null || id === NONE ? '' : id);
      }}
    />
  );
}
