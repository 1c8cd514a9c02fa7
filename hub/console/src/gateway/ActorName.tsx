// The actor of a change: a user by e-mail address, any other actor by its kind.
import type { ActorWire } from '@gatewarden/shared/wire/management/common.ts';
import { UserLink } from '../users/UserLink.tsx';
import { gatewayTexts } from './texts.ts';

export function ActorName({ actor }: { actor: ActorWire }) {
  return (
    <>
      <UserLink value={actor.email ?? actor.id} />
      {actor.kind === 'person' ? null : (
        <div className="gw-dimmed gw-small">
          {gatewayTexts.audit.kinds[actor.kind] ?? actor.kind}
        </div>
      )}
    </>
  );
}
