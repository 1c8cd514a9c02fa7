// Says that somebody else changed what a form is about, and what both changed.
import { ConflictBox } from '../decisions/ConflictBox.tsx';
import { Name } from '../ui/Name.tsx';
import { visible } from '../ui/visible.ts';
import { editConflictTexts as t } from './texts.ts';
import type { Both } from './three-way-merge.ts';
import '../decisions/decisions.css';

interface EditConflictProps {
  /** Null draws nothing. */
  both: readonly Both[] | null;
  /** What the form calls it; a name of a person's may be part of it. */
  labelOf: (path: readonly string[]) => string;
  /** Where a secret that was taken out would have gone. */
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
