// Detects two machines with the same id, name and platform: each counts its own scans, so the numbers alternate. Pure.

/** A scan with the number that its device gave it. */
export interface NumberedScan {
  seq: number;
  /** Time of the device's clock. */
  startedAt: Date;
}

/** The scan number series of a device. */
export interface ScanSequence {
  /** The scan that counts as the device's newest; null where it has no number of the device's own. */
  highest: NumberedScan | null;
  /** The last that began after the highest of its time, and yet had no higher number. */
  lowerSequence: (NumberedScan & { heardAt: Date }) | null;
}

const DAY_MS = 86_400_000;
/** An agent scans in full once a day at least: within two each of two machines is heard again. */
const SEQUENCE_MEMORY_MS = 2 * DAY_MS;

/**
 * Returns the series after this scan; `isTwo` if a single machine cannot count like that: a lower series began,
 * the higher one went on, and then the lower one did. A machine that was put back once counts from there and up; one that is
 * put back to the same state again and again never goes on from where it last came to. What comes late began earlier, by
 * the clock that numbered it, and proves nothing.
 */
export function observeScanSequence(
  { highest, lowerSequence: remembered }: ScanSequence,
  scan: NumberedScan & { isHighest: boolean },
  now: Date,
): ScanSequence & { isTwo: boolean } {
  const { seq, startedAt } = scan;
  const lower = remembered !== null && hasExpired(remembered, now) ? null : remembered;
  if (scan.isHighest) return { highest: { seq, startedAt }, lowerSequence: lower, isTwo: false };
  const isLate = highest === null || startedAt <= highest.startedAt;
  if (isLate) return { highest, lowerSequence: lower, isTwo: false };
  const heard = { seq, startedAt, heardAt: now };
  if (lower === null) return { highest, lowerSequence: heard, isTwo: false };
  if (seq <= lower.seq) {
    return { highest, lowerSequence: startedAt > lower.startedAt ? heard : lower, isTwo: false };
  }
  return { highest, lowerSequence: heard, isTwo: highest.startedAt > lower.startedAt };
}

const hasExpired = (lower: { heardAt: Date }, now: Date): boolean =>
  now.getTime() - lower.heardAt.getTime() > SEQUENCE_MEMORY_MS;
