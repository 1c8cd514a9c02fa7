// Agent releases by ring, the versions on devices, and versions that devices rolled back. The operator publishes releases.
import type {
  AgentRelease,
  AgentReleasesAnswer,
} from '@gatewarden/shared/wire/console/agent-releases.ts';
import { useResource } from '../api/tenant.ts';
import { DeviceLink } from '../devices/DeviceLink.tsx';
import { GroupLink } from '../groups/GroupLink.tsx';
import { texts } from '../texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Page, Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { releaseTexts as words } from './release-texts.ts';

const TONES: Record<AgentRelease['state'], Tone> = {
  offered: 'good',
  expired: 'warn',
  withdrawn: 'plain',
};
type Version = AgentReleasesAnswer['versions'][number];
type RolledBack = AgentReleasesAnswer['rolled_back'][number];

export function ReleasesPage() {
  const answer = useResource<AgentReleasesAnswer>('devices', '/agent-releases');
  const releases = shownOf(answer);
  return (
    <Page title={words.title} lead={words.lead}>
      <Waiting answer={answer} />
      {releases === undefined ? null : <Shown answer={releases} />}
    </Page>
  );
}

function Shown({ answer }: { answer: AgentReleasesAnswer }) {
  return (
    <div className="gw-stack">
      <Section title={words.offered}>
        {answer.releases.length === 0 ? (
          <Empty title={words.none} text={words.noneText} />
        ) : (
          <DataTable
            caption={words.offered}
            columns={RELEASES}
            rows={answer.releases}
            rowKey={(row) => row.release_id}
            rowTestId="release-row"
          />
        )}
      </Section>
      <Section title={words.versions}>
        {answer.versions.length === 0 ? (
          <Empty title={texts.devices.empty} />
        ) : (
          <DataTable
            caption={words.versions}
            columns={VERSIONS}
            rows={answer.versions}
            rowKey={(row) => `${row.version} ${row.platform} ${row.arch}`}
            rowTestId="version-row"
          />
        )}
      </Section>
      <Section title={words.rolledBack}>
        {answer.rolled_back.length === 0 ? (
          <Empty title={words.noneRolledBack} />
        ) : (
          <DataTable
            caption={words.rolledBack}
            columns={ROLLED_BACK}
            rows={answer.rolled_back}
            rowKey={(row) => `${row.device_id} ${row.alert_id}`}
            rowTestId="rolled-back-row"
          />
        )}
      </Section>
    </div>
  );
}

const RELEASES: readonly Column<AgentRelease>[] = [
  {
    key: 'version',
    header: words.version,
    render: (row) => (
      <div>
        <Name value={row.version} mono />
        <div className="gw-dimmed gw-small">
          {texts.platforms[row.platform]} <Name value={row.arch} /> · <Name value={row.channel} />
        </div>
      </div>
    ),
  },
  {
    key: 'state',
    weight: 0.8,
    header: words.state,
    render: (row) => (
      <Badge tone={TONES[row.state]} dot>
        {words.states[row.state]}
      </Badge>
    ),
  },
  {
    key: 'ring',
    weight: 1.4,
    header: words.ring,
    render: (row) => (
      <div>
        {words.percent(row.ring_percent)}
        {row.groups.map((group) => (
          <div key={group.group_id} className="gw-small">
            {words.early} <GroupLink groupId={group.group_id} name={group.name} />
          </div>
        ))}
      </div>
    ),
  },
  {
    key: 'over',
    weight: 0.8,
    header: words.over,
    render: (row) => <Name value={row.minimum_version} mono />,
  },
  { key: 'added', header: words.added, render: (row) => <Time at={row.added_at} /> },
  { key: 'expires', header: words.expires, render: (row) => <Time at={row.expires_at} /> },
];

const VERSIONS: readonly Column<Version>[] = [
  { key: 'version', header: words.version, render: (row) => <Name value={row.version} mono /> },
  {
    key: 'platform',
    header: texts.devices.platform,
    render: (row) => (
      <span>
        {texts.platforms[row.platform]} <Name value={row.arch} />
      </span>
    ),
  },
  {
    key: 'devices',
    header: words.devices,
    align: 'end',
    render: (row) => row.devices.toLocaleString('en-GB'),
  },
  {
    key: 'today',
    header: words.seenToday,
    align: 'end',
    render: (row) => row.seen_today.toLocaleString('en-GB'),
  },
];

const ROLLED_BACK: readonly Column<RolledBack>[] = [
  {
    key: 'device',
    header: words.device,
    render: (row) => <DeviceLink deviceId={row.device_id} hostname={row.hostname} />,
  },
  {
    key: 'what',
    weight: 3,
    header: words.what,
    render: (row) => <Name value={row.message} clamp />,
  },
  { key: 'when', header: words.when, render: (row) => <Time at={row.received_at} /> },
];
