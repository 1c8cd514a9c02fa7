// The devices on Home: their states, each with a link to the list.
import type { OverviewAnswer } from '@gatewarden/shared/wire/console/overview.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTenant } from '../api/tenant.ts';
import { Empty } from '../ui/ListView.tsx';
import { Section } from '../ui/Page.tsx';

export interface PartProps {
  overview: OverviewAnswer;
}

import { overviewTexts as t } from './texts.ts';

export function Devices({ overview: { devices } }: PartProps) {
  const { tenantId } = useTenant();
  if (devices.devices === 0) {
    return (
      <Section title={t.devices}>
        <Empty title={t.noDevices} text={t.noDevicesText} />
      </Section>
    );
  }
  const rows = [
    { key: 'all', name: t.all, count: devices.devices, search: {} },
    { key: 'seen', name: t.seenToday, count: devices.seen_today, search: { seen: 'today' } },
    { key: 'applied', name: t.applied, count: devices.applied, search: { governance: 'applied' } },
    {
      key: 'applying',
      name: t.applying,
      count: devices.applying,
      search: { governance: 'applying' },
    },
    {
      key: 'diverged',
      name: t.diverged,
      count: devices.diverged,
      search: { governance: 'diverged' },
      tone: 'high',
    },
    {
      key: 'unknown',
      name: t.unknown,
      count: devices.unknown,
      search: { governance: 'unknown' },
    },
    {
      key: 'stale',
      name: t.stale,
      count: devices.stale,
      search: { state: 'stale' },
      tone: 'medium',
    },
    {
      key: 'duplicates',
      name: t.duplicates,
      count: devices.duplicates,
      search: { state: 'duplicate' },
      tone: 'high',
    },
    {
      key: 'gaps',
      name: t.gaps,
      count: devices.coverage_gaps,
      search: { coverage: 'gaps' },
      tone: 'medium',
    },
  ] as const;
  return (
    <Section title={t.devices}>
      <ul className="gw-overview-rows">
        {rows
          .filter((row) => row.count > 0 || row.key === 'all' || row.key === 'seen')
          .map((row) => (
            <Row
              key={row.key}
              name={row.name}
              count={row.count}
              {...('tone' in row ? { tone: row.tone } : {})}
            >
              {(content) => (
                <Link
                  to="/t/$tenantId/devices"
                  params={{ tenantId }}
                  search={row.search}
                  className="gw-overview-link"
                >
                  {content}
                </Link>
              )}
            </Row>
          ))}
      </ul>
    </Section>
  );
}

interface RowProps {
  name: string;
  count: number;
  /** The number at which the hub stops counting. */
  most?: number;
  tone?: string;
  /** The link around the row's content. */
  children: (content: ReactNode) => ReactNode;
}

export function Row({ name, count, most, tone, children }: RowProps) {
  return (
    <li data-testid="overview-row">
      {children(
        <>
          <span>{name}</span>
          <strong className="gw-num" data-tone={tone}>
            {t.count(count, most)}
          </strong>
        </>,
      )}
    </li>
  );
}
