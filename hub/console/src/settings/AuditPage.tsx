// Everything that was done in the tenant, for its administrators; the URL contains the filters and the opened event.

import type { AuditEventAnswer, AuditEventRow } from '@gatewarden/shared/wire/console/audit.ts';
import { AUDIT_OPERATIONS } from '@gatewarden/shared/wire/console/audit-operations.ts';
import { Button, Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { topicKey } from '../api/keys.ts';
import { useList, useResource, useTenant } from '../api/tenant.ts';
import { ActorName } from '../gateway/ActorName.tsx';
import { texts } from '../texts.ts';
import { operationText, resourceText } from '../texts-audit.ts';
import { Badge } from '../ui/Badges.tsx';
import { BY_TIME, type Column, timeSort } from '../ui/DataTable.tsx';
import { DayFilter } from '../ui/DayFilter.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Downloads } from '../ui/Downloads.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Json } from '../ui/Json.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { MoreFilters } from '../ui/MoreFilters.tsx';
import { Name } from '../ui/Name.tsx';
import { TextFilter } from '../ui/TextFilter.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { AdminsOnly } from './AdminsOnly.tsx';
import { auditTexts as words } from './audit-texts.ts';
import { dayRange } from './day-range.ts';
import '../gateway/gateway.css';

const route = getRouteApi('/t/$tenantId/activity/audit-log');

export function AuditPage() {
  return (
    <AdminsOnly title={words.title} lead={words.lead} actions={<TrailActions />}>
      <Trail />
    </AdminsOnly>
  );
}

/** The filter that the URL contains, as the hub takes it. */
function useFilter() {
  const { event: _event, from, to, ...same } = route.useSearch();
  return { ...same, ...dayRange(from, to) };
}

function TrailActions() {
  const filter = useFilter();
  const reload = useReloadAudit();
  return (
    <div className="gw-row-actions">
      <Downloads path="/audit/download" filter={filter} />
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

function Trail() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { event, from, to, ...same } = search;
  const filter = useFilter();
  const list = useList<AuditEventRow>('audit', '/audit', filter);
  const set = (part: Partial<typeof search>) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  const isFiltered = Object.entries(filter).some(
    ([name, value]) => name !== 'sort' && value !== undefined,
  );
  return (
    <>
      <div className="gw-filters">
        <TextFilter label={words.actor} value={same.actor} onChange={(actor) => set({ actor })} />
        <Select
          className="gw-chip"
          size="xs"
          data-chosen={same.operation === undefined ? undefined : ''}
          label={words.operation}
          searchable
          clearable
          data={operationChoices(same.operation)}
          value={same.operation ?? null}
          onChange={(operation) => set({ operation: operation ?? undefined })}
        />
        <DayFilter label={words.from} value={from} onChange={(day) => set({ from: day })} />
        <DayFilter label={words.to} value={to} onChange={(day) => set({ to: day })} />
        <MoreFilters chosen={[same.resource_kind, same.resource_id]}>
          <TextFilter
            label={words.kind}
            value={same.resource_kind}
            onChange={(resource_kind) => set({ resource_kind })}
          />
          <TextFilter
            label={words.id}
            value={same.resource_id}
            onChange={(resource_id) => set({ resource_id })}
          />
        </MoreFilters>
      </div>
      <ListView
        list={list}
        caption={words.title}
        rowKey={(row) => row.event_id}
        rowTestId="audit-row"
        dense
        sort={timeSort(search.sort, (sort) => set({ sort }))}
        empty={<Empty title={isFiltered ? texts.ui.noMatch : words.empty} />}
        columns={[...COLUMNS, showColumn((row) => set({ event: row.event_id }))]}
      />
      {event === undefined ? null : (
        <Dialog wide title={words.eventId} onClosed={() => set({ event: undefined })}>
          {() => <Event eventId={event} />}
        </Dialog>
      )}
    </>
  );
}

/** Each, and all of a kind. The URL may name what is not among them: what a release before noted. */
function operationChoices(named: string | undefined) {
  const isKnown = named === undefined || KNOWN.some(({ value }) => value === named);
  return isKnown ? KNOWN : [...KNOWN, choiceOf(named)].sort(byLabel);
}

const choiceOf = (value: string) => ({ value, label: operationText(value) });
const KINDS = new Set(AUDIT_OPERATIONS.map((item) => `${item.split('.')[0]}.*`));
const byLabel = (item: { label: string }, other: { label: string }) =>
  item.label.localeCompare(other.label);
const KNOWN = [...AUDIT_OPERATIONS, ...KINDS].map(choiceOf).sort(byLabel);

const COLUMNS: readonly Column<AuditEventRow>[] = [
  { key: 'when', header: words.when, sort: BY_TIME, render: (row) => <Time at={row.at} /> },
  { key: 'who', header: words.who, weight: 1.6, render: (row) => <ActorName actor={row.actor} /> },
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
