// The notice beside an error that a record with a secret may have been created although no response arrived.
import { mayBeStored } from '../api/idempotency.ts';
import { texts } from '../texts.ts';

export function MayBeMade({ error }: { error: unknown }) {
  if (error === null || !mayBeStored(error)) return null;
  return <p className="gw-flat gw-small">{texts.ui.mayBeMade}</p>;
}
