// The devices on Home: their states, each with a link to the list.
import { GOVERNANCE_STATES } from '@gatewarden/shared/wire/console/devices.ts';
import type { OverviewAnswer } from '@gatewarden/shared/wire/console/overview.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTenant } from '../api/tenant.ts';
import type { devicesSearch } from '../app/search.ts';
import { GOVERNANCE_TONES, type Tone } from '../ui/Badges.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Section } from '../ui/Page.tsx';

export interface PartProps {
  overview: OverviewAnswer;
}

import { ShareBar } from './ShareBar.tsx';
import { overviewTexts as t } from './texts.ts';

export function Devices({ overview: { devices } }: PartProps) {
  if (devices.devices === 0) {
    return (
      <Section title={t.devices}>
        <Empty title={t.noDevices} text={t.noDevicesText} />
      </Section>
    );
  }
  return (
    <Section title={t.devices}>
      <ShareBar
        label={t.deviceBar(devices.devices)}
        shares={GOVERNANCE_STATES.map((state) => ({
          ...{ key: state, value: devices[state], tone: GOVERNANCE_TONES[state] },
        }))}
      />
      <ul className="gw-overview-rows">
        <DeviceRow name={t.all} count={devices.devices} search={{}} />
        {GOVERNANCE_STATES.map((state) => (
          <DeviceRow
            key={state}
            name={t.states[state]}
            count={devices[state]}
            mark={GOVERNANCE_TONES[state]}
            search={{ governance: state }}
          />
        ))}
        <DeviceRow name={t.seenToday} count={devices.seen_today} search={{ seen: 'today' }} />
        {PROBLEMS.filter(({ count }) => devices[count] > 0).map(({ count, name, tone, search }) => (
          <DeviceRow key={count} name={name} count={devices[count]} tone={tone} search={search} />
        ))}
      </ul>
    </Section>
  );
}

/** Devices with a problem; a device may be in several of these lists, and is also counted by its policy state. */
const PROBLEMS = [
  { count: 'stale', name: t.stale, tone: 'medium', search: { state: 'stale' } },
  { count: 'duplicates', name: t.duplicates, tone: 'high', search: { state: 'duplicate' } },
  { count: 'coverage_gaps', name: t.gaps, tone: 'medium', search: { coverage: 'gaps' } },
] as const;

interface DeviceRowProps extends Omit<RowProps, 'children'> {
  /** The filter of the list that the number counts. */
  search: ReturnType<typeof devicesSearch>;
}

function DeviceRow({ search, ...row }: DeviceRowProps) {
  const { tenantId } = useTenant();
  return (
    <Row {...row}>
      {(content) => (
        <Link
          to="/t/$tenantId/devices"
          params={{ tenantId }}
          search={search}
          className="gw-overview-link"
        >
          {content}
        </Link>
      )}
    </Row>
  );
}

interface RowProps {
  name: string;
  count: number;
  /** The number at which the hub stops counting. */
  most?: number;
  tone?: string;
  /** The color of the number's part of a bar. */
  mark?: Tone;
  /** The link around the row's content. */
  children: (content: ReactNode) => ReactNode;
}

export function Row({ name, count, most, tone, mark, children }: RowProps) {
  return (
    <li data-testid="overview-row">
      {children(
        <>
          <span>
            {mark === undefined ? null : (
              <span className="gw-swatch" data-tone={mark} aria-hidden />
            )}
            {name}
          </span>
          <strong className="gw-num" data-tone={tone}>
            {t.count(count, most)}
          </strong>
        </>,
      )}
    </li>
  );
}
