// Existing policies for the same app, with author and reason, and policies for the app in other scopes.

import type { Preview } from '@gatewarden/shared/wire/console/overrides.ts';
import { Link } from '@tanstack/react-router';
import { useTenant } from '../api/tenant.ts';
import { texts } from '../texts.ts';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { ConflictBox } from './ConflictBox.tsx';
import { MatchText, ScopeText } from './MatchText.tsx';
import { PolicyStepBadge } from './PolicyStepBadge.tsx';

interface StandingProps {
  standing: Preview['standing'];
}

function StandingList({ standing }: StandingProps) {
  return (
    <ul className="gw-plain-list">
      {standing.items.map((item) => (
        <li key={item.override_id} data-testid="standing">
          <MatchText match={item.match} />
          <div>
            <PolicyStepBadge policy={item} /> · <Name value={item.updated_by} />,{' '}
            <Time at={item.updated_at} />
          </div>
          {item.reason === null ? null : (
            <div className="gw-dimmed gw-small">
              <Name value={item.reason} clamp />
            </div>
          )}
        </li>
      ))}
      {standing.count > standing.items.length ? (
        <li className="gw-dimmed">{texts.preview.more(standing.count - standing.items.length)}</li>
      ) : null}
    </ul>
  );
}

/** The existing policies of the same scope, in the preview. */
export function Standing({ standing }: StandingProps) {
  if (standing.count === 0) return null;
  return (
    <div data-testid="standing-already">
      {texts.preview.standing(standing.count)}
      <StandingList standing={standing} />
      <p className="gw-dimmed gw-small gw-flat">{texts.preview.strictest}</p>
    </div>
  );
}

/** The policies of other scopes, in the preview. They do not prevent the new policy. */
export function Elsewhere({ elsewhere }: Pick<Preview, 'elsewhere'>) {
  const { tenantId } = useTenant();
  if (elsewhere.count === 0) return null;
  return (
    <div data-testid="decided-elsewhere">
      {texts.preview.elsewhere(elsewhere.count)}
      <ul className="gw-plain-list">
        {elsewhere.items.map((item) => (
          <li key={item.override_id}>
            <div>
              <ScopeText scope={item.scope} />
            </div>
            <MatchText match={item.match} />
            <div>
              <PolicyStepBadge policy={item} /> ·{' '}
              <Link
                to="/t/$tenantId/policies"
                params={{ tenantId }}
                search={{ override_id: item.override_id }}
                className="gw-link"
              >
                {texts.preview.showDecision}
              </Link>
            </div>
          </li>
        ))}
        {elsewhere.count > elsewhere.items.length ? (
          <li className="gw-dimmed">
            {texts.preview.more(elsewhere.count - elsewhere.items.length)}
          </li>
        ) : null}
      </ul>
    </div>
  );
}

/** The notice after an edit conflict: another user set a policy meanwhile. */
export function DecidedMeanwhile({ standing }: Pick<StandingProps, 'standing'>) {
  const { email } = useTenant();
  const isMine = standing.count > 0 && standing.items.every((item) => item.updated_by === email);
  return (
    <ConflictBox title={isMine ? texts.decide.meanwhileMineTitle : texts.decide.meanwhileTitle}>
      <p>{isMine ? texts.decide.meanwhileMineText : texts.decide.meanwhileText}</p>
      {standing.count === 0 ? (
        <p>{texts.decide.meanwhileGone}</p>
      ) : (
        <StandingList standing={standing} />
      )}
    </ConflictBox>
  );
}
