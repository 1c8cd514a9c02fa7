// All discovered apps, one row per entity over all devices. Search, filters and order are in the address.
import type { ApplicationRow } from '@gatewarden/shared/wire/console/applications.ts';
import type { BulkPreviewAnswer } from '@gatewarden/shared/wire/console/bulk-decisions.ts';
import type { ApprovalStatus } from '@gatewarden/shared/wire/vocabulary.ts';
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { oneOf } from '../api/query-string.ts';
import { useSettledPreview } from '../api/settled-preview.ts';
import { rowsOf, useList, useMayDecide } from '../api/tenant.ts';
import { navTexts } from '../app/nav-texts.ts';
import { applicationsSearch } from '../app/search.ts';
import { sourceLabel } from '../labels.ts';
import { PolicyDialog } from '../policies/PolicyDialog.tsx';
import { policyTexts } from '../policies/policy-texts.ts';
import { SelectionBar } from '../policies/SelectionBar.tsx';
import { texts } from '../texts.ts';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Page } from '../ui/Page.tsx';
import { BulkDialog } from './BulkDialog.tsx';
import { BULK_MAX } from './bulk-max.ts';
import { FacetsOf } from './Facets.tsx';
import { KeysDialog, ReviewTools } from './ReviewTools.tsx';
import { reviewTexts as words } from './review-texts.ts';
import { SimilarToSelected } from './Similar.tsx';
import { APPLICATION_SORTS } from './sorts.ts';
import { useReviewKeys } from './use-review-keys.ts';
import './application.css';
import { ApplicationFilters, isFiltered } from './ApplicationFilters.tsx';
import { COLUMNS, selectColumn } from './application-columns.tsx';

const route = getRouteApi('/t/$tenantId/inventory/all');

const title = navTexts.inventory.all;
const NO_FILTERS = {
  query: undefined,
  kind: undefined,
  approval_status: undefined,
  policy_step: undefined,
  drifted: undefined,
  fresh: undefined,
};

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
    // The keys act on the selected row, wherever the focus is.
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
                    narrow(NO_FILTERS);
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
      <Selection
        selected={selected}
        onOpen={(approval) => setOpened({ what: 'bulk', approval })}
        onClear={() => setSelected(new Map())}
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
          appliesTo={appliesTo(rowsOf(list).find((row) => row.entity_id === opened.entityId))}
          preset={{ approval: opened.approval }}
          onClosed={close}
        >
          <FacetsOf entityId={opened.entityId} />
        </PolicyDialog>
      ) : null}
    </Page>
  );
}

function appliesTo(app: ApplicationRow | undefined): string {
  if (app === undefined) return policyTexts.appliesToApp;
  return policyTexts.appliesToSource(sourceLabel(app.source), texts.platforms[app.platform]);
}

interface SelectionProps {
  selected: ReadonlyMap<string, string>;
  onOpen: (approval?: ApprovalStatus) => void;
  onClear: () => void;
}

/** The devices and users that have the selected apps count once each. */
function Selection({ selected, onOpen, onClear }: SelectionProps) {
  const body = {
    ...{ approval_status: 'pending', execution_policy: 'monitor', scope: { kind: 'tenant' } },
    entity_ids: [...selected.keys()],
  };
  const { data } = useSettledPreview<BulkPreviewAnswer>(
    'overrides',
    '/overrides/bulk/preview',
    selected.size === 0 ? null : body,
  );
  if (selected.size === 0) return null;
  return (
    <SelectionBar
      selected={words.selected(selected.size)}
      reach={data && { devices: data.devices, users: data.people }}
      onOpen={onOpen}
      onClear={onClear}
    />
  );
}

type Opened =
  | { what: 'keys' }
  | { what: 'bulk'; approval?: ApprovalStatus | undefined }
  | { what: 'decide'; entityId: string; approval: ApprovalStatus }
  | null;
