// The filters of enforcement events: a device and an app, each found while the user types.
import type { ApplicationRow } from '@gatewarden/shared/wire/console/applications.ts';
import type { DeviceRow } from '@gatewarden/shared/wire/console/devices.ts';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useOffered } from '../api/tenant.ts';
import { sourceLabel } from '../labels.ts';
import { texts } from '../texts.ts';
import { RemoveFilter } from '../ui/RemoveFilter.tsx';
import { searchable, visible } from '../ui/visible.ts';

const OFFERED = 50;
const SETTLE_MS = 250;

interface FilterProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

export function DeviceFilter({ value, onChange }: FilterProps) {
  const [typed, query, setTyped] = useTyped();
  const devices = useOffered<DeviceRow>('devices', '/devices', { query, limit: OFFERED });
  // The chosen device may be none of the offered devices; its id finds it.
  const chosen = useOffered<DeviceRow>(
    'devices',
    '/devices',
    value === undefined ? null : { query: value },
  ).filter((device) => device.device_id === value);
  const options = [...chosen, ...devices].map((device) => ({
    value: device.device_id,
    label: `${visible(device.hostname)} (${visible(device.subscriber_id)})`,
  }));
  return (
    <OfferedFilter
      label={texts.activity.device}
      options={options}
      typed={typed}
      onTyped={setTyped}
      value={value}
      onChange={onChange}
    />
  );
}

export function AppFilter({ value, onChange }: FilterProps) {
  const [typed, query, setTyped] = useTyped();
  const apps = useOffered<ApplicationRow>('applications', '/discovered-apps', {
    query,
    limit: OFFERED,
  });
  const options = apps.map((app) => ({
    value: app.entity_id,
    label: `${visible(app.name)} (${sourceLabel(app.source)}, ${texts.platforms[app.platform]})`,
  }));
  return (
    <OfferedFilter
      label={texts.activity.app}
      options={options}
      typed={typed}
      onTyped={setTyped}
      value={value}
      onChange={onChange}
    />
  );
}

/** The typed text, the query that it settles to, and how it changes. */
function useTyped(): [string, string | undefined, (typed: string) => void] {
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed.trim().slice(0, 200), SETTLE_MS);
  // The text of a chosen option ends in brackets, which no name of a device or app has to have.
  const query = searchable(settled.replace(/ \(.*\)$/, ''));
  return [typed, query === '' ? undefined : query, setTyped];
}

interface OfferedFilterProps extends FilterProps {
  label: string;
  options: readonly { value: string; label: string }[];
  typed: string;
  onTyped: (typed: string) => void;
}

function OfferedFilter({ label, options, typed, onTyped, value, onChange }: OfferedFilterProps) {
  const unique = new Map(options.map((option) => [option.value, option]));
  if (value !== undefined && !unique.has(value)) {
    unique.set(value, { value, label: texts.activity.chosen });
  }
  return (
    <Select
      className="gw-chip gw-chip-search"
      size="xs"
      data-chosen={value === undefined ? undefined : ''}
      label={label}
      placeholder={texts.ui.all}
      nothingFoundMessage={texts.ui.noMatch}
      searchable
      rightSectionPointerEvents={value === undefined ? 'none' : 'all'}
      rightSection={
        value === undefined ? undefined : (
          <RemoveFilter label={label} onRemove={() => onChange(undefined)} />
        )
      }
      comboboxProps={{ width: 320, position: 'bottom-start' }}
      data={[...unique.values()]}
      limit={OFFERED}
      searchValue={typed}
      onSearchChange={onTyped}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
    />
  );
}
