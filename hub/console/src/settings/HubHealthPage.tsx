// The hub's health at the time of the last reload.
import {
  HEALTH_MOST,
  type HubHealth,
  type HubHealthAnswer,
} from '@gatewarden/shared/wire/console/hub-health.ts';
import { Button } from '@mantine/core';
import { useResource } from '../api/tenant.ts';
import { Badge } from '../ui/Badges.tsx';
import { type Column, DataTable } from '../ui/DataTable.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Name } from '../ui/Name.tsx';
import { Section } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { AdminsOnly } from './AdminsOnly.tsx';
import { jobLabel } from './job-labels.ts';
import { settingsTexts } from './texts.ts';

const words = settingsTexts.health;

export function HubHealthPage() {
  return (
    <AdminsOnly title={words.title} lead={words.lead}>
      <HealthReport />
    </AdminsOnly>
  );
}

function HealthReport() {
  const answer = useResource<HubHealthAnswer>('hub-health', '/hub-health');
  const health = shownOf(answer)?.health;
  return (
    <div className="gw-stack">
      <div className="gw-filters">
        <Button variant="default" loading={answer.isFetching} onClick={() => void answer.refetch()}>
          {words.reload}
        </Button>
        {health === undefined ? null : (
          <span className="gw-dimmed">
            {words.readAt} <Time at={health.read_at} />
          </span>
        )}
      </div>
      <Waiting answer={answer} />
      {health === undefined ? null : <Shown health={health} />}
    </div>
  );
}

const JOBS: readonly Column<HubHealth['jobs'][number]>[] = [
  {
    key: 'name',
    weight: 2,
    header: words.job,
    render: (row) => <Name value={jobLabel(row.name)} />,
  },
  { key: 'cron', header: words.cron, render: (row) => <Name value={row.cron} mono /> },
  { key: 'last', header: words.lastRun, render: (row) => <Time at={row.last_completed_at} /> },
  { key: 'waiting', header: words.waiting, align: 'end', render: (row) => row.waiting },
  { key: 'failed', header: words.failed, align: 'end', render: (row) => row.failed },
];

function Shown({ health }: { health: HubHealth }) {
  const { database, migrations, deliveries, logs } = health;
  return (
    <>
      <div className="gw-card gw-section" role="status" data-testid="health-problems">
        {health.problems.length === 0 ? (
          <Badge tone="good" dot>
            {words.good}
          </Badge>
        ) : (
          <ul className="gw-flat">
            {health.problems.map((problem) => (
              <li key={problem}>
                <Badge tone="bad" dot>
                  {words.problem}
                </Badge>{' '}
                {words.problems[problem]}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Section title={words.hub}>
        <Facts>
          <Fact name={words.version}>{health.version}</Fact>
          <Fact name={words.started}>
            <Time at={health.started_at} />
          </Fact>
          <Fact name={words.database}>{database.version}</Fact>
          <Fact name={words.answer}>{words.ms(database.answer_ms)}</Fact>
          {database.disk_free_bytes !== null && (
            <Fact name={words.disk}>
              {words.diskText(Math.floor(database.disk_free_bytes / 1e8) / 10)}
            </Fact>
          )}
          <Fact name={words.connections}>
            {words.connectionsText(
              database.connections.used,
              database.connections.idle,
              database.connections.waiting,
            )}
          </Fact>
          <Fact name={words.live}>{health.live ? words.isLive : words.isNotLive}</Fact>
          {/* A hub of the previous release omits the field. */}
          {health.settings_differ?.length > 0 ? (
            <Fact name={words.settingsDiffer}>
              <Name value={health.settings_differ.join(', ')} mono />
            </Fact>
          ) : null}
          <Fact name={words.backup}>
            {health.last_backup_at === null ? (
              words.backupUnknown
            ) : (
              <Time at={health.last_backup_at} />
            )}
          </Fact>
          <Fact name={words.proof}>
            {health.last_proof === null ? (
              words.proofNone
            ) : (
              <>
                <Time at={health.last_proof.at} />
                <div>{words.proofText(health.last_proof.failed, health.last_proof.version)}</div>
              </>
            )}
          </Fact>
          <Fact name={words.migrations} wide>
            {words.migrationsText(migrations.done, migrations.latest)}
            {migrations.missing.length === 0 ? null : (
              <div>{words.missing(migrations.missing)}</div>
            )}
            {migrations.unknown.length === 0 ? null : (
              <div>{words.unknownOnes(migrations.unknown)}</div>
            )}
          </Fact>
        </Facts>
      </Section>
      <Section title={words.here}>
        <Facts>
          <Fact name={words.feed}>{words.feedText(health.feed.number)}</Fact>
          <Fact name={words.devices}>{words.devicesText(health.feed)}</Fact>
          <Fact name={words.deliveries}>
            {words.deliveriesText(upTo(deliveries.waiting), upTo(deliveries.failed))}
          </Fact>
          {deliveries.oldest_waiting_at === null ? null : (
            <Fact name={words.oldest}>
              <Time at={deliveries.oldest_waiting_at} />
            </Fact>
          )}
          <Fact name={words.requests}>
            <Rows count={logs.llm_requests} latest={logs.latest_llm_request_at} />
          </Fact>
          <Fact name={words.calls}>
            <Rows count={logs.tool_calls} latest={logs.latest_tool_call_at} />
          </Fact>
        </Facts>
      </Section>
      <Section title={words.jobs}>
        <DataTable
          caption={words.jobs}
          columns={JOBS}
          rows={health.jobs}
          rowKey={(row) => row.name}
          rowTestId="job-row"
        />
      </Section>
    </>
  );
}

function Rows({ count, latest }: { count: number; latest: string | null }) {
  return (
    <>
      {upTo(count)} ({latest === null ? words.noneToday : words.latest}
      {latest === null ? null : (
        <>
          {' '}
          <Time at={latest} />
        </>
      )}
      )
    </>
  );
}

const upTo = (count: number): string =>
  count >= HEALTH_MOST ? words.more(HEALTH_MOST) : count.toLocaleString('en-GB');
