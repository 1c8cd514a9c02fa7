// The error of a failed save: an edit conflict in words, or the hub's message.
import { isOvertaken } from '../api/client.ts';
import { ConflictBox } from '../policies/ConflictBox.tsx';
import { texts } from '../texts.ts';
import { ErrorPanel } from './ErrorPanel.tsx';
import '../policies/policies.css';

interface RefusalProps {
  /** Null renders nothing. */
  error: unknown;
  /** The text for an edit conflict. */
  conflict: string;
  conflictTitle?: string;
  /** Returns the text for an error that is shown without code and request id. */
  known?: string | null;
}

export function Refusal({ error, conflict, conflictTitle, known = null }: RefusalProps) {
  if (error === null) return null;
  const message = isOvertaken(error) ? conflict : known;
  return message === null ? (
    <ErrorPanel error={error} title={texts.errors.notSaved} />
  ) : (
    <ConflictBox title={conflictTitle ?? texts.errors.notSaved}>
      <p>{message}</p>
    </ConflictBox>
  );
}
