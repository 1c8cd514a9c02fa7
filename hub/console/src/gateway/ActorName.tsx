// Who did something: a person by e-mail, anything else by what it is.
import type { ActorWire } from '@gatewarden/shared/wire/management/common.ts';
import { Name } from '../ui/Name.tsx';
import { gatewayTexts } from './texts.ts';

export function ActorName({ actor }: { actor: ActorWire }) {
  return (
    <>
      <Name value={actor.email ?? actor.id} clamp />
      {actor.kind === 'person' ? null : (
        <div className="gw-dimmed gw-small">
          {gatewayTexts.audit.kinds[actor.kind] ?? actor.kind}
        </div>
      )}
    </>
  );
}
