// A device group and its devices.
import type {
  DeviceGroup,
  DeviceGroupAnswer,
  GroupDevice,
} from '@gatewarden/shared/wire/console/device-groups.ts';
import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useList, useMayAdminister, useResource } from '../api/tenant.ts';
import { DeviceLink } from '../devices/DeviceLink.tsx';
import { texts } from '../texts.ts';
import type { Column } from '../ui/DataTable.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { CrumbText, Page, Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { WhenAndWho } from '../ui/WhenAndWho.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { AddDevice } from './AddDevice.tsx';
import { DeleteGroup } from './DeleteGroup.tsx';
import { GroupDialog } from './GroupForm.tsx';
import { useMembership } from './membership.ts';
import { RuleText } from './RuleText.tsx';

const route = getRouteApi('/t/$tenantId/devices/groups/$groupId');

export function GroupPage() {
  const { tenantId, groupId } = route.useParams();
  const path = `/device-groups/${encodeURIComponent(groupId)}`;
  const answer = useResource<DeviceGroupAnswer>('device-groups', path);
  const group = shownOf(answer)?.group;
  return (
    <Page
      title={group?.name ?? texts.groups.title}
      lead={group?.description ? <Name value={group.description} /> : undefined}
      crumb={
        <Link to="/t/$tenantId/devices/groups" params={{ tenantId }} className="gw-crumb">
          <CrumbText>{texts.groups.title}</CrumbText>
        </Link>
      }
    >
      <Waiting answer={answer} />
      {group ? (
        <div className="gw-stack" key={group.group_id}>
          <GroupFacts group={group} />
          <GroupDevices group={group} />
        </div>
      ) : null}
    </Page>
  );
}

function GroupFacts({ group }: { group: DeviceGroup }) {
  const mayManage = useMayAdminister();
  const { tenantId } = route.useParams();
  const navigate = route.useNavigate();
  const [opened, setOpened] = useState<'edit' | 'delete' | null>(null);
  const close = () => {
    setOpened(null);
  };
  const actions = (
    <div className="gw-row-actions">
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          setOpened('edit');
        }}
      >
        {texts.groups.edit}
      </Button>
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          setOpened('delete');
        }}
      >
        {texts.groups.remove}
      </Button>
    </div>
  );
  return (
    <Section title={texts.groups.facts} aside={mayManage ? actions : undefined}>
      <Facts>
        <Fact name={texts.groups.devices}>{group.device_count.toLocaleString('en-GB')}</Fact>
        {group.rule === null ? null : (
          <Fact name={texts.groups.rule}>
            <RuleText rule={group.rule} />
          </Fact>
        )}
        <Fact name={texts.groups.created}>
          <Time at={group.created_at} full /> · <Name value={group.created_by} />
        </Fact>
        <Fact name={texts.groups.changed}>
          <Time at={group.updated_at} /> · <Name value={group.updated_by} />
        </Fact>
      </Facts>
      {opened === 'edit' ? <GroupDialog group={group} onClose={close} /> : null}
      {opened === 'delete' ? (
        <DeleteGroup
          group={group}
          onClose={close}
          onDeleted={() =>
            void navigate({ to: '/t/$tenantId/devices/groups', params: { tenantId } })
          }
        />
      ) : null}
    </Section>
  );
}

function GroupDevices({ group }: { group: DeviceGroup }) {
  const groupId = group.group_id;
  const list = useList<GroupDevice>('device-groups', `/device-groups/${groupId}/devices`);
  const mayAdminister = useMayAdminister();
  // A group with a membership query has no manual members.
  const mayManage = mayAdminister && group.rule === null;
  const membership = useMembership();
  const actions: Column<GroupDevice> = {
    key: 'actions',
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => (
      <Button
        size="xs"
        variant="default"
        aria-label={texts.groups.takeOutNamed(row.hostname)}
        onClick={() => {
          membership.mutate({ groupId, deviceId: row.device_id, member: false });
        }}
      >
        {texts.groups.takeOut}
      </Button>
    ),
  };
  return (
    <Section title={texts.groups.devices}>
      {mayManage ? <AddDevice groupId={groupId} /> : null}
      {membership.isError ? (
        <ErrorPanel error={membership.error} title={texts.errors.notSaved} />
      ) : null}
      <ListView
        bare
        list={list}
        caption={texts.groups.devices}
        columns={mayManage ? [...COLUMNS, actions] : COLUMNS}
        rowKey={(row) => row.device_id}
        rowTestId="group-device-row"
        empty={<p className="gw-dimmed">{texts.groups.devicesEmpty}</p>}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<GroupDevice>[] = [
  {
    key: 'hostname',
    weight: 2,
    header: texts.devices.hostname,
    render: (row) => <DeviceLink deviceId={row.device_id} hostname={row.hostname} />,
  },
  {
    key: 'person',
    weight: 1.8,
    header: texts.devices.person,
    render: (row) => <UserLink value={row.subscriber_id} isIdentity />,
  },
  {
    key: 'platform',
    header: texts.devices.platform,
    render: (row) => texts.platforms[row.platform],
  },
  {
    key: 'last_seen',
    weight: 1.2,
    header: texts.devices.lastSeen,
    render: (row) => <Time at={row.last_seen_at} />,
  },
  {
    key: 'added',
    weight: 1.6,
    header: texts.groups.added,
    render: (row) => <WhenAndWho at={row.added_at} by={row.added_by} />,
  },
];
