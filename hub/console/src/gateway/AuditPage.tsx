// The audit trail of the gateway's configuration.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useList } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Json } from '../ui/Json.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { ActorName } from './ActorName.tsx';
import { isoOf } from './app-path.ts';
import { gatewayTexts } from './texts.ts';
import type { AuditEvent } from './wire.ts';
import './gateway.css';

const t = gatewayTexts.audit;

export function AuditPage() {
  const [shown, setShown] = useState<AuditEvent | null>(null);
  const list = useList<AuditEvent>('gateway', '/gateway/audit');
  return (
    <Page title={t.title} lead={t.lead}>
      <ListView
        list={list}
        caption={t.title}
        rowKey={(row) => row.event_id}
        rowTestId="audit-row"
        empty={<Empty title={t.empty} />}
        columns={[
          { key: 'when', header: t.when, render: (row) => <Time at={isoOf(row.created_at)} /> },
          {
            key: 'who',
            header: t.who,
            weight: 1.6,
            render: (row) => <ActorName actor={row.actor} />,
          },
          { key: 'what', header: t.operation, weight: 1.2, render: (row) => row.operation },
          {
            key: 'resource',
            header: t.resource,
            weight: 1.8,
            render: (row) => <Name value={nameOf(row)} clamp />,
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
              <Button size="xs" variant="default" onClick={() => setShown(row)}>
                {gatewayTexts.versions.show}
              </Button>
            ),
          },
        ]}
      />
      {shown === null ? null : (
        <Dialog wide title={shown.operation} onClosed={() => setShown(null)}>
          {() => (
            <div className="gw-form">
              <Facts>
                <Fact name={t.when}>
                  <Time at={isoOf(shown.created_at)} full />
                </Fact>
                <Fact name={t.who}>
                  <ActorName actor={shown.actor} />
                </Fact>
                <Fact name={t.resource}>
                  <Name value={`${shown.resource.kind} ${shown.resource.id}`} mono />
                </Fact>
                <Fact name={texts.errors.requestId}>
                  <Name value={shown.request_id} mono />
                </Fact>
              </Facts>
              <Json value={shown.changes} label={t.changes} />
            </div>
          )}
        </Dialog>
      )}
    </Page>
  );
}

/** The name, where the change speaks of one, else what kind of thing it was. */
function nameOf({ changes, resource }: AuditEvent): string {
  const { name } = changes;
  return typeof name === 'string' ? `${resource.kind} ${name}` : `${resource.kind} ${resource.id}`;
}
