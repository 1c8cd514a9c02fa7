// LLM requests and MCP tool calls: newest first, filtered by the URL, each with why it was stopped and as it is exported.
import type { LlmRequestItem, ToolCallItem } from '@gatewarden/shared/wire/console/logs.ts';
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useList, useResource } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Downloads } from '../ui/Downloads.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Json } from '../ui/Json.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { TextFilter } from '../ui/TextFilter.tsx';
import { Time } from '../ui/Time.tsx';
import { said, visible } from '../ui/visible.ts';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { WhyButton } from '../why/WhyButton.tsx';
import { NoRows, SharedFilters } from './LogFilters.tsx';
import { RequestOutcome, reasonText } from './RequestOutcome.tsx';
import { logTexts as t } from './texts.ts';
import { usd } from './usd.ts';
import '../gateway/gateway.css';
import { UserLink } from '../users/UserLink.tsx';

const llmRoute = getRouteApi('/t/$tenantId/activity/llm-requests');
const mcpRoute = getRouteApi('/t/$tenantId/activity/tool-calls');

export function RequestsPage() {
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

export function ToolCallsPage() {
  const { row: shown, why: _opened, ...search } = mcpRoute.useSearch();
  const navigate = mcpRoute.useNavigate();
  const list = useList<ToolCallItem>('tool-calls', '/mcp/tool-calls', search);
  const set = (part: Partial<typeof search>) =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true });
  const open = (row: string | undefined) =>
    void navigate({ search: (former) => ({ ...former, row }), replace: row === undefined });
  return (
    <Page
      title={t.mcp.title}
      lead={t.mcp.lead}
      actions={<Downloads path="/mcp/tool-calls/download" filter={search} />}
    >
      <div className="gw-filters">
        <TextFilter label={t.user} value={search.user} onChange={(user) => set({ user })} />
        <TextFilter
          label={t.backend}
          value={search.backend}
          onChange={(backend) => set({ backend })}
        />
        <TextFilter label={t.tool} value={search.tool} onChange={(tool) => set({ tool })} />
        <SharedFilters search={search} set={set}>
          <TextFilter
            label={t.callId}
            value={search.request_id}
            onChange={(request_id) => set({ request_id })}
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
        caption={t.mcp.title}
        rowKey={(row) => String(row.log_id)}
        rowTestId="tool-call-row"
        dense
        empty={<NoRows search={search} title={t.mcp.empty} text={t.mcp.emptyText} />}
        columns={[
          ...MCP_COLUMNS,
          showColumn<ToolCallItem>((row) => open(String(row.log_id)), whyOfCall),
        ]}
      />
      {shown === undefined ? null : (
        <Dialog wide title={t.row} onClosed={() => open(undefined)}>
          {() => (
            <OneRow<ToolCallItem> path="/mcp/tool-calls" params={{ log_id: shown }}>
              {(item) => <Call item={item} />}
            </OneRow>
          )}
        </Dialog>
      )}
    </Page>
  );
}

const LLM_COLUMNS: readonly Column<LlmRequestItem>[] = [
  { key: 'when', header: t.when, render: (row) => <Time at={row.timestamp} /> },
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

const MCP_COLUMNS: readonly Column<ToolCallItem>[] = [
  { key: 'when', header: t.when, render: (row) => <Time at={row.started_at} /> },
  {
    key: 'backend',
    header: t.backend,
    weight: 1.4,
    render: (row) => <Named thing={row.backend} />,
  },
  {
    key: 'tool',
    header: t.tool,
    weight: 1.6,
    render: (row) => <Name value={row.tool ?? row.method} clamp mono />,
  },
  {
    key: 'user',
    header: t.user,
    weight: 1.6,
    render: (row) => <UserLink value={row.user_email} isIdentity />,
  },
  { key: 'outcome', header: t.outcome, render: (row) => <CallOutcome item={row} /> },
];

const whyOfCall = (row: ToolCallItem) => (
  <WhyButton
    of={`call.${row.log_id}`}
    name={said`${row.backend.name}: ${row.tool ?? row.method ?? ''}`}
  />
);
const whyOfRequest = (row: LlmRequestItem) => (
  <WhyButton of={`request.${row.request_id}`} name={visible(row.request_id)} />
);

function showColumn<Item>(
  show: (item: Item) => void,
  why: (item: Item) => ReactNode,
): Column<Item> {
  return {
    key: 'show',
    header: texts.ui.actions,
    hiddenHeader: true,
    weight: 1.5,
    align: 'end',
    render: (row) => (
      <div className="gw-row-actions">
        <Button size="xs" variant="default" onClick={() => show(row)}>
          {t.show}
        </Button>
        {why(row)}
      </div>
    ),
  };
}

interface OneRowProps<Item> {
  path: string;
  params: Record<string, string>;
  children: (item: Item) => ReactNode;
}

/** The row that the URL names, wherever in the list it stands. */
function OneRow<Item>({ path, params, children }: OneRowProps<Item>) {
  const answer = useResource<{ items: Item[] }>('gateway', path, params);
  const item = shownOf(answer)?.items[0];
  return (
    <>
      <Waiting answer={answer} />
      {answer.isSuccess && item === undefined ? <Empty title={t.gone} /> : null}
      {item === undefined ? null : children(item)}
    </>
  );
}

function Call({ item }: { item: ToolCallItem }) {
  return (
    <div className="gw-form">
      <Facts>
        <Fact name={t.when}>
          <Time at={item.started_at} full />
        </Fact>
        <Fact name={t.backend}>
          <Named thing={item.backend} />
        </Fact>
        <Fact name={t.tool}>
          <Name value={item.tool ?? item.method} mono />
        </Fact>
        <Fact name={t.user}>
          <UserLink value={item.user_email} isIdentity clamp={false} />
        </Fact>
        <Fact name={t.callId}>
          <Name value={item.request_id} mono />
        </Fact>
        <Fact name={t.outcome}>
          <CallOutcome item={item} />
        </Fact>
      </Facts>
      <div>{whyOfCall(item)}</div>
      <h3>{t.whole}</h3>
      <Json value={item.event} label={t.whole} />
    </div>
  );
}

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

function CallOutcome({ item }: { item: ToolCallItem }) {
  if (item.is_blocked) return <Badge tone="bad">{t.blocked}</Badge>;
  if (item.success === false) return <Badge tone="warn">{t.failed}</Badge>;
  // It may run still, or its node told of no end.
  if (item.success === null) return <Badge tone="plain">{t.endUnknown}</Badge>;
  return <Badge tone="good">{t.passed}</Badge>;
}

function Named({ thing }: { thing: { name: string; known: boolean } }) {
  return (
    <>
      <Name value={thing.name} clamp />
      {thing.known ? null : <div className="gw-dimmed gw-small">{t.unknownApp}</div>}
    </>
  );
}
