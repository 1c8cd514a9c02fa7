// A list of which the first hundred are shown, and a field that finds the others.
import { texts } from '../texts.ts';

const SHOWN_MAX = 100;

export function Search({
  label,
  wanted,
  setWanted,
  shown,
  count,
}: {
  label: string;
  wanted: string;
  setWanted: (wanted: string) => void;
  shown: number;
  count: number;
}) {
  return (
    <>
      <label className="search">
        {label}
        <input
          type="search"
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      </label>
      <p className="muted" role="status">
        {count === 0 ? texts.running.nothingFound : null}
        {shown < count ? texts.running.shown(shown, count) : null}
      </p>
    </>
  );
}

export function shownOf<T>(
  all: readonly T[],
  wanted: string,
  wordsOf: (t: T) => readonly string[],
): { shown: T[]; count: number } {
  const folded = wanted.trim().toLowerCase();
  const found =
    folded === ''
      ? all
      : all.filter((entry) => wordsOf(entry).some((word) => word.toLowerCase().includes(folded)));
  return { shown: found.slice(0, SHOWN_MAX), count: found.length };
}
