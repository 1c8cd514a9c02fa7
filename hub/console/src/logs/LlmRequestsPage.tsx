// The list of LLM requests, newest first, with filters in the address and the details of a request on demand.
import type { LlmRequestItem } from '@gatewarden/shared/wire/console/logs.ts';
import { LOG_ROWS_COUNTED_MAX } from '@gatewarden/shared/wire/console/time-sorts.ts';
import { getRouteApi } from '@tanstack/react-router';
import { useList } from '../api/tenant.ts';
import { BY_TIME, type Column, timeSort } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Downloads } from '../ui/Downloads.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Json } from '../ui/Json.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { TextFilter } from '../ui/TextFilter.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { WhyButton } from '../why/WhyButton.tsx';
import { NoRows, SharedFilters } from './LogFilters.tsx';
import { RequestOutcome, reasonText } from './RequestOutcome.tsx';
import { logTexts as t } from './texts.ts';
import { usd } from './usd.ts';
import '../gateway/gateway.css';
import { UserLink } from '../users/UserLink.tsx';
import { Named, OneRow, showColumn } from './log-rows.tsx';

const llmRoute = getRouteApi('/t/$tenantId/activity/llm-requests');

export function LlmRequestsPage() {
  const { row: shown, why: _opened, ...search } = llmRoute.useSearch();
  const navigate = llmRoute.useNavigate();
  const list = useList<LlmRequestItem>('llm-requests', '/llm/requests', search);
  const set = (part: Partial<typeof search>) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  const open = (row: string | undefined) =>
    void navigate({ search: (former) => ({ ...former, row }), replace: row === undefined });
  return (
    <Page
      title={t.llm.title}
      lead={t.llm.lead}
      actions={<Downloads path="/llm/requests/download" filter={search} />}
    >
      <div className="gw-filters">
        <TextFilter label={t.user} value={search.user} onChange={(user) => set({ user })} />
        <TextFilter label={t.app} value={search.app} onChange={(app) => set({ app })} />
        <TextFilter label={t.model} value={search.model} onChange={(model) => set({ model })} />
        <SharedFilters search={search} set={set}>
          <TextFilter
            label={t.requestId}
            value={search.request_id}
            onChange={(request_id) => set({ request_id })}
          />
          <TextFilter
            label={t.provider}
            value={search.provider}
            onChange={(provider) => set({ provider })}
          />
          <TextFilter
            label={t.conversation}
            value={search.conversation_id}
            onChange={(conversation_id) => set({ conversation_id })}
          />
        </SharedFilters>
      </div>
      <ListView
        list={list}
        caption={t.llm.title}
        rowKey={(row) => row.request_id}
        rowTestId="llm-request-row"
        dense
        countMax={LOG_ROWS_COUNTED_MAX}
        sort={timeSort(search.sort, (sort) => set({ sort }))}
        empty={<NoRows search={search} title={t.llm.empty} text={t.llm.emptyText} />}
        columns={[
          ...LLM_COLUMNS,
          showColumn<LlmRequestItem>((row) => open(row.request_id), whyOfRequest),
        ]}
      />
      {shown === undefined ? null : (
        <Dialog wide title={t.row} onClosed={() => open(undefined)}>
          {() => (
            <OneRow<LlmRequestItem> path="/llm/requests" params={{ request_id: shown }}>
              {(item) => <Request item={item} />}
            </OneRow>
          )}
        </Dialog>
      )}
    </Page>
  );
}

const LLM_COLUMNS: readonly Column<LlmRequestItem>[] = [
  { key: 'when', header: t.when, sort: BY_TIME, render: (row) => <Time at={row.timestamp} /> },
  { key: 'app', header: t.app, weight: 1.4, render: (row) => <Named thing={row.app} /> },
  {
    key: 'user',
    header: t.user,
    weight: 1.6,
    render: (row) => <UserLink value={row.user_email} isIdentity />,
  },
  { key: 'model', header: t.model, weight: 1.4, render: (row) => <Name value={row.model} clamp /> },
  {
    key: 'outcome',
    header: t.outcome,
    weight: 1.6,
    render: (row) => <RequestOutcome item={row} />,
  },
  {
    key: 'cost',
    header: t.cost,
    align: 'end',
    render: (row) => <span className="gw-num">{usd(row.cost_usd)}</span>,
  },
];
const whyOfRequest = (row: LlmRequestItem) => (
  <WhyButton of={`request.${row.request_id}`} name={visible(row.request_id)} />
);

function Request({ item }: { item: LlmRequestItem }) {
  return (
    <div className="gw-form">
      <Facts>
        <Fact name={t.when}>
          <Time at={item.timestamp} full />
        </Fact>
        <Fact name={t.received}>
          <Time at={item.received_at} full />
        </Fact>
        <Fact name={t.app}>
          <Named thing={item.app} />
        </Fact>
        <Fact name={t.user}>
          <UserLink value={item.user_email} isIdentity clamp={false} />
        </Fact>
        <Fact name={t.model}>
          <Name value={[item.provider, item.model].filter(Boolean).join(' · ')} />
        </Fact>
        <Fact name={t.outcome}>
          <RequestOutcome item={item} />
        </Fact>
        <Fact name={t.requestId} wide>
          <Name value={item.request_id} mono />
        </Fact>
        {item.reasons.length === 0 ? null : (
          <Fact name={t.reasons} wide>
            <ul>
              {item.reasons.map((entry) => (
                <li key={`${entry.action}/${entry.category}`}>
                  <Name value={reasonText(entry)} />
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </Facts>
      <div>{whyOfRequest(item)}</div>
      <h3>{t.whole}</h3>
      <Json value={item.event} label={t.whole} />
    </div>
  );
}
