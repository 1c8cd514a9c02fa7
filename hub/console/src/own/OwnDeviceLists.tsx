// Lists of the user's own device: stopped apps, policies and discovered apps.
import { endsProcesses } from '@gatewarden/shared/policy.ts';
import type {
  OwnActivity,
  OwnDecision,
  OwnEntity,
} from '@gatewarden/shared/wire/console/own-devices.ts';
import type { ReactNode } from 'react';
import { useList } from '../api/tenant.ts';
import { sourceLabel } from '../labels.ts';
import { matchLabel } from '../policies/MatchText.tsx';
import { PolicyStepBadge } from '../policies/PolicyStepBadge.tsx';
import { ProductSubject } from '../policies/PolicySubject.tsx';
import { texts } from '../texts.ts';
import { PolicyBadge } from '../ui/Badges.tsx';
import type { Column } from '../ui/DataTable.tsx';
import { Empty, ListView } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { SearchBox } from '../ui/SearchBox.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { WhyButton } from '../why/WhyButton.tsx';
import { RequestAccessButton, useAccessRequestDialog } from './AskDialog.tsx';
import { ownDeviceTexts as words } from './device-texts.ts';

/** The last column. Its buttons request access to apps that a policy stops: for other apps a request changes nothing. */
const actionColumn = <Row,>(render: (row: Row) => ReactNode): Column<Row> => ({
  key: 'ask',
  weight: 1.5,
  header: texts.ui.actions,
  hiddenHeader: true,
  align: 'end',
  render: (row) => <div className="gw-row-actions">{render(row)}</div>,
});

interface OwnStoppedProps {
  deviceId: string;
  title?: string;
}

export function OwnStopped({ deviceId, title = words.stopped }: OwnStoppedProps) {
  const list = useList<OwnActivity>('activity', `/own/devices/${deviceId}/activity`, { limit: 10 });
  const { onAsk, dialog } = useAccessRequestDialog();
  return (
    <Section title={title}>
      <ListView
        bare
        list={list}
        caption={title}
        columns={[
          ...STOPPED,
          actionColumn<OwnActivity>((row) => {
            const name = row.application_name ?? row.process.name;
            const about = { activity_id: row.activity_id };
            return (
              <>
                <WhyButton
                  of={`own-activity.${row.activity_id}.${deviceId}`}
                  name={visible(name)}
                />
                {row.is_still_stopped ? (
                  <RequestAccessButton about={{ deviceId, name, about }} onAsk={onAsk} />
                ) : null}
              </>
            );
          }),
        ]}
        rowKey={(row) => row.activity_id}
        rowTestId="own-stopped-row"
        empty={<Empty title={words.stoppedEmpty} />}
      />
      {dialog}
    </Section>
  );
}

const STOPPED: readonly Column<OwnActivity>[] = [
  {
    key: 'what',
    weight: 2.5,
    header: words.what,
    render: (row) => (
      <div>
        <Name value={row.application_name ?? row.process.name} clamp />
        <div className="gw-dimmed gw-small">
          <Name value={row.process.executable_path ?? row.process.name} mono clamp />
        </div>
      </div>
    ),
  },
  {
    key: 'outcome',
    weight: 1.4,
    header: words.outcome,
    render: (row) => (
      <div>
        <PolicyBadge policy={row.decision} />{' '}
        <div className="gw-dimmed gw-small">
          <Name value={row.outcome} />
        </div>
      </div>
    ),
  },
  { key: 'when', header: words.when, render: (row) => <Time at={row.decided_at} /> },
];

export function OwnDecisions({ deviceId }: { deviceId: string }) {
  // The topic is `devices`, because the policies in force depend on the device's user and groups.
  const list = useList<OwnDecision>('devices', `/own/devices/${deviceId}/decisions`);
  const { onAsk, dialog } = useAccessRequestDialog();
  return (
    <Section title={words.decisions}>
      <ListView
        bare
        list={list}
        caption={words.decisions}
        columns={[
          ...DECISIONS,
          actionColumn<OwnDecision>((row) => {
            const name = policyName(row);
            const entityId = row.stopped_entity_id;
            return (
              <>
                <WhyButton
                  of={`own-decision.${row.override_id}.${deviceId}`}
                  name={visible(name)}
                />
                {entityId === null ? null : (
                  <RequestAccessButton
                    about={{ deviceId, name, about: { entity_id: entityId } }}
                    onAsk={onAsk}
                  />
                )}
              </>
            );
          }),
        ]}
        rowKey={(row) => row.override_id}
        rowTestId="own-decision-row"
        empty={<Empty title={words.decisionsEmpty} />}
      />
      {dialog}
    </Section>
  );
}

