// What people decided already about the same thing, in whatever words: who, what, and why; and what they decided about it
// for others.
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

/** In the preview: nobody decides a second time without knowing of the first. */
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

/** In the preview: what holds for others hinders nothing, but who decides wants to know of it. */
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

/** After the hub refused: somebody decided while this person looked. */
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
