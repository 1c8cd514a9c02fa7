// Beside a refusal: what has a secret that is told once may be there although no answer came.
import { mayBeStored } from '../api/idempotency.ts';
import { texts } from '../texts.ts';

export function MayBeMade({ error }: { error: unknown }) {
  if (error === null || !mayBeStored(error)) return null;
  return <p className="gw-flat gw-small">{texts.ui.mayBeMade}</p>;
}
