// Merges a partial scan into the last result. Pure. All sightings of a product come from the same source, so a source
// that was read again everywhere replaces its part, and the other parts stay.
import type { ScanResult } from './entity-assembler.ts';

/** The scan, with the part of these sources in the place of theirs. */
export function replacePart(
  scan: ScanResult,
  part: ScanResult,
  sources: ReadonlySet<string>,
): ScanResult {
  const keep = <T>(list: readonly T[], sourceOf: (t: T) => string) =>
    list.filter((item) => !sources.has(sourceOf(item)));
  return {
    startedAt: part.startedAt,
    durationMs: part.durationMs,
    entities: [...keep(scan.entities, (entity) => entity.wire.source), ...part.entities].sort(
      (a, b) => (a.wire.entity_id < b.wire.entity_id ? -1 : 1),
    ),
    coverage: inPlace(scan.coverage, part.coverage, sources),
    problems: [...keep(scan.problems, (problem) => problem.source), ...part.problems],
  };
}

/** Keeps the order of the scan, so that equal results compare equal. */
function inPlace<T extends { source: string; owner: string | null }>(
  before: readonly T[],
  now: readonly T[],
  sources: ReadonlySet<string>,
): T[] {
  const keyOf = (t: T) => JSON.stringify([t.source, t.owner]);
  const left = new Map(now.map((current) => [keyOf(current), current]));
  const placed = before.flatMap((previous) => {
    if (!sources.has(previous.source)) return [previous];
    const replacement = left.get(keyOf(previous));
    left.delete(keyOf(previous));
    return replacement ?? [];
  });
  return [...placed, ...left.values()];
}
