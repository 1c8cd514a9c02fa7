// What people decided already about the same thing for the same scope: who, what, and why.
import type { Preview } from '@gatewarden/shared/wire/console/overrides.ts';
import { texts } from '../texts.ts';
import { ApprovalBadge, PolicyBadge } from '../ui/Badges.tsx';
import { Name } from '../ui/Name.tsx';
import { Time } from '../ui/Time.tsx';
import { ConflictBox } from './ConflictBox.tsx';
import { MatchText } from './MatchText.tsx';

interface StandingProps {
  standing: Preview['standing'];
  /** Names what each is about: where several things are decided together. */
  named?: boolean;
}

function StandingList({ standing, named = false }: StandingProps) {
  return (
    <ul className="gw-plain-list">
      {standing.items.map((one) => (
        <li key={one.override_id} data-testid="standing">
          {named ? (
            <>
              <MatchText match={one.match} />:{' '}
            </>
          ) : null}
          <ApprovalBadge status={one.approval_status} />{' '}
          <PolicyBadge policy={one.execution_policy} /> · <Name value={one.updated_by} />,{' '}
          <Time at={one.updated_at} />
          {one.reason === null ? null : (
            <div className="gw-dimmed gw-small">
              <Name value={one.reason} clamp />
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
export function Standing({ standing, named = false }: StandingProps) {
  if (standing.count === 0) return null;
  return (
    <div data-testid="standing-already">
      {texts.preview.standing(standing.count)}
      <StandingList standing={standing} named={named} />
      <p className="gw-dimmed gw-small gw-flat">{texts.preview.strictest}</p>
    </div>
  );
}

/** After the hub refused: somebody decided while this person looked. */
export function DecidedMeanwhile({ standing }: Pick<StandingProps, 'standing'>) {
  return (
    <ConflictBox title={texts.decide.meanwhileTitle}>
      <p>{texts.decide.meanwhileText}</p>
      {standing.count === 0 ? (
        <p>{texts.decide.meanwhileGone}</p>
      ) : (
        <StandingList standing={standing} />
      )}
    </ConflictBox>
  );
}
