// The audit trail of the tenant, for administrators. The URL contains the filters and the opened event.

import type { AuditEventAnswer, AuditEventRow } from '@gatewarden/shared/wire/console/audit.ts';
import { AUDIT_OPERATIONS } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { LOG_ROWS_COUNTED_MAX } from '@gatewarden/shared/wire/console/time-sorts.ts';
import { Button, Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ActivityShell } from '../activity-shell/ActivityShell.tsx';
import type { FacetView } from '../activity-shell/facet-view.ts';
import { RowDrawer } from '../activity-shell/RowDrawer.tsx';
import { usePeriod } from '../activity-shell/use-period.ts';
import { topicKey } from '../api/keys.ts';
import { rowsOf, useList, useMayAdminister, useResource, useTenant } from '../api/tenant.ts';
import { auditSearch } from '../app/search.ts';
import { ActorName } from '../gateway/ActorName.tsx';
import { texts } from '../texts.ts';
import { operationText, resourceText } from '../texts-audit.ts';
import { Badge } from '../ui/Badges.tsx';
import { BY_TIME, type Column, timeSort } from '../ui/DataTable.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Json } from '../ui/Json.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { TextFilter } from '../ui/TextFilter.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { AdminsOnly } from './AdminsOnly.tsx';
import { auditTexts as words } from './audit-texts.ts';
import '../gateway/gateway.css';

const route = getRouteApi('/t/$tenantId/activity/audit-log');

type Search = ReturnType<typeof route.useSearch>;

export function AuditPage() {
  const mayAdminister = useMayAdminister();
  return mayAdminister ? (
    <AuditTrail />
  ) : (
    <AdminsOnly title={words.title} lead={words.lead}>
      {null}
    </AdminsOnly>
  );
}

function AuditTrail() {
  const { event, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const { range, from, to, ...filters } = search;
  const filter = { ...filters, ...usePeriod({ range, from, to }) };
  const list = useList<AuditEventRow>('audit', '/audit', filter);
  const set = (part: Partial<Search>) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  const open = (opened: string | undefined) =>
    void navigate({
      search: (former) => ({ ...former, event: opened }),
      replace: event !== undefined,
    });
  const isFiltered = Object.entries(filter).some(
    ([name, value]) => name !== 'sort' && value !== undefined,
  );
  return (
    <ActivityShell
      title={words.title}
      lead={words.lead}
      path="/audit"
      list={list}
      filter={filter}
      facets={auditFacets(search, set)}
      series="resource_kind"
      range={{ range, from, to }}
      onRange={(next) => void navigate({ search: (former) => ({ ...former, ...next }) })}
      otherChosen={search.resource_id === undefined ? 0 : 1}
      filters={<OtherFilters search={search} set={set} />}
      views={{
        list: 'audit',
        search,
        parse: parseView,
        onView: (view) => void navigate({ search: parseView(view) }),
      }}
    >
      <ListView
        list={list}
        caption={words.title}
        rowKey={(row) => row.event_id}
        rowTestId="audit-row"
        dense
        countMax={LOG_ROWS_COUNTED_MAX}
        isCurrent={(row) => row.event_id === event}
        sort={timeSort(search.sort, (sort) => set({ sort }))}
        empty={<Empty title={isFiltered ? texts.ui.noMatch : words.empty} />}
        columns={[...COLUMNS, showColumn((row) => open(row.event_id))]}
      />
      {event === undefined ? null : (
        <RowDrawer
          title={words.eventTitle}
          rows={rowsOf(list).map((row) => row.event_id)}
          row={event}
          onOpen={open}
        >
          <Event eventId={event} />
        </RowDrawer>
      )}
    </ActivityShell>
  );
}

/** Returns the filters of a saved view: no opened event. */
const parseView = (view: Readonly<Record<string, string>>) => {
  const { event: _event, ...search } = auditSearch(view);
  return search;
};

interface FilterProps {
  search: Omit<Search, 'event'>;
  set: (part: Partial<Search>) => void;
}

const auditFacets = (search: FilterProps['search'], set: FilterProps['set']): FacetView[] => [
  {
    ...{ name: 'resource_kind', label: words.kind, labelOf: resourceText },
    chosen: search.resource_kind,
    onChoose: (resource_kind) => set({ resource_kind }),
  },
  {
    ...{ name: 'operation', label: words.operation, labelOf: operationText },
    chosen: search.operation,
    onChoose: (operation) => set({ operation }),
  },
  {
    ...{ name: 'actor', label: words.who, chosen: search.actor },
    onChoose: (actor) => set({ actor }),
  },
];

function OtherFilters({ search, set }: FilterProps) {
  const reload = useReloadAudit();
  return (
    <div className="gw-filters">
      <TextFilter label={words.actor} value={search.actor} onChange={(actor) => set({ actor })} />
      <Select
        className="gw-chip"
        size="xs"
        data-chosen={search.operation === undefined ? undefined : ''}
        label={words.operation}
        searchable
        clearable
        comboboxProps={{ width: 320, position: 'bottom-start' }}
        data={operationChoices(search.operation)}
        value={search.operation ?? null}
        onChange={(operation) => set({ operation: operation ?? undefined })}
      />
      <TextFilter
        label={words.id}
        value={search.resource_id}
        onChange={(resource_id) => set({ resource_id })}
      />
      <Button size="xs" variant="default" onClick={reload}>
        {words.reload}
      </Button>
    </div>
  );
}

function useReloadAudit(): () => void {
  const { tenantId } = useTenant();
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: topicKey(tenantId, 'audit') });
}

