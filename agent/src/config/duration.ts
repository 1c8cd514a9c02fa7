// Durations as people write them in agent.toml: "500ms", "2s", "30m", "1h", "1d".

const UNIT_MS: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of a written duration, or null where it is none. */
export function parseDuration(text: string): number | null {
  const found = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim());
  const unit = UNIT_MS[found?.[2] ?? ''];
  return found === null || unit === undefined ? null : Number(found[1]) * unit;
}
