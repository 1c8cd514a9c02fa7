// Access requests of users for their own devices, live, with the reviewer's actions.
import {
  ACCESS_STATES,
  type AccessRequest,
} from '@gatewarden/shared/wire/console/access-requests.ts';
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useList, useMayDecide } from '../api/tenant.ts';
import { ApplicationLink } from '../applications/ApplicationLink.tsx';
import { DeviceLink } from '../devices/DeviceLink.tsx';
import { texts } from '../texts.ts';
import { PolicyBadge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Filter } from '../ui/Filter.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { UserLink } from '../users/UserLink.tsx';
import { DeclineDialog } from './DeclineDialog.tsx';
import { GrantDialog } from './GrantDialog.tsx';
import { aboutRequest, Outcome } from './RequestCells.tsx';
import { requestTexts as words } from './texts.ts';

const route = getRouteApi('/t/$tenantId/policies/access-requests');

export function RequestsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayDecide = useMayDecide();
  // The dialog is outside of the row, which disappears with its input when another reviewer decides.
  const [answering, setAnswering] = useState<Answering | null>(null);
  const list = useList<AccessRequest>('access-requests', '/access-requests', search);
  const narrowed = search.device_id ?? search.subscriber_id;
  return (
    <Page title={words.title} lead={words.lead}>
      <div className="gw-filters">
        <Filter
          label={words.state}
          values={ACCESS_STATES}
          names={words.states}
          value={search.state}
          onChange={(state) =>
            void navigate({ search: (former) => ({ ...former, state }), replace: true })
          }
        />
        {narrowed === undefined ? null : (
          <Button
            variant="default"
            onClick={() => void navigate({ search: { state: search.state }, replace: true })}
          >
            {search.device_id === undefined ? words.allUsers(visible(narrowed)) : words.allDevices}
          </Button>
        )}
      </div>
      <ListView
        list={list}
        caption={words.title}
        columns={mayDecide ? [...COLUMNS, answerColumn(setAnswering)] : COLUMNS}
        rowKey={(row) => row.access_request_id}
        rowTestId="request-row"
        empty={
          narrowed === undefined && (search.state === undefined || search.state === 'open') ? (
            <Empty title={words.empty} text={words.emptyText} />
          ) : (
            <Empty title={texts.ui.noMatch} />
          )
        }
      />
      {answering === null ? null : (
        <AnswerDialog
          {...answering}
          onClose={() => {
            setAnswering(null);
          }}
        />
      )}
    </Page>
  );
}

const COLUMNS: readonly Column<AccessRequest>[] = [
  {
    key: 'what',
    weight: 1.8,
    header: words.what,
    render: (row) => (
      <div>
        <ApplicationLink entityId={row.entity_id} name={aboutRequest(row)} />
        {row.exception === null ? null : (
          <div className="gw-dimmed gw-small">
            {words.now}: <PolicyBadge policy={row.exception.policy} />
          </div>
        )}
      </div>
    ),
  },
  {
    key: 'why',
    weight: 2.2,
    header: words.why,
    render: (row) => <Name value={row.reason} clamp />,
  },
  {
    key: 'who',
    weight: 1.8,
    header: words.who,
    render: (row) => (
      <div>
        <UserLink value={row.subscriber_id} isIdentity />
        <div className="gw-dimmed gw-small">
          <DeviceLink deviceId={row.device_id} hostname={row.hostname} />
          {row.via === 'agent' ? ` · ${words.viaAgent}` : null}
        </div>
      </div>
    ),
  },
  {
    key: 'asked',
    weight: 1.1,
    header: words.asked,
    render: (row) => (
      <div>
        <Time at={row.asked_at} />
        {row.asked > 1 ? <div className="gw-dimmed gw-small">{words.times(row.asked)}</div> : null}
      </div>
    ),
  },
  {
    key: 'outcome',
    weight: 1.6,
    header: words.outcome,
    render: (row) => <Outcome row={row} />,
  },
];

interface Answering {
  how: 'grant' | 'decline';
  request: AccessRequest;
}

const answerColumn = (onAnswer: (answering: Answering) => void): Column<AccessRequest> => ({
  key: 'answer',
  weight: 1.8,
  header: texts.ui.actions,
  hiddenHeader: true,
  align: 'end',
  render: (row) =>
    row.state === 'open' ? (
      <Answers
        request={row}
        onAnswer={(how) => {
          onAnswer({ how, request: row });
        }}
      />
    ) : null,
});

function Answers({
  request,
  onAnswer,
}: {
  request: AccessRequest;
  onAnswer: (how: Answering['how']) => void;
}) {
  const name = aboutRequest(request);
  return (
    <div className="gw-row-actions">
      {request.exception === null ? (
        <span className="gw-dimmed gw-small">{words.gone}</span>
      ) : (
        <Button
          size="xs"
          variant="default"
          aria-label={words.grantNamed(name)}
          onClick={() => {
            onAnswer('grant');
          }}
        >
          {words.grant}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={words.declineNamed(name)}
        onClick={() => {
          onAnswer('decline');
        }}
      >
        {words.decline}
      </Button>
    </div>
  );
}

function AnswerDialog({ how, request, onClose }: Answering & { onClose: () => void }) {
  const { exception } = request;
  if (how === 'decline') return <DeclineDialog request={request} onClose={onClose} />;
  return exception === null ? null : (
    <GrantDialog request={request} exception={exception} onClose={onClose} />
  );
}
