// The impact of a policy by device and user, before it is stored.
import { endsProcesses } from '@gatewarden/shared/policy.ts';
import type { PreviewAnswer } from '@gatewarden/shared/wire/console/overrides.ts';
import { Loader } from '@mantine/core';
import {
  IconAlertTriangle,
  IconDeviceDesktop,
  IconHistory,
  IconPlayerPlay,
  IconStack2,
  IconUser,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { texts } from '../texts.ts';
import { PolicyBadge } from '../ui/Badges.tsx';
import { ErrorPanel } from '../ui/ErrorPanel.tsx';
import { Name } from '../ui/Name.tsx';
import { MatchText } from './MatchText.tsx';
import type { Preview } from './preview.ts';
import { Elsewhere, Standing } from './Standing.tsx';
import './policies.css';

export function PreviewBox({ preview }: { preview: Preview }) {
  return (
    <section
      className="gw-preview"
      data-testid="preview"
      data-state={preview.state}
      aria-label={texts.preview.title}
      aria-busy={preview.state === 'loading'}
    >
      <h3>{texts.preview.title}</h3>
      <div aria-live="polite">
        <PreviewContent preview={preview} />
      </div>
    </section>
  );
}

function PreviewContent({ preview }: { preview: Preview }) {
  if (preview.state === 'waiting') return <p className="gw-dimmed">{texts.preview.waiting}</p>;
  if (preview.state === 'failed') {
    return (
      <ErrorPanel error={preview.error} title={texts.preview.failed} onRetry={preview.retry} />
    );
  }
  if (preview.state === 'loading' || preview.answer === undefined) {
    return (
      <p className="gw-dimmed gw-preview-line">
        <Loader size={16} aria-hidden /> {texts.preview.loading}
      </p>
    );
  }
  return <Touched answer={preview.answer} />;
}

/** The existing policies that precede the new policy, so that users do not expect an effect that will not happen. */
function Overruled({ overruled }: { overruled: PreviewAnswer['overruled'] }) {
  if (overruled.count === 0) return null;
  return (
    <div className="gw-preview-warning" data-testid="overruled">
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        {texts.preview.overruled}
        <ul className="gw-plain-list">
          {overruled.items.map((item) => (
            <li key={item.override_id}>
              {item.default_kind === null ? (
                <MatchText match={item.match} />
              ) : (
                texts.preview.defaultOf(texts.kinds[item.default_kind])
              )}{' '}
              <PolicyBadge policy={item.execution_policy} />{' '}
              {item.devices === 0 ? null : texts.preview.overruledOn(item.devices)}
            </li>
          ))}
        </ul>
        {overruled.count > overruled.items.length
          ? texts.preview.more(overruled.count - overruled.items.length)
          : null}
      </div>
    </div>
  );
}

/** States what the counts leave out. */
function Unsure({ processes, activity }: Pick<PreviewAnswer, 'processes' | 'activity'>) {
  const isLeast = processes.at_least || activity.at_least;
  if (!isLeast && processes.unhashed === 0) return null;
  return (
    <p className="gw-preview-warning" data-testid="preview-unsure">
      <IconAlertTriangle size={18} aria-hidden /> {isLeast ? texts.preview.atLeast : null}{' '}
      {processes.unhashed === 0 ? null : texts.preview.unhashed(processes.unhashed)}
    </p>
  );
}

/** An older hub returns no count, so that only the listed programs count. */
const endedOf = ({ ended, items }: PreviewAnswer['processes']): number =>
  ended ??
  items.filter(
    ({ current_policy, new_policy, guard_rail }) =>
      guard_rail === null && !endsProcesses(current_policy) && endsProcesses(new_policy),
  ).length;

function Touched({ answer }: { answer: NonNullable<Preview['answer']> }) {
  const { devices, people, groups, processes, activity } = answer;
  if (devices.count === 0 && processes.count === 0) {
    return (
      <>
        <Standing standing={answer.standing} />
        <Elsewhere elsewhere={answer.elsewhere} />
        <Overruled overruled={answer.overruled} />
        <Unsure processes={processes} activity={activity} />
        <p className="gw-dimmed">{texts.preview.nobody}</p>
      </>
    );
  }
  const ended = endedOf(processes);
  return (
    <>
      <Standing standing={answer.standing} />
      <Elsewhere elsewhere={answer.elsewhere} />
      <Overruled overruled={answer.overruled} />
      <Unsure processes={processes} activity={activity} />
      {ended > 0 ? (
        <p className="gw-preview-warning">
          <IconAlertTriangle size={18} aria-hidden /> {texts.preview.ends(ended)}
        </p>
      ) : null}
      <Group
        icon={<IconDeviceDesktop size={18} aria-hidden />}
        title={texts.preview.devices(devices.count)}
        hidden={devices.count - devices.items.length}
      >
        {devices.items.map((device) => (
          <li key={device.device_id}>
            <Name value={device.hostname} clamp />{' '}
            <span className="gw-dimmed">
              <Name value={device.subscriber_id} clamp />
            </span>
          </li>
        ))}
      </Group>
      <Group
        icon={<IconUser size={18} aria-hidden />}
        title={texts.preview.people(people.count)}
        hidden={people.count - people.items.length}
      >
        {people.items.map((person) => (
          <li key={person.subscriber_id}>
            <Name value={person.subscriber_id} clamp />
          </li>
        ))}
      </Group>
      {groups.count === 0 ? null : (
        <Group
          icon={<IconStack2 size={18} aria-hidden />}
          title={texts.preview.groups(groups.count)}
          hidden={groups.count - groups.items.length}
        >
          {groups.items.map((group) => (
            <li key={group.group_id}>
              <Name value={group.name} clamp />{' '}
              <span className="gw-dimmed">{texts.preview.inGroup(group.device_count)}</span>
            </li>
          ))}
        </Group>
      )}
      {activity.count === 0 ? null : (
        <Group
          icon={<IconHistory size={18} aria-hidden />}
          title={texts.preview.activity(activity.count)}
          hidden={0}
        >
          {activity.items.map((item) => (
            <li key={item.name}>
              <Name value={item.application_name ?? item.name} clamp />{' '}
              <span className="gw-dimmed">{texts.preview.times(item.count, item.devices)}</span>
            </li>
          ))}
        </Group>
      )}
      <Group
        icon={<IconPlayerPlay size={18} aria-hidden />}
        title={texts.preview.processes(processes.count)}
        hidden={processes.count - processes.items.length}
      >
        {processes.items.map((process, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same program may run twice on one device
          <li key={`${process.device_id} ${process.executable_path ?? process.name} ${index}`}>
            <Name value={process.name} clamp />{' '}
            <span className="gw-dimmed">
              {texts.preview.on} <Name value={process.hostname} />
            </span>{' '}
            <span className="gw-preview-change">
              <PolicyBadge policy={process.current_policy} />
              <span aria-hidden="true">→</span>
              <span className="gw-vh">{texts.preview.becomes}</span>
              <PolicyBadge policy={process.new_policy} />
            </span>
            {process.is_running ? null : (
              <span className="gw-dimmed gw-small"> {texts.preview.seenEarlier}</span>
            )}
            {process.guard_rail === null || !endsProcesses(process.new_policy) ? null : (
              <span className="gw-dimmed gw-small">
                {' '}
                {texts.preview.protectedBy(process.guard_rail.replaceAll('_', ' '))}
              </span>
            )}
          </li>
        ))}
      </Group>
    </>
  );
}

interface GroupProps {
  icon: ReactNode;
  title: string;
  /** The number of programs that the hub counted without listing them. */
  hidden: number;
  children: ReactNode;
}

function Group({ icon, title, hidden, children }: GroupProps) {
  return (
    <div className="gw-preview-group">
      <h4>
        {icon} {title}
      </h4>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls, and keyboards must reach it */}
      <ul className="gw-preview-names" tabIndex={0} aria-label={title}>
        {children}
        {hidden > 0 ? <li className="gw-dimmed">{texts.preview.more(hidden)}</li> : null}
      </ul>
    </div>
  );
}
