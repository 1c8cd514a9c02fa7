// Why something was not stored: somebody else was quicker, in words; or what the hub said.
import { isOvertaken } from '../api/client.ts';
import { ConflictBox } from '../decisions/ConflictBox.tsx';
import { texts } from '../texts.ts';
import { ErrorPanel } from './ErrorPanel.tsx';
import '../decisions/decisions.css';

interface RefusalProps {
  /** Null draws nothing. */
  error: unknown;
  /** What is said where somebody else was quicker. */
  conflict: string;
  conflictTitle?: string;
  /** Words for a refusal that needs no code and no request id. */
  known?: string | null;
}

export function Refusal({ error, conflict, conflictTitle, known = null }: RefusalProps) {
  if (error === null) return null;
  const said = isOvertaken(error) ? conflict : known;
  return said === null ? (
    <ErrorPanel error={error} title={texts.errors.notSaved} />
  ) : (
    <ConflictBox title={conflictTitle ?? texts.errors.notSaved}>
      <p>{said}</p>
    </ConflictBox>
  );
}
