// The groups of a device, with the actions to add and remove it.
import type { DeviceAnswer } from '@gatewarden/shared/wire/console/devices.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMayAdminister } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Section } from '../ui/Page.tsx';
import { GroupLink } from './GroupLink.tsx';
import { GroupSelect } from './GroupSelect.tsx';
import { useMembership } from './membership.ts';
import './groups.css';

export function DeviceGroups({ device }: { device: DeviceAnswer['device'] }) {
  const mayManage = useMayAdminister();
  const membership = useMembership();
  const [chosen, setChosen] = useState('');
  const deviceId = device.device_id;
  return (
    <Section title={texts.groups.ofDevice}>
      {device.groups.length === 0 ? (
        <p className="gw-dimmed">{texts.groups.ofDeviceEmpty}</p>
      ) : (
        <ul className="gw-membership">
          {device.groups.map((group) => (
            <li key={group.group_id} data-testid="membership">
              <GroupLink groupId={group.group_id} name={group.name} />
              {mayManage ? (
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={texts.groups.takeOutNamed(group.name)}
                  onClick={() => {
                    membership.mutate({ groupId: group.group_id, deviceId, member: false });
                  }}
                >
                  {texts.groups.takeOut}
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {mayManage ? (
        <form
          className="gw-add-member"
          onSubmit={(event) => {
            event.preventDefault();
            if (chosen === '') return;
            membership.mutate(
              { groupId: chosen, deviceId, member: true },
              {
                onSuccess: () => {
                  setChosen('');
                },
              },
            );
          }}
        >
          <GroupSelect
            label={texts.groups.addToGroup}
            placeholder={texts.groups.addToGroupPlaceholder}
            value={chosen}
            onChange={setChosen}
            byHand
            except={device.groups.map((item) => item.group_id)}
          />
          <Button type="submit" disabled={chosen === ''} loading={membership.isPending}>
            {texts.groups.add}
          </Button>
        </form>
      ) : null}
      {membership.isError ? (
        <ErrorPanel error={membership.error} title={texts.errors.notSaved} />
      ) : null}
    </Section>
  );
}
