// The apps on a user's devices; the policy control of each opens with the user as its scope.
import type { ApplicationRow } from '@gatewarden/shared/wire/console/applications.ts';
import type { IdentityAnswer } from '@gatewarden/shared/wire/console/identity.ts';
import type { ApprovalStatus } from '@gatewarden/shared/wire/vocabulary.ts';
import { useState } from 'react';
import { useList, useMayDecide } from '../api/tenant.ts';
import { ApplicationLink } from '../applications/ApplicationLink.tsx';
import { DeviceLink } from '../devices/DeviceLink.tsx';
import { sourceLabel } from '../labels.ts';
import { PolicyMenu } from '../policies/PolicyActions.tsx';
import { AppPolicyDialog } from '../products/AppPolicyDialog.tsx';
import { texts } from '../texts.ts';
import { ApprovalBadge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { userTexts as words } from './texts.ts';

type Opened = { app: ApplicationRow; approval: ApprovalStatus | undefined };

export function UserApps({ identity }: { identity: IdentityAnswer['identity'] }) {
  const mayDecide = useMayDecide();
  const [opened, setOpened] = useState<Opened | null>(null);
  const list = useList<ApplicationRow>('applications', '/discovered-apps', {
    subscriber_id: identity.email,
  });
  const columns = columnsFor(identity.devices);
  const subscriberId = identity.devices[0]?.subscriber_id ?? identity.email;
  return (
    <Section title={words.apps}>
      <ListView
        bare
        list={list}
        caption={words.apps}
        columns={mayDecide ? [...columns, actionColumn(setOpened)] : columns}
        rowKey={(row) => row.entity_id}
        rowTestId="user-app-row"
        empty={<p className="gw-dimmed gw-flat">{words.appsEmpty}</p>}
      />
      {opened === null ? null : (
        <AppPolicyDialog
          entityId={opened.app.entity_id}
          name={opened.app.name}
          preset={{ approval: opened.approval, subscriberId }}
          onClosed={() => setOpened(null)}
        />
      )}
    </Section>
  );
}

const actionColumn = (open: (opened: Opened) => void): Column<ApplicationRow> => ({
  key: 'actions',
  weight: 0.6,
  header: texts.ui.actions,
  hiddenHeader: true,
  align: 'end',
  render: (row) => (
    <PolicyMenu name={row.name} onOpen={(approval) => open({ app: row, approval })} />
  ),
});

type Devices = IdentityAnswer['identity']['devices'];

/** An app is on the only device with its platform, or on some of several. */
function AppDevices({ row, devices }: { row: ApplicationRow; devices: Devices }) {
  const candidates = devices.filter(({ platform }) => platform === row.platform);
  const [first] = candidates;
  if (first === undefined) return texts.ui.unknown;
  if (candidates.length > 1) return words.several(candidates.length);
  return <DeviceLink deviceId={first.device_id} hostname={first.hostname} />;
}

const columnsFor = (devices: Devices): readonly Column<ApplicationRow>[] => [
  {
    key: 'name',
    weight: 2,
    header: texts.applications.name,
    render: (row) => <ApplicationLink entityId={row.entity_id} name={row.name} />,
  },
  {
    key: 'kind',
    weight: 1.6,
    header: texts.applications.kindAndSource,
    render: (row) => (
      <>
        {texts.kinds[row.kind]} <span className="gw-dimmed">· {sourceLabel(row.source)}</span>
      </>
    ),
  },
  { key: 'platform', header: words.platform, render: (row) => texts.platforms[row.platform] },
  {
    key: 'device',
    weight: 1.2,
    header: words.device,
    render: (row) => <AppDevices row={row} devices={devices} />,
  },
  {
    key: 'status',
    header: texts.applications.approval,
    render: (row) => <ApprovalBadge status={row.approval_status} />,
  },
  {
    key: 'first_seen',
    header: texts.applications.firstSeen,
    render: (row) => <Time at={row.first_seen_at} />,
  },
];
