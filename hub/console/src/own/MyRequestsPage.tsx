// "My LLM requests": what went through the LLM gateway in the person's name, how each ended, and what stopped or changed it.
import type { OwnLlmRequest } from '@gatewarden/shared/wire/console/own-llm-requests.ts';
import { getRouteApi } from '@tanstack/react-router';
import { useList } from '../api/tenant.ts';
import { RequestOutcome } from '../logs/RequestOutcome.tsx';
import { texts } from '../texts.ts';
import type { Column } from '../ui/DataTable.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { WhyButton } from '../why/WhyButton.tsx';
import { ownRequestTexts as words } from './request-texts.ts';

const route = getRouteApi('/t/$tenantId/my-requests');

export function MyRequestsPage() {
  const { blocked } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useList<OwnLlmRequest>('llm-requests', '/own/llm-requests', { blocked });
  return (
    <Page title={words.title} lead={words.lead}>
      <div className="gw-filters">
        <Filter
          label={words.outcome}
          values={['true', 'false'] as const}
          names={words.only}
          value={blocked}
          onChange={(next) => void navigate({ search: { blocked: next }, replace: true })}
        />
      </div>
      <ListView
        list={list}
        caption={words.title}
        columns={COLUMNS}
        rowKey={(row) => row.request_id}
        rowTestId="own-request-row"
        empty={
          blocked === undefined ? (
            <Empty title={words.empty} text={words.emptyText} />
          ) : (
            <Empty title={texts.ui.noMatch} />
          )
        }
      />
    </Page>
  );
}

const COLUMNS: readonly Column<OwnLlmRequest>[] = [
  { key: 'when', header: words.when, render: (row) => <Time at={row.timestamp} /> },
  { key: 'app', header: words.app, weight: 1.4, render: (row) => <Name value={row.app} clamp /> },
  {
    key: 'model',
    header: words.model,
    weight: 1.4,
    render: (row) => (
      <>
        <Name value={row.model} clamp />
        <div className="gw-dimmed gw-small">
          <Name value={row.provider} clamp />
        </div>
      </>
    ),
  },
  {
    key: 'outcome',
    header: words.outcome,
    weight: 2.4,
    render: (row) => (
      <>
        <RequestOutcome item={row} />
        {row.reasons.map(({ action, category, subcategories }) => (
          <div key={`${action} ${category}`} className="gw-small">
            <Name
              value={[action, category, subcategories.join(', ')].filter(Boolean).join(' · ')}
            />
          </div>
        ))}
      </>
    ),
  },
  {
    key: 'why',
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => (
      <WhyButton of={`own-request.${row.request_id}`} name={visible(row.request_id)} />
    ),
  },
];
