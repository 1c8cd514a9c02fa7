// The columns of the list of apps.
import type { ApplicationRow } from '@gatewarden/shared/wire/console/applications.ts';
import { Checkbox } from '@mantine/core';
import { sourceLabel } from '../labels.ts';
import { texts } from '../texts.ts';
import { ApprovalBadge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { ApplicationLink } from './ApplicationLink.tsx';
import { NamedDecision } from './NamedDecision.tsx';
import { reviewTexts as words } from './review-texts.ts';

export const selectColumn = (
  selected: ReadonlyMap<string, string>,
  toggle: (entityId: string) => void,
): Column<ApplicationRow> => ({
  key: 'select',
  weight: 0.4,
  header: texts.ui.selection,
  hiddenHeader: true,
  render: (row) => (
    <Checkbox
      aria-label={words.select(row.name)}
      checked={selected.has(row.entity_id)}
      onChange={() => {
        toggle(row.entity_id);
      }}
    />
  ),
});

export const COLUMNS: readonly Column<ApplicationRow>[] = [
  {
    key: 'name',
    weight: 2.4,
    header: texts.applications.name,
    sort: { value: 'name', direction: 'ascending' },
    render: (row) => <ApplicationLink entityId={row.entity_id} name={row.name} />,
  },
  {
    key: 'publisher',
    weight: 1.7,
    header: texts.applications.publisher,
    render: (row) => <Name value={row.publisher} clamp />,
  },
  {
    key: 'kind',
    weight: 1.5,
    header: texts.applications.kindAndSource,
    render: (row) => (
      <div>
        {texts.kinds[row.kind]}{' '}
        <span className="gw-dimmed">
          · <Name value={sourceLabel(row.source)} />
        </span>
      </div>
    ),
  },
  {
    key: 'platform',
    weight: 0.9,
    header: texts.application.platform,
    render: (row) => texts.platforms[row.platform],
  },
  {
    key: 'versions',
    weight: 1,
    header: texts.applications.versions,
    render: (row) => <Versions row={row} />,
  },
  {
    key: 'devices',
    weight: 1.05,
    header: texts.applications.devices,
    sort: { value: '-device_count', direction: 'descending' },
    align: 'end',
    render: (row) => <span className="gw-num">{row.device_count.toLocaleString('en-GB')}</span>,
  },
  {
    key: 'approval',
    weight: 1.45,
    header: texts.applications.approval,
    render: (row) => (
      <div>
        <ApprovalBadge status={row.approval_status} />
        <NamedDecision application={row} />
      </div>
    ),
  },
  {
    key: 'first_seen',
    weight: 1.25,
    header: texts.applications.firstSeen,
    sort: { value: '-first_seen_at', direction: 'descending' },
    render: (row) => <Time at={row.first_seen_at} />,
  },
];

function Versions({ row }: { row: ApplicationRow }) {
  const newest = row.versions[0];
  if (newest === undefined) return <Name value={null} />;
  const others = row.versions.length - 1;
  return (
    <div>
      <Name value={newest.version} mono clamp />
      {others > 0 ? (
        <div className="gw-dimmed gw-small">{texts.applications.moreVersions(others)}</div>
      ) : null}
    </div>
  );
}
