// The verdicts of devices about processes: of the tenant, of a device or of an app.
import type { ActivityRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { LOG_ROWS_COUNTED_MAX } from '@gatewarden/shared/wire/console/time-sorts.ts';
import { DetailsButton } from '../activity-shell/DetailsButton.tsx';
import { type List, useList } from '../api/tenant.ts';
import { ApplicationLink } from '../applications/ApplicationLink.tsx';
import { DeviceLink } from '../devices/DeviceLink.tsx';
import { stateLabel } from '../labels.ts';
import { texts } from '../texts.ts';
import { PolicyBadge } from '../ui/Badges.tsx';
import { BY_TIME, type Column, type SortState } from '../ui/DataTable.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { UserLink } from '../users/UserLink.tsx';
import { WhyButton } from '../why/WhyButton.tsx';

/** Returns the key of an event, as the address has it: each device makes its own ids. */
export const eventKey = (row: Pick<ActivityRow, 'activity_id' | 'device_id'>): string =>
  `${row.activity_id}.${row.device_id}`;

interface RecentActivityProps {
  deviceId?: string;
  entityId?: string;
}

/** The newest events of a device or of an app, inside its page. */
export function RecentActivity({ deviceId, entityId }: RecentActivityProps) {
  const list = useList<ActivityRow>('activity', '/activity', {
    ...{ device_id: deviceId, entity_id: entityId },
    limit: 10,
  });
  return <ActivityRows list={list} bare ofDevice={deviceId !== undefined} />;
}

interface ActivityRowsProps {
  list: List<ActivityRow>;
  /** The order; left out: newest first, without sortable headers. */
  sort?: SortState;
  /** Inside another page: no card. */
  bare?: boolean;
  /** Within a device's page: without the device and its user. */
  ofDevice?: boolean;
  isFiltered?: boolean;
  /** The key of the row with open details. */
  current?: string | undefined;
  onOpen?: (row: string) => void;
}

export function ActivityRows(props: ActivityRowsProps) {
  const { list, sort, bare = false, ofDevice = false, isFiltered = false, current, onOpen } = props;
  const columns = ofDevice ? COLUMNS.filter(({ key }) => !OF_DEVICE.includes(key)) : COLUMNS;
  return (
    <ListView
      list={list}
      bare={bare}
      caption={texts.activity.title}
      columns={[...columns, actionColumn(onOpen)]}
      rowKey={(row) => row.activity_id}
      rowTestId="activity-row"
      dense
      {...(sort === undefined ? {} : { sort })}
      isCurrent={(row) => current !== undefined && eventKey(row) === current}
      countMax={LOG_ROWS_COUNTED_MAX}
      empty={
        isFiltered ? (
          <Empty title={texts.ui.noMatch} />
        ) : (
          <Empty title={texts.activity.empty} text={texts.activity.emptyText} />
        )
      }
    />
  );
}

/** The columns that all rows of a device share. */
const OF_DEVICE = ['device', 'user'];

const COLUMNS: readonly Column<ActivityRow>[] = [
  {
    key: 'process',
    weight: 2.4,
    header: texts.activity.process,
    sort: { value: 'process', direction: 'ascending', reverse: '-process' },
    render: (row) => (
      <div>
        <ApplicationLink
          entityId={row.entity_id}
          name={visible(row.application_name ?? row.process.name)}
        />
        <div className="gw-dimmed gw-small">
          <Name value={row.process.executable_path ?? row.process.name} mono clamp />{' '}
          <span className="gw-num">{texts.activity.pid(row.process.pid)}</span>
        </div>
      </div>
    ),
  },
  {
    key: 'decision',
    header: texts.activity.decision,
    sort: { value: '-policy', direction: 'descending', reverse: 'policy' },
    render: (row) => <PolicyBadge policy={row.decision} />,
  },
  {
    key: 'outcome',
    weight: 1.5,
    header: texts.activity.outcome,
    render: (row) => (
      <div>
        <Name value={stateLabel(row.outcome)} />
        <Enforced row={row} />
      </div>
    ),
  },
  {
    key: 'device',
    weight: 1.3,
    header: texts.activity.device,
    sort: { value: 'device', direction: 'ascending', reverse: '-device' },
    render: (row) => <DeviceLink deviceId={row.device_id} hostname={row.hostname} />,
  },
  {
    key: 'user',
    weight: 1.9,
    isEmail: true,
    header: texts.activity.user,
    sort: { value: 'user', direction: 'ascending', reverse: '-user' },
    render: (row) => <UserLink value={row.subscriber_id} isIdentity />,
  },
  {
    key: 'when',
    weight: 1.1,
    header: texts.activity.when,
    sort: BY_TIME,
    render: (row) => <Time at={row.decided_at} />,
  },
];

const actionColumn = (onOpen: ((row: string) => void) | undefined): Column<ActivityRow> => ({
  key: 'actions',
  weight: onOpen === undefined ? 0.8 : 1.6,
  header: texts.ui.actions,
  hiddenHeader: true,
  align: 'end',
  render: (row) => {
    const name = visible(row.application_name ?? row.process.name);
    return (
      <div className="gw-row-actions">
        {onOpen === undefined ? null : (
          <DetailsButton name={name} onOpen={() => onOpen(eventKey(row))} />
        )}
        <WhyButton of={`activity.${row.activity_id}.${row.device_id}`} name={name} compact />
      </div>
    );
  },
});

/** Shows whether the policy was enforced, unless the outcome has the same words. */
function Enforced({ row }: { row: ActivityRow }) {
  const text = row.enforced ? texts.activity.enforced : texts.activity.notEnforced;
  if (stateLabel(row.outcome).toLowerCase() === text) return null;
  return <div className="gw-dimmed gw-small">{text}</div>;
}