const policyName = (row: OwnDecision): string =>
  row.product?.name ?? row.application_name ?? matchLabel(row.match);

const DECISIONS: readonly Column<OwnDecision>[] = [
  {
    key: 'about',
    weight: 1.8,
    header: words.about,
    render: (row) =>
      row.product === null ? (
        <Name value={policyName(row)} clamp />
      ) : (
        <ProductSubject product={row.product} isLinked={false} />
      ),
  },
  {
    key: 'decision',
    weight: 1.5,
    header: words.decision,
    render: (row) => (
      <div className="gw-inline-badges">
        <PolicyStepBadge policy={row} />
      </div>
    ),
  },
  {
    key: 'reason',
    weight: 2,
    header: words.reason,
    render: (row) => <Reason row={row} />,
  },
  {
    key: 'by',
    weight: 1.6,
    header: words.by,
    render: (row) => (
      <div>
        <Name value={row.decided_by} clamp />
        <div className="gw-dimmed gw-small">
          <Time at={row.decided_at} /> · {words.scopes[row.scope_kind]}
          {row.expires_at === null ? null : (
            <>
              {' '}
              · {words.ends} <Time at={row.expires_at} />
            </>
          )}
        </div>
      </div>
    ),
  },
];

function Reason({ row }: { row: OwnDecision }) {
  if (row.reason !== null) return <Name value={row.reason} clamp />;
  if (row.drift_hold) return words.changed;
  return <span className="gw-dimmed">{row.default_kind ? words.standard : words.noReason}</span>;
}

interface OwnEntitiesProps {
  deviceId: string;
  query: string | undefined;
  onQuery: (query: string | undefined) => void;
}

export function OwnEntities({ deviceId, query, onQuery }: OwnEntitiesProps) {
  const list = useList<OwnEntity>('applications', `/own/devices/${deviceId}/entities`, {
    query,
  });
  const { onAsk, dialog } = useAccessRequestDialog();
  return (
    <Section title={words.installed}>
      <div className="gw-filters">
        <SearchBox
          label={texts.device.searchInstalled}
          placeholder={texts.device.searchPlaceholder}
          value={query}
          onChange={onQuery}
        />
      </div>
      <ListView
        bare
        list={list}
        caption={words.installed}
        columns={[
          ...ENTITIES,
          actionColumn<OwnEntity>(({ name, entity_id, policy }) =>
            policy !== null && endsProcesses(policy.execution_policy) ? (
              <RequestAccessButton about={{ deviceId, name, about: { entity_id } }} onAsk={onAsk} />
            ) : null,
          ),
        ]}
        rowKey={(row) => row.entity_id}
        rowTestId="own-entity-row"
        empty={
          <Empty title={query === undefined ? texts.device.installedEmpty : texts.ui.noMatch} />
        }
      />
      {dialog}
    </Section>
  );
}

const ENTITIES: readonly Column<OwnEntity>[] = [
  {
    key: 'name',
    weight: 2,
    header: texts.applications.name,
    render: (row) => <Name value={row.name} clamp />,
  },
  {
    key: 'version',
    weight: 1.2,
    header: texts.applications.version,
    render: (row) => <Name value={row.version} mono clamp />,
  },
  {
    key: 'publisher',
    weight: 1.5,
    header: texts.applications.publisher,
    render: (row) => <Name value={row.publisher} clamp />,
  },
  {
    key: 'kind',
    weight: 1.4,
    header: texts.applications.kindAndSource,
    render: (row) => (
      <div>
        {texts.kinds[row.kind]} <span className="gw-dimmed">· {sourceLabel(row.source)}</span>
      </div>
    ),
  },
  {
    key: 'policy',
    header: words.decision,
    render: ({ policy }) =>
      policy === null ? (
        <span className="gw-dimmed">{words.noDecisionAbout}</span>
      ) : (
        <PolicyStepBadge policy={policy} />
      ),
  },
];
