// Cells with the subject and the outcome of an access request, for reviewers and for the requesting user.
import type { OwnAccessRequest } from '@gatewarden/shared/wire/console/access-requests.ts';
import { Badge, type Tone } from '../ui/Badges.tsx';
import { Name } from '../ui/Name.tsx';
import { Time, useHasPassed } from '../ui/Time.tsx';
import { UserLink } from '../users/UserLink.tsx';
import { requestTexts as words } from './texts.ts';

const TONES: Record<OwnAccessRequest['state'], Tone> = {
  open: 'info',
  granted: 'good',
  declined: 'bad',
  withdrawn: 'plain',
};

export const aboutRequest = (row: OwnAccessRequest): string =>
  row.application_name ?? row.process_name ?? row.entity_id ?? '';

/** Writes when access ends or, in the past tense, ended. */
function Ending({ at }: { at: string }) {
  const hasEnded = useHasPassed(at);
  return (
    <>
      {hasEnded ? words.ended : words.ends} <Time at={at} />
    </>
  );
}

export function Outcome({ row }: { row: OwnAccessRequest }) {
  return (
    <div>
      <Badge tone={TONES[row.state]} dot>
        {words.states[row.state]}
      </Badge>{' '}
      {row.ends_at === null ? null : (
        <span className="gw-dimmed gw-small">
          <Ending at={row.ends_at} />
        </span>
      )}
      {row.answer === null ? null : (
        <div>
          <Name value={row.answer} clamp />
        </div>
      )}
      {row.decided_by === null ? null : (
        <div className="gw-dimmed gw-small">
          <UserLink value={row.decided_by} /> <Time at={row.decided_at} />
        </div>
      )}
    </div>
  );
}
