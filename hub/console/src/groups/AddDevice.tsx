// Adds a device to the group, searched by host name or user.
import type { DeviceRow } from '@gatewarden/shared/wire/console/devices.ts';
import { Button, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useOffered } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { useMembership } from './membership.ts';
import './groups.css';
import { searchable, visibleText } from '../ui/visible.ts';

const OFFERED = 100;
const SETTLE_MS = 250;

export function AddDevice({ groupId }: { groupId: string }) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const [query] = useDebouncedValue(typed.trim().slice(0, 200), SETTLE_MS);
  const membership = useMembership();
  // A chosen option shows as "host (user)"; the search uses the host.
  const found = useOffered<DeviceRow>('devices', '/devices', {
    query: searchable(query.replace(/ \(.*\)$/, '')),
    limit: OFFERED,
  });
  const options = found.map((item) => ({
    value: item.device_id,
    label: visibleText`${item.hostname} (${item.subscriber_id})`,
  }));
  return (
    <form
      className="gw-add-member"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen === null) return;
        membership.mutate(
          { groupId, deviceId: chosen, member: true },
          {
            onSuccess: () => {
              setChosen(null);
            },
          },
        );
      }}
    >
      <Select
        label={texts.groups.addDevice}
        placeholder={texts.groups.addDevicePlaceholder}
        nothingFoundMessage={texts.decide.deviceNone}
        searchable
        data={options}
        limit={OFFERED}
        onSearchChange={setTyped}
        value={chosen}
        onChange={setChosen}
      />
      <Button type="submit" disabled={chosen === null} loading={membership.isPending}>
        {texts.groups.add}
      </Button>
      {membership.isError ? (
        <ErrorPanel error={membership.error} title={texts.errors.notSaved} />
      ) : null}
    </form>
  );
}
