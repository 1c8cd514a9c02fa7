// "My LLM requests": the user's requests through the LLM gateway, with their outcomes and the reasons of blocks and changes.
import type { OwnLlmRequest } from '@gatewarden/shared/wire/console/own-llm-requests.ts';
import { getRouteApi } from '@tanstack/react-router';
import { RequestOutcome, RequestReasons } from '../logs/RequestOutcome.tsx';
import { texts } from '../texts.ts';
import type { Column } from '../ui/DataTable.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { WhyButton } from '../why/WhyButton.tsx';
import { OwnLogPage } from './OwnLogPage.tsx';
import { ownRequestTexts as words } from './request-texts.ts';

const route = getRouteApi('/t/$tenantId/my/activity/llm-requests');

export function MyRequestsPage() {
  const { blocked } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <OwnLogPage<OwnLlmRequest>
      words={words}
      topic="llm-requests"
      path="/own/llm-requests"
      columns={COLUMNS}
      rowKey={(row) => row.request_id}
      rowTestId="own-request-row"
      blocked={blocked}
      onBlocked={(next) => void navigate({ search: { blocked: next }, replace: true })}
    />
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
        <RequestReasons reasons={row.reasons} className="gw-small" />
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
