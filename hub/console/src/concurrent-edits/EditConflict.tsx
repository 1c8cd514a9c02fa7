// The notice of an edit conflict: another user changed the record, and the fields that both users changed.
import { ConflictBox } from '../policies/ConflictBox.tsx';
import { Name } from '../ui/Name.tsx';
import { visible } from '../ui/visible.ts';
import { editConflictTexts as t } from './texts.ts';
import type { Both } from './three-way-merge.ts';
import '../policies/policies.css';

interface EditConflictProps {
  /** Null renders nothing. */
  both: readonly Both[] | null;
  /** Returns the label of a field; it may contain a name that a user chose. */
  labelOf: (path: readonly string[]) => string;
  /** The address that a removed secret would have been sent to. */
  address?: string | null;
}

export function EditConflict({ both, labelOf, address = null }: EditConflictProps) {
  if (both === null) return null;
  return (
    <ConflictBox title={t.title}>
      <p>{t.text}</p>
      {address === null ? null : <p>{t.secretTakenOut(address)}</p>}
      {both.length === 0 ? null : (
        <>
          <p>{t.both}</p>
          <ul className="gw-plain-list gw-small">
            {both.map(({ path, now }) => (
              <li key={path.join('/')}>
                <bdi>{visible(labelOf(path))}</bdi>: <Name value={textOf(now)} clamp />
              </li>
            ))}
          </ul>
        </>
      )}
    </ConflictBox>
  );
}

function textOf(now: unknown): string {
  if (now === undefined || now === null || now === '') return t.nowEmpty;
  if (Array.isArray(now) && now.every((item) => typeof item === 'string')) {
    return now.length === 0 ? t.nowEmpty : t.nowSays(now.join(', '));
  }
  return t.nowSays(typeof now === 'object' ? JSON.stringify(now) : String(now));
}