/** Returns all operations and kinds, and the operation of the URL, which an earlier release may have recorded. */
function operationChoices(named: string | undefined) {
  const isKnown = named === undefined || CHOICES.some(({ value }) => value === named);
  return isKnown ? CHOICES : [...CHOICES, toChoice(named)].sort(byLabel);
}

const toChoice = (value: string) => ({ value, label: operationText(value) });
const KINDS = new Set(AUDIT_OPERATIONS.map((item) => `${item.split('.')[0]}.*`));
const byLabel = (a: { label: string }, b: { label: string }) => a.label.localeCompare(b.label);
const CHOICES = [...AUDIT_OPERATIONS, ...KINDS].map(toChoice).sort(byLabel);

const COLUMNS: readonly Column<AuditEventRow>[] = [
  { key: 'when', header: words.when, sort: BY_TIME, render: (row) => <Time at={row.at} /> },
  {
    key: 'who',
    header: words.who,
    weight: 1.6,
    isEmail: true,
    render: (row) => <ActorName actor={row.actor} />,
  },
  {
    key: 'what',
    header: words.what,
    weight: 1.4,
    render: (row) => (
      <>
        <Name value={operationText(row.operation)} />{' '}
        {row.result === 'failed' ? <Badge tone="bad">{words.results.failed}</Badge> : null}
      </>
    ),
  },
  {
    key: 'of',
    header: words.of,
    weight: 2,
    render: (row) => (
      <div className="gw-clamp" title={visible(row.resource.id)}>
        {resourceText(row.resource.kind)}{' '}
        <span className="gw-dimmed">
          <Name value={row.resource.id} />
        </span>
      </div>
    ),
  },
];

const showColumn = (show: (row: AuditEventRow) => void): Column<AuditEventRow> => ({
  key: 'show',
  header: texts.ui.actions,
  hiddenHeader: true,
  align: 'end',
  render: (row) => (
    <Button
      size="xs"
      variant="default"
      aria-label={words.showNamed(operationText(row.operation))}
      onClick={() => show(row)}
    >
      {words.show}
    </Button>
  ),
});

function Event({ eventId }: { eventId: string }) {
  const answer = useResource<AuditEventAnswer>('audit', `/audit/${encodeURIComponent(eventId)}`);
  const event = shownOf(answer)?.event;
  return (
    <div className="gw-form">
      <Waiting answer={answer} />
      {event === undefined ? null : (
        <>
          <Facts>
            <Fact name={words.what}>
              <Name value={operationText(event.operation)} /> <Name value={event.operation} mono />
            </Fact>
            <Fact name={words.result}>{words.results[event.result]}</Fact>
            <Fact name={words.when}>
              <Time at={event.at} full />
            </Fact>
            <Fact name={words.who}>
              <ActorName actor={event.actor} />
            </Fact>
            <Fact name={words.of} wide>
              {resourceText(event.resource.kind)}{' '}
              <Name value={`${event.resource.kind} ${event.resource.id}`} mono />
            </Fact>
            <Fact name={words.eventId} wide>
              <Name value={event.event_id} mono />
            </Fact>
            <Fact name={texts.errors.requestId} wide>
              <Name value={event.request_id} mono />
            </Fact>
          </Facts>
          <Json value={event.detail} label={words.detail} />
        </>
      )}
    </div>
  );
}
