// The audit events of a resource; administrators get a link to each event.
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMayAdminister, useTenant } from '../api/tenant.ts';
import { operationText } from '../texts-audit.ts';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { whyTexts as words } from './texts.ts';

export interface TrailEvent {
  event_id: string;
  at: string;
  operation: string;
  by: string;
  request_id: string | null;
  /** The event came after the explained decision. */
  is_since?: boolean;
}

/** Shows the events, or a text if there is none. */
export function Trail({ events }: { events: readonly TrailEvent[] }) {
  if (events.length === 0) return <span className="gw-dimmed">{words.noAudit}</span>;
  return (
    <ul className="gw-plain-list">
      {events.map((item) => (
        <li key={item.event_id}>
          <TrailEventText event={item} />
        </li>
      ))}
    </ul>
  );
}

export function TrailEventText({ event: item }: { event: TrailEvent }) {
  const { tenantId } = useTenant();
  const mayAdminister = useMayAdminister();
  return (
    <>
      {words.operations[item.operation] ?? operationText(item.operation)} · <Name value={item.by} />{' '}
      · <Time at={item.at} full />
      {item.is_since === true ? <strong> · {words.since}</strong> : null}
      <div className="gw-dimmed gw-small">
        {words.event}{' '}
        {mayAdminister ? (
          <Link
            to="/t/$tenantId/activity/audit-log"
            params={{ tenantId }}
            search={{ event: item.event_id }}
            className="gw-link"
          >
            <Name value={item.event_id} mono />
          </Link>
        ) : (
          <Name value={item.event_id} mono />
        )}
        {item.request_id === null ? null : (
          <>
            {' '}
            · {words.request} <Name value={item.request_id} mono />
          </>
        )}
      </div>
    </>
  );
}

/** A step of the decision trace. */
export function Step({ name, children }: { name: string; children: ReactNode }) {
  return (
    <li>
      <strong>{name}</strong>
      <div>{children}</div>
    </li>
  );
}
