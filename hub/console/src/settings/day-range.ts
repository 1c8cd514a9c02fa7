// Days of the viewer as the hub takes times: from the first moment of one to the last of another. Pure.

/** What is no day is left out. */
export function dayRange(
  from: string | undefined,
  to: string | undefined,
): { from?: string; to?: string } {
  const [begin, end] = [startOf(from, 0), startOf(to, 1)];
  return { ...(begin === null ? {} : { from: begin }), ...(end === null ? {} : { to: end }) };
}

function startOf(day: string | undefined, daysOn: number): string | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day ?? '');
  if (parts === null) return null;
  const at = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + daysOn);
  const isKnown = at.getFullYear() >= 1970 && at.getFullYear() < 2999;
  return isKnown ? at.toISOString() : null;
}
