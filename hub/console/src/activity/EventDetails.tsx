// The details of an enforcement event, with links to its app, device, user and policy.
import type { ActivityList, ActivityRow } from '@gatewarden/shared/wire/console/alerts.ts';
import { Link } from '@tanstack/react-router';
import { useResource, useTenant } from '../api/tenant.ts';
import { ApplicationLink } from '../applications/ApplicationLink.tsx';
import { DeviceLink } from '../devices/DeviceLink.tsx';
import { stateLabel } from '../labels.ts';
import { texts } from '../texts.ts';
import { PolicyBadge } from '../ui/Badges.tsx';
import { Fact, Facts } from '../ui/Facts.tsx';
import { Empty } from '../ui/ListView.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { visible } from '../ui/visible.ts';
import { shownOf, Waiting } from '../ui/Waiting.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { WhyButton } from '../why/WhyButton.tsx';
import { activityTexts as t } from './texts.ts';

/** `address`: `<activity_id>.<device_id>`, as the URL has it. */
export function EventDetails({ address }: { address: string }) {
  const [activity_id = '', device_id] = address.split('.');
  const answer = useResource<ActivityList>('activity', '/activity', { activity_id, device_id });
  const event = shownOf(answer)?.items[0];
  return (
    <>
      <Waiting answer={answer} />
      {answer.isSuccess && event === undefined ? <Empty title={t.removed} /> : null}
      {event === undefined ? null : <EventFacts event={event} />}
    </>
  );
}

function EventFacts({ event }: { event: ActivityRow }) {
  const { tenantId } = useTenant();
  const name = visible(event.application_name ?? event.process.name);
  return (
    <div className="gw-form" data-testid="event">
      <Facts>
        <Fact name={texts.activity.process}>
          <ApplicationLink entityId={event.entity_id} name={name} />
        </Fact>
        <Fact name={texts.activity.decision}>
          <PolicyBadge policy={event.decision} />
        </Fact>
        <Fact name={texts.activity.outcome}>
          {stateLabel(event.outcome)},{' '}
          {event.enforced ? texts.activity.enforced : texts.activity.notEnforced}
        </Fact>
        <Fact name={texts.activity.when}>
          <Time at={event.decided_at} full />
        </Fact>
        <Fact name={texts.activity.device}>
          <DeviceLink deviceId={event.device_id} hostname={event.hostname} />
        </Fact>
        <Fact name={texts.activity.user}>
          <UserLink value={event.subscriber_id} isIdentity clamp={false} />
        </Fact>
        <Fact name={t.received}>
          <Time at={event.received_at} full />
        </Fact>
        {event.override_id === null ? null : (
          <Fact name={t.policy}>
            <Link
              to="/t/$tenantId/policies"
              params={{ tenantId }}
              search={{ override_id: event.override_id }}
              className="gw-link"
            >
              {t.showPolicy}
            </Link>
          </Fact>
        )}
        <Fact name={t.executable} wide>
          <Name value={event.process.executable_path ?? event.process.name} mono />{' '}
          <span className="gw-num">{texts.activity.pid(event.process.pid)}</span>
        </Fact>
        <Fact name={t.id} wide>
          <Name value={event.activity_id} mono />
        </Fact>
      </Facts>
      <div className="gw-form-end">
        <WhyButton of={`activity.${event.activity_id}.${event.device_id}`} name={name} />
      </div>
    </div>
  );
}
