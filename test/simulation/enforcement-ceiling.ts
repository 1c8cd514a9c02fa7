// The enforcement that the hub allows, as a device that follows it knows: a stop counts from its page on, its end once that
// page is stored.
import { allowsLess } from '@gatewarden/agent/src/enforcement/enforcement-mode.ts';
import type { EnforcementCeiling } from '@gatewarden/shared/wire/vocabulary.ts';
import { isUnfinished, remembered, waitingPages } from './file.ts';

export class Ceiling {
  now: EnforcementCeiling = 'enforce';
  private end: { ceiling: EnforcementCeiling; cursor: string } | null = null;

  heard(ceiling: EnforcementCeiling, cursor: string): void {
    this.end = allowsLess(this.now, ceiling) ? { ceiling, cursor } : null;
    if (this.end === null) this.now = ceiling;
  }

  /** A run begins with the ceiling that the agent stored. */
  begins(written: EnforcementCeiling | null): void {
    this.now = written ?? 'enforce';
    this.end = null;
  }

  /** True where an agent may be in this mode now. */
  allows(mode: EnforcementCeiling): boolean {
    const { end } = this;
    if (end?.ceiling === mode && end.cursor === remembered('cursor')) {
      if (isUnfinished() || waitingPages() > 0) return false;
      this.begins(mode);
    }
    return mode === this.now;
  }
}
