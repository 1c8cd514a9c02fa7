// The events of the audit trail behind a thing; who administers the tenant is led to each.
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
  /** It came after what is asked about. */
  is_since?: boolean;
}

/** Where there is none, that is said. */
export function Trail({ events }: { events: readonly TrailEvent[] }) {
  if (events.length === 0) return <span className="gw-dimmed">{words.noAudit}</span>;
  return (
    <ul className="gw-plain-list">
      {events.map((one) => (
        <li key={one.event_id}>
          <TrailEventText event={one} />
        </li>
      ))}
    </ul>
  );
}

export function TrailEventText({ event: one }: { event: TrailEvent }) {
  const { tenantId } = useTenant();
  const mayAdminister = useMayAdminister();
  return (
    <>
      {words.operations[one.operation] ?? operationText(one.operation)} · <Name value={one.by} /> ·{' '}
      <Time at={one.at} full />
      {one.is_since === true ? <strong> · {words.since}</strong> : null}
      <div className="gw-dimmed gw-small">
        {words.event}{' '}
        {mayAdminister ? (
          <Link
            to="/t/$tenantId/audit"
            params={{ tenantId }}
            search={{ event: one.event_id }}
            className="gw-link"
          >
            <Name value={one.event_id} mono />
          </Link>
        ) : (
          <Name value={one.event_id} mono />
        )}
        {one.request_id === null ? null : (
          <>
            {' '}
            · {words.request} <Name value={one.request_id} mono />
          </>
        )}
      </div>
    </>
  );
}

/** One link of a chain. */
export function Step({ name, children }: { name: string; children: ReactNode }) {
  return (
    <li>
      <strong>{name}</strong>
      <div>{children}</div>
    </li>
  );
}
