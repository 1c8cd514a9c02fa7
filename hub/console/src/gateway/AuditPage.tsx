// The audit trail of the gateway's configuration; the URL contains the opened event.
import { Button } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useList, useResource } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { operationText, resourceText } from '../texts-audit.ts';
import { Badge } from '../ui/Badges.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Json } from '../ui/Json.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { ActorName } from './ActorName.tsx';
import { secondsToIso } from './app-path.ts';
import { gatewayTexts } from './texts.ts';
import type { AuditEvent } from './wire.ts';
import './gateway.css';

const t = gatewayTexts.audit;
const route = getRouteApi('/t/$tenantId/activity/audit-log/gateway');

export function AuditPage() {
  const { event: shown } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (event: string | undefined) =>
    void navigate({
      search: (former) => ({ ...former, event }),
      replace: event === undefined,
      resetScroll: false,
    });
  const list = useList<AuditEvent>('gateway', '/gateway/audit');
  return (
    <Page title={t.title} lead={t.lead}>
      <ListView
        list={list}
        caption={t.title}
        rowKey={(row) => row.event_id}
        rowTestId="audit-row"
        dense
        empty={<Empty title={t.empty} />}
        columns={[
          {
            key: 'when',
            header: t.when,
            render: (row) => <Time at={secondsToIso(row.created_at)} />,
          },
          {
            key: 'who',
            header: t.who,
            weight: 1.6,
            render: (row) => <ActorName actor={row.actor} />,
          },
          {
            key: 'what',
            header: t.operation,
            weight: 1.4,
            render: (row) => <Name value={operationText(row.operation)} />,
          },
          {
            key: 'resource',
            header: t.resource,
            weight: 1.8,
            render: (row) => <Name value={resourceName(row)} clamp />,
          },
          {
            key: 'result',
            header: t.result,
            render: (row) => (
              <Badge tone={row.result === 'succeeded' ? 'good' : 'bad'}>
                {t.results[row.result] ?? row.result}
              </Badge>
            ),
          },
          {
            key: 'show',
            header: texts.ui.actions,
            hiddenHeader: true,
            align: 'end',
            render: (row) => (
              <Button size="xs" variant="default" onClick={() => open(row.event_id)}>
                {gatewayTexts.versions.show}
              </Button>
            ),
          },
        ]}
      />
      {shown === undefined ? null : (
        <Dialog wide title={t.event} onClosed={() => open(undefined)}>
          {() => <EventDetails eventId={shown} />}
        </Dialog>
      )}
    </Page>
  );
}

/** The event of the URL, which the loaded part of the list may lack. */
function EventDetails({ eventId }: { eventId: string }) {
  const answer = useResource<{ event: AuditEvent }>(
    'gateway',
    `/gateway/audit/${encodeURIComponent(eventId)}`,
  );
  const event = shownOf(answer)?.event;
  return (
    <div className="gw-form">
      <Waiting answer={answer} />
      {event === undefined ? null : (
        <>
          <Facts>
            <Fact name={t.operation}>
              <Name value={operationText(event.operation)} /> <Name value={event.operation} mono />
            </Fact>
            <Fact name={t.result}>{t.results[event.result] ?? event.result}</Fact>
            <Fact name={t.when}>
              <Time at={secondsToIso(event.created_at)} full />
            </Fact>
            <Fact name={t.who}>
              <ActorName actor={event.actor} />
            </Fact>
            <Fact name={t.resource} wide>
              <Name value={`${event.resource.kind} ${event.resource.id}`} mono />
            </Fact>
            <Fact name={texts.errors.requestId} wide>
              <Name value={event.request_id} mono />
            </Fact>
          </Facts>
          <Json value={event.changes} label={t.changes} />
        </>
      )}
    </div>
  );
}

/** Returns the name in the changes of an event, else the kind of its resource. */
function resourceName({ changes, resource }: AuditEvent): string {
  const { name } = changes;
  return `${resourceText(resource.kind)} ${typeof name === 'string' ? name : resource.id}`;
}
