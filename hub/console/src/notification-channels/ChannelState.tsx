// The state of a channel and of a delivery. Each state has the same color on every page.
import type {
  NotificationChannel,
  NotificationDelivery,
} from '@gatewarden/shared/wire/console/notification-channels.ts';
import { texts } from '../texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { Time } from '../ui/Time.tsx';

const HEALTH_TONES: Record<NotificationChannel['health']['state'], Tone> = {
  untried: 'plain',
  ok: 'good',
  retrying: 'warn',
  failing: 'bad',
  gone: 'bad',
};
const DELIVERY_TONES: Record<NotificationDelivery['state'], Tone> = {
  pending: 'info',
  delivered: 'good',
  failed: 'bad',
};

export function ChannelState({ channel }: { channel: NotificationChannel }) {
  const { state, last_error: error, failing_since: since } = channel.health;
  const isFailing = state === 'retrying' || state === 'failing' || state === 'gone';
  return (
    <div>
      <span className="gw-inline-badges">
        {channel.enabled ? null : <Badge tone="plain">{texts.channels.disabled}</Badge>}
        <Badge tone={HEALTH_TONES[state]} dot>
          {texts.channels.health[state]}
        </Badge>
      </span>
      {isFailing && error !== null ? (
        <div className="gw-dimmed gw-small">
          {error}
          {since === null ? null : (
            <>
              {` · ${texts.channels.since} `}
              <Time at={since} />
            </>
          )}
        </div>
      ) : null}
    </div>
  );
}

export function DeliveryState({ delivery }: { delivery: NotificationDelivery }) {
  const { state, attempts, next_attempt_at: next, last_error: error } = delivery;
  const isRepeated = state === 'pending' && error !== null;
  return (
    <div>
      <Badge tone={isRepeated ? 'warn' : DELIVERY_TONES[state]} dot>
        {isRepeated ? texts.channels.retrying : texts.channels.deliveryStates[state]}
      </Badge>
      <div className="gw-dimmed gw-small">
        {texts.channels.attempts(attempts)}
        {isRepeated && next !== null ? (
          <>
            {` · ${texts.channels.next} `}
            <Time at={next} due={texts.ui.due} />
          </>
        ) : null}
      </div>
    </div>
  );
}
