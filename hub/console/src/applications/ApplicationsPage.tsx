// Everything that was found, one row for each entity over all devices; search, filters and order live in the URL.
import type { ApplicationRow } from '@gatewarden/shared/wire/console/applications.ts';
import {
  APPROVAL_STATUSES,
  type ApprovalStatus,
  ENTITY_KINDS,
} from '@gatewarden/shared/wire/vocabulary.ts';
import { Button, Checkbox } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { oneOf } from '../api/query-string.ts';
import { rowsOf, useList, useMayDecide } from '../api/tenant.ts';
import { navTexts } from '../app/nav-texts.ts';
import { applicationsSearch } from '../app/search.ts';
import { PolicyDialog } from '../decisions/PolicyDialog.tsx';
import { texts } from '../texts.ts';
import { ApprovalBadge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { Time } from '../ui/Time.tsx';
import { ApplicationLink } from './ApplicationLink.tsx';
import { BulkDialog } from './BulkDialog.tsx';
import { BULK_MAX } from './bulk-max.ts';
import { FacetsOf } from './Facets.tsx';
import { NamedDecision } from './NamedDecision.tsx';
import { KeysDialog, ReviewTools } from './ReviewTools.tsx';
import { reviewTexts as words } from './review-texts.ts';
import { SimilarToSelected } from './Similar.tsx';
import { APPLICATION_SORTS } from './sorts.ts';
import { useReviewKeys } from './use-review-keys.ts';
import './application.css';
import { sourceLabel } from '../labels.ts';

const route = getRouteApi('/t/$tenantId/inventory/all');

const title = navTexts.inventory.all;

export function ApplicationsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useList<ApplicationRow>('applications', '/discovered-apps', search);
  const narrow = (change: Partial<typeof search>) =>
    void navigate({ search: (former) => ({ ...former, ...change }), replace: true });
  const mayDecide = useMayDecide();
  const [selected, setSelected] = useState<ReadonlyMap<string, string>>(new Map());
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => {
    setOpened(null);
  };
  const names = new Map(rowsOf(list).map((row) => [row.entity_id, row.name]));
  const toggle = (entityId: string) => {
    setSelected((before) => {
      const after = new Map(before);
      if (!after.delete(entityId) && after.size < BULK_MAX) {
        after.set(entityId, names.get(entityId) ?? entityId);
      }
      return after;
    });
  };
  const add = (some: readonly { entity_id: string; name: string }[]) => {
    setSelected((before) => {
      const fresh = some.filter((item) => !before.has(item.entity_id));
      const room = fresh.slice(0, Math.max(0, BULK_MAX - before.size));
      return new Map([...before, ...room.map((item) => [item.entity_id, item.name] as const)]);
    });
  };
  const latest = [...selected.keys()].at(-1);
  const decide = (entityId: string, approval: ApprovalStatus) => {
    if (!mayDecide) return;
    // What is selected is what is meant, wherever the focus stands.
    if (selected.size > 0) setOpened({ what: 'bulk', approval });
    else setOpened({ what: 'decide', entityId, approval });
  };
  useReviewKeys({
    approve: (entityId) => {
      decide(entityId, 'approved');
    },
    block: (entityId) => {
      decide(entityId, 'blocked');
    },
    select: (entityId) => {
      if (mayDecide) toggle(entityId);
    },
    help: () => {
      setOpened({ what: 'keys' });
    },
  });
  const filtered = isFiltered(search);
  return (
    <Page
      title={title}
      lead={texts.applications.lead}
      actions={
        <ReviewTools
          search={search}
          onView={(view) => {
            const chosen = applicationsSearch(view);
            void navigate({ search: chosen, replace: true });
          }}
          onKeys={() => {
            setOpened({ what: 'keys' });
          }}
        />
      }
    >
      <ApplicationFilters search={search} narrow={narrow} />
      {selected.size === 0 ? null : (
        <div className="gw-notice" role="status">
          <span>{words.selected(selected.size)}</span>
          <Button
            size="xs"
            onClick={() => {
              setOpened({ what: 'bulk' });
            }}
          >
            {words.decideTogether}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              setSelected(new Map());
            }}
          >
            {words.clear}
          </Button>
        </div>
      )}
      {latest === undefined ? null : (
        <SimilarToSelected entityId={latest} selected={selected} onAdd={add} />
      )}
      <ListView
        list={list}
        caption={title}
        columns={mayDecide ? [selectColumn(selected, toggle), ...COLUMNS] : COLUMNS}
        rowKey={(row) => row.entity_id}
        rowTestId="application-row"
        dense
        sort={{
          value: search.sort ?? 'name',
          onSort: (value) => {
            const sort = oneOf(APPLICATION_SORTS, value);
            narrow({ sort: sort === 'name' ? undefined : sort });
          },
        }}
        empty={
          filtered ? (
            <Empty
              title={texts.ui.noMatch}
              action={
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => {
                    narrow({
                      query: undefined,
                      kind: undefined,
                      approval_status: undefined,
                      drifted: undefined,
                      fresh: undefined,
                    });
                  }}
                >
                  {texts.ui.clearFilters}
                </Button>
              }
            />
          ) : (
            <Empty title={texts.applications.empty} text={texts.applications.emptyText} />
          )
        }
      />
      {opened?.what === 'keys' ? <KeysDialog onClose={close} /> : null}
      {opened?.what === 'bulk' ? (
        <BulkDialog
          selected={selected}
          approval={opened.approval}
          onClose={close}
          onStored={setSelected}
        />
      ) : null}
      {opened?.what === 'decide' ? (
        <PolicyDialog
          match={{ entity_id: opened.entityId }}
          name={names.get(opened.entityId) ?? ''}
          preset={{ approval: opened.approval }}
          onClosed={close}
        >
          <FacetsOf entityId={opened.entityId} />
        </PolicyDialog>
      ) : null}
    </Page>
  );
}

