// The state of a route and of a delivery, each word with one tone everywhere.
import type { AlertDelivery, AlertRoute } from '@gatewarden/shared/wire/console/alert-routes.ts';
import { texts } from '../texts.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { Time } from '../ui/Time.tsx';

const HEALTH_TONES: Record<AlertRoute['health']['state'], Tone> = {
  untried: 'plain',
  ok: 'good',
  retrying: 'warn',
  failing: 'bad',
  gone: 'bad',
};
const DELIVERY_TONES: Record<AlertDelivery['state'], Tone> = {
  pending: 'info',
  delivered: 'good',
  failed: 'bad',
};

export function RouteState({ route }: { route: AlertRoute }) {
  const { state, last_error: error, failing_since: since } = route.health;
  const isTroubled = state === 'retrying' || state === 'failing' || state === 'gone';
  return (
    <div>
      <span className="gw-inline-badges">
        {route.enabled ? null : <Badge tone="plain">{texts.routes.disabled}</Badge>}
        <Badge tone={HEALTH_TONES[state]} dot>
          {texts.routes.health[state]}
        </Badge>
      </span>
      {isTroubled && error !== null ? (
        <div className="gw-dimmed gw-small">
          {error}
          {since === null ? null : (
            <>
              {` · ${texts.routes.since} `}
              <Time at={since} />
            </>
          )}
        </div>
      ) : null}
    </div>
  );
}

export function DeliveryState({ delivery }: { delivery: AlertDelivery }) {
  const { state, attempts, next_attempt_at: next, last_error: error } = delivery;
  const isRepeated = state === 'pending' && error !== null;
  return (
    <div>
      <Badge tone={isRepeated ? 'warn' : DELIVERY_TONES[state]} dot>
        {isRepeated ? texts.routes.retrying : texts.routes.deliveryStates[state]}
      </Badge>
      <div className="gw-dimmed gw-small">
        {texts.routes.attempts(attempts)}
        {isRepeated && next !== null ? (
          <>
            {` · ${texts.routes.next} `}
            <Time at={next} due={texts.ui.due} />
          </>
        ) : null}
      </div>
    </div>
  );
}
