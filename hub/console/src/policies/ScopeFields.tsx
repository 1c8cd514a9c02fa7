// The scope of a policy: everyone, a user or a device, offered from the devices that have the app.
import type { ApplicationDevice } from '@gatewarden/shared/wire/console/applications.ts';
import type { DeviceRow } from '@gatewarden/shared/wire/console/devices.ts';
import type { ScopeKind } from '@gatewarden/shared/wire/vocabulary.ts';
import { Autocomplete, Radio, Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useOffered } from '../api/tenant.ts';
import { GroupSelect } from '../groups/GroupSelect.tsx';
import { texts } from '../texts.ts';
import { nearestFirst } from '../ui/nearest-first.ts';
import { searchable, visible } from '../ui/visible.ts';
import type { DecisionValues } from './form-values.ts';

const OFFERED_SCOPES: readonly ScopeKind[] = ['tenant', 'group', 'subscriber', 'device'];
const OFFERED = 100;
const SETTLE_MS = 250;

interface ScopeFieldsProps {
  form: UseFormReturnType<DecisionValues>;
  /** The app of the policy; its devices are offered first. */
  entityId: string | undefined;
}

export function ScopeFields({ form, entityId }: ScopeFieldsProps) {
  const { scope } = form.values;
  return (
    <>
      <Radio.Group label={texts.decide.scope} {...form.getInputProps('scope')}>
        <div className="gw-chips">
          {OFFERED_SCOPES.map((value) => (
            <Radio key={value} value={value} label={texts.decide.scopes[value]} />
          ))}
        </div>
      </Radio.Group>
      {scope === 'device' ? <DeviceField form={form} entityId={entityId} /> : null}
      {scope === 'subscriber' ? <PersonField form={form} entityId={entityId} /> : null}
      {scope === 'group' ? <GroupField form={form} /> : null}
    </>
  );
}

const labelOf = (item: Pick<DeviceRow, 'hostname' | 'subscriber_id'>) =>
  `${item.hostname} (${item.subscriber_id})`;

function DeviceField({ form, entityId }: ScopeFieldsProps) {
  const [typed, setTyped] = useState('');
  const known = useOfferedDevices(entityId, typed);
  const options = new Map(known.map((item) => [item.device_id, labelOf(item)]));
  const chosen = form.values.deviceId;
  // A device that was chosen earlier may be missing in the list, so it is requested by its id.
  const isOther = chosen !== '' && !options.has(chosen);
  const other = useOffered<DeviceRow>(
    'devices',
    '/devices',
    isOther ? { query: chosen } : null,
  ).find((item) => item.device_id === chosen);
  if (isOther) options.set(chosen, other ? labelOf(other) : chosen);
  return (
    <Select
      label={texts.decide.device}
      placeholder={texts.decide.devicePlaceholder}
      nothingFoundMessage={texts.decide.deviceNone}
      searchable
      data={nearestFirst([...options], typed, ([, label]) => label).map(([value, label]) => ({
        value,
        label: visible(label),
      }))}
      limit={OFFERED}
      onSearchChange={setTyped}
      error={form.errors.deviceId}
      value={chosen === '' ? null : chosen}
      onChange={(value) => {
        form.setFieldValue('deviceId', value ?? '');
      }}
    />
  );
}

function GroupField({ form }: Pick<ScopeFieldsProps, 'form'>) {
  const chosen = form.values.groupId;
  return (
    <GroupSelect
      label={texts.decide.group}
      placeholder={texts.groups.findPlaceholder}
      value={chosen}
      error={form.errors.groupId}
      onChange={(value) => {
        form.setFieldValue('groupId', value);
      }}
    />
  );
}

function PersonField({ form, entityId }: ScopeFieldsProps) {
  const known = useOfferedDevices(entityId, form.values.subscriberId);
  return (
    <Autocomplete
      label={texts.decide.person}
      placeholder={texts.decide.personPlaceholder}
      data={nearestFirst(
        [...new Set(known.map((item) => item.subscriber_id))],
        form.values.subscriberId,
        (item) => item,
      )}
      limit={OFFERED}
      maxLength={128}
      {...form.getInputProps('subscriberId')}
    />
  );
}

/** Returns the devices with the app, and the tenant's devices that match the typed text. */
function useOfferedDevices(entityId: string | undefined, typed: string) {
  const [query] = useDebouncedValue(typed.trim().slice(0, 200), SETTLE_MS);
  const having = useOffered<ApplicationDevice>(
    'applications',
    entityId === undefined ? '/devices' : `/discovered-apps/${entityId}/devices`,
    { limit: OFFERED },
  );
  // A chosen option shows as "host (user)"; the search uses the host.
  const found = useOffered<DeviceRow>('devices', '/devices', {
    query: searchable(query.replace(/ \(.*\)$/, '')),
    limit: OFFERED,
  });
  return [...having, ...found];
}