function isFiltered({ sort: _sort, ...filters }: Search): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

type Search = ReturnType<typeof route.useSearch>;

interface FiltersProps {
  search: Search;
  narrow: (change: Partial<Search>) => void;
}

function ApplicationFilters({ search, narrow }: FiltersProps) {
  return (
    <div className="gw-filters">
      <SearchBox
        label={texts.applications.search}
        placeholder={texts.applications.searchPlaceholder}
        value={search.query}
        onChange={(query) => {
          narrow({ query });
        }}
      />
      <Filter
        label={texts.applications.kind}
        values={ENTITY_KINDS}
        names={texts.kinds}
        value={search.kind}
        onChange={(kind) => {
          narrow({ kind });
        }}
      />
      <Filter
        label={texts.applications.approval}
        values={APPROVAL_STATUSES}
        names={texts.approvals}
        value={search.approval_status}
        onChange={(approval_status) => {
          narrow({ approval_status });
        }}
      />
      <Filter
        label={words.changed}
        values={['true', 'false'] as const}
        names={words.changedNames}
        value={search.drifted}
        onChange={(drifted) => {
          narrow({ drifted });
        }}
      />
      <Filter
        label={words.fresh}
        values={['week'] as const}
        names={words.freshNames}
        value={search.fresh}
        onChange={(fresh) => {
          narrow({ fresh });
        }}
      />
    </div>
  );
}

type Opened =
  | { what: 'keys' }
  | { what: 'bulk'; approval?: ApprovalStatus }
  | { what: 'decide'; entityId: string; approval: ApprovalStatus }
  | null;

const selectColumn = (
  selected: ReadonlyMap<string, string>,
  toggle: (entityId: string) => void,
): Column<ApplicationRow> => ({
  key: 'select',
  weight: 0.4,
  header: texts.ui.actions,
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

const COLUMNS: readonly Column<ApplicationRow>[] = [
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
        {texts.kinds[row.kind]}
        <div className="gw-dimmed gw-small">
          <Name value={sourceLabel(row.source)} /> · {texts.platforms[row.platform]}
        </div>
      </div>
    ),
  },
  {
    key: 'versions',
    weight: 1.6,
    header: texts.applications.versions,
    render: (row) => <Versions row={row} />,
  },
  {
    key: 'devices',
    weight: 0.8,
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
    weight: 1.2,
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
