// "My calls": the user's MCP tool calls, with their outcomes and the reasons of blocked calls.
import type { OwnCall } from '@gatewarden/shared/wire/console/own-calls.ts';
import { getRouteApi } from '@tanstack/react-router';
import { texts } from '../texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { visibleText } from '../ui/visible.ts';
import { callWhyTexts as why } from '../why/call-texts.ts';
import { WhyButton } from '../why/WhyButton.tsx';
import { OwnLogPage } from './OwnLogPage.tsx';

const words = texts.own.calls;
const route = getRouteApi('/t/$tenantId/my/activity');

export function MyCallsPage() {
  const { blocked } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <OwnLogPage<OwnCall>
      words={words}
      topic="tool-calls"
      path="/own/mcp-calls"
      columns={COLUMNS}
      rowKey={(row) => String(row.log_id)}
      rowTestId="own-call-row"
      blocked={blocked}
      onBlocked={(next) => void navigate({ search: { blocked: next }, replace: true })}
    />
  );
}

const TONES: Record<OwnCall['outcome'], Tone> = {
  passed: 'good',
  tool_error: 'warn',
  failed: 'warn',
  blocked: 'bad',
  asked: 'plain',
  running: 'plain',
  unknown: 'plain',
};

const COLUMNS: readonly Column<OwnCall>[] = [
  { key: 'when', header: words.when, render: (row) => <Time at={row.started_at} /> },
  {
    key: 'tool',
    header: words.tool,
    weight: 1.6,
    render: (row) => (
      <>
        <Name value={row.tool ?? row.method} clamp mono />
        <div className="gw-dimmed gw-small">
          <Name value={row.server} clamp />
        </div>
      </>
    ),
  },
  { key: 'outcome', header: words.outcome, weight: 3, render: (row) => <Outcome call={row} /> },
  {
    key: 'from',
    header: words.from,
    weight: 1.6,
    render: (row) => (
      <>
        <Name value={row.agent} clamp mono />
        {row.via === null ? null : (
          <div className="gw-dimmed gw-small">
            <Name value={words.via[row.via] ?? row.via} clamp />
          </div>
        )}
      </>
    ),
  },
  {
    key: 'why',
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => (
      <WhyButton
        of={`own-call.${row.log_id}`}
        name={visibleText`${row.server}: ${row.tool ?? row.method ?? ''}`}
      />
    ),
  },
];

function Outcome({ call: { outcome, refused, found, message } }: { call: OwnCall }) {
  return (
    <>
      <Badge tone={TONES[outcome]} dot>
        {why.outcomes[outcome]}
      </Badge>
      {refused === null ? null : <div>{texts.mcp.access.reasons[refused]}</div>}
      {found.map(({ side, action, category }) => (
        <div key={`${side} ${action} ${category}`} className="gw-small">
          <Name value={[action, category].filter(Boolean).join(' · ')} /> {why.sides[side]}
        </div>
      ))}
      {message === null ? null : (
        <div className="gw-dimmed gw-small">
          <Name value={message} />
        </div>
      )}
    </>
  );
}
