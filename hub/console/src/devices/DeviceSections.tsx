// Sections of a device's page that load when they become visible: processes, policies, alerts and activity.
import type { AlertRow } from '@gatewarden/shared/wire/console/alerts.ts';
import type {
  DeviceDecision,
  DeviceProcess,
  DeviceProcessesAnswer,
} from '@gatewarden/shared/wire/console/devices.ts';
import { Link } from '@tanstack/react-router';
import { RecentActivity } from '../activity/ActivityTable.tsx';
import { AlertTable } from '../alerts/AlertTable.tsx';
import { useList, useTenant } from '../api/tenant.ts';
import { ApplicationLink } from '../applications/ApplicationLink.tsx';
import { MatchText, ScopeText } from '../policies/MatchText.tsx';
import { PolicyStepBadge } from '../policies/PolicyStepBadge.tsx';
import { ProductSubject, SubjectName } from '../policies/PolicySubject.tsx';
import { texts } from '../texts.ts';
import { Badge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { LazySection } from '../ui/LazySection.tsx';
import { ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { WhenAndWho } from '../ui/WhenAndWho.tsx';
import { WhyButton } from '../why/WhyButton.tsx';
import { deviceTexts as words } from './device-texts.ts';

export function DeviceSections({ deviceId }: { deviceId: string }) {
  return (
    <>
      <LazySection title={words.decisions}>
        <Decisions deviceId={deviceId} />
      </LazySection>
      <LazySection title={words.processes}>
        <Processes deviceId={deviceId} />
      </LazySection>
      <LazySection title={words.alerts}>
        <Alerts deviceId={deviceId} />
      </LazySection>
      <LazySection title={texts.device.activity}>
        <Activity deviceId={deviceId} />
      </LazySection>
    </>
  );
}

function Decisions({ deviceId }: { deviceId: string }) {
  // The topic is `devices`, because the policies in force depend on the device's user, groups and applied policies.
  const list = useList<DeviceDecision>('devices', `/devices/${deviceId}/decisions`, { limit: 20 });
  return (
    <ListView
      bare
      list={list}
      caption={words.decisions}
      columns={DECISIONS}
      rowKey={(row) => row.override_id}
      rowTestId="device-decision-row"
      empty={<p className="gw-dimmed">{words.decisionsEmpty}</p>}
    />
  );
}

const DECISIONS: readonly Column<DeviceDecision>[] = [
  {
    key: 'about',
    weight: 2,
    header: texts.decisions.match,
    render: ({ match, product, application_name: name }) =>
      product !== null ? (
        <ProductSubject product={product} />
      ) : match.entity_id !== undefined && name !== null ? (
        <ApplicationLink entityId={match.entity_id} name={name} />
      ) : (
        <MatchText match={match} />
      ),
  },
  {
    key: 'decision',
    weight: 1.5,
    header: texts.decisions.approval,
    render: (row) => (
      <div className="gw-inline-badges">
        <PolicyStepBadge policy={row} />
      </div>
    ),
  },
  { key: 'scope', header: texts.decisions.scope, render: (row) => <ScopeText scope={row.scope} /> },
  {
    key: 'applied',
    header: words.applied,
    render: ({ applied }) =>
      applied === null ? (
        <span className="gw-dimmed">{words.appliedStates.unknown}</span>
      ) : (
        <Badge tone={applied ? 'good' : 'warn'}>
          {applied ? words.appliedStates.yes : words.appliedStates.no}
        </Badge>
      ),
  },
  {
    key: 'by',
    weight: 1.3,
    header: texts.decisions.changed,
    render: (row) => <WhenAndWho at={row.decided_at} by={row.decided_by} />,
  },
  {
    key: 'why',
    weight: 0.8,
    header: texts.ui.actions,
    hiddenHeader: true,
    align: 'end',
    render: (row) => (
      <SubjectName override={row}>
        {(name) => <WhyButton of={`decision.${row.override_id}`} name={name} />}
      </SubjectName>
    ),
  },
];

function Processes({ deviceId }: { deviceId: string }) {
  const list = useList<DeviceProcess>('devices', `/devices/${deviceId}/processes`, { limit: 20 });
  const first = list.data?.pages[0] as DeviceProcessesAnswer | undefined;
  const reportedAt = first?.reported_at ?? null;
  return (
    <>
      {reportedAt === null ? null : (
        <p className="gw-dimmed gw-small gw-flat">
          {words.reportedAt} <Time at={reportedAt} />
        </p>
      )}
      <ListView
        bare
        list={list}
        caption={words.processes}
        columns={PROCESSES}
        rowKey={(row) => row.process_id}
        rowTestId="device-process-row"
        empty={
          <p className="gw-dimmed">
            {reportedAt === null ? words.notReported : words.processesEmpty}
          </p>
        }
      />
    </>
  );
}

const PROCESSES: readonly Column<DeviceProcess>[] = [
  {
    key: 'program',
    weight: 2.6,
    header: words.program,
    render: (row) => (
      <div>
        <ApplicationLink
          entityId={row.entity_ids[0] ?? null}
          name={row.application_name ?? row.name}
        />
        <div className="gw-dimmed gw-small">
          <Name value={row.executable_path} mono clamp />
        </div>
      </div>
    ),
  },
  {
    key: 'times',
    weight: 0.6,
    header: words.times,
    align: 'end',
    render: (row) => <span className="gw-num">{row.count.toLocaleString('en-GB')}</span>,
  },
  { key: 'since', header: words.since, render: (row) => <Time at={row.since} /> },
  {
    key: 'rail',
    header: words.rail,
    render: (row) =>
      row.guard_rail === null ? (
        <span className="gw-dimmed">{texts.ui.none}</span>
      ) : (
        <Name value={row.guard_rail.replaceAll('_', ' ')} clamp />
      ),
  },
];

function Alerts({ deviceId }: { deviceId: string }) {
  const list = useList<AlertRow>('alerts', '/alerts', { device_id: deviceId, limit: 10 });
  return (
    <>
      <AlertTable ofDevice list={list} empty={<p className="gw-dimmed">{words.alertsEmpty}</p>} />
      <AllOfDevice to="/t/$tenantId/activity/alerts" deviceId={deviceId} text={words.allAlerts} />
    </>
  );
}

function Activity({ deviceId }: { deviceId: string }) {
  return (
    <>
      <RecentActivity deviceId={deviceId} />
      <AllOfDevice
        to="/t/$tenantId/activity/enforcement"
        deviceId={deviceId}
        text={words.allActivity}
      />
    </>
  );
}

/** Links to the complete list of this device. */
function AllOfDevice({
  to,
  deviceId,
  text,
}: {
  to: '/t/$tenantId/activity/alerts' | '/t/$tenantId/activity/enforcement';
  deviceId: string;
  text: string;
}) {
  const { tenantId } = useTenant();
  return (
    <Link to={to} params={{ tenantId }} search={{ device_id: deviceId }} className="gw-link">
      {text}
    </Link>
  );
}
