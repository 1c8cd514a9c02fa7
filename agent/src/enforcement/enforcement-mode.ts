// The enforcement mode: the strictest of what configuration, hub, kill switch, breaker and other limits allow.
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ENFORCEMENT_LIMITS, type EnforcementLimit } from '@gatewarden/shared/wire/vocabulary.ts';
import type { EnforcementMode } from '../config/agent-config.ts';
import { writeFileAtomically } from '../config/atomic-file.ts';
import { messageOf, PlainError } from '../runtime/errors.ts';

const RANK: Record<EnforcementMode, number> = { off: 0, monitor: 1, enforce: 2 };

/** True where the first forbids something that the second allows. */
export const allowsLess = (mode: EnforcementMode, other: EnforcementMode): boolean =>
  RANK[mode] < RANK[other];

export interface Limits {
  configured: EnforcementMode;
  ceiling: EnforcementMode;
  killSwitch: boolean;
  breaker: 'open' | 'closed';
  /** The agent ended unexpectedly again and again: it may be enforcing that ends it. */
  crashLoop: boolean;
  /** The person at the device asked for it, and may. */
  paused: boolean;
  /** Nobody has tried enforcing on this platform, and nobody here allowed it. */
  untested: boolean;
}

const ALLOWED_BY: Record<EnforcementLimit, (limits: Limits) => EnforcementMode> = {
  configuration: ({ configured }) => configured,
  hub: ({ ceiling }) => ceiling,
  kill_switch: ({ killSwitch }) => (killSwitch ? 'off' : 'enforce'),
  breaker: ({ breaker }) => (breaker === 'open' ? 'monitor' : 'enforce'),
  crash_loop: ({ crashLoop }) => (crashLoop ? 'monitor' : 'enforce'),
  pause: ({ paused }) => (paused ? 'monitor' : 'enforce'),
  untested_platform: ({ untested }) => (untested ? 'monitor' : 'enforce'),
};

/** The strictest limit decides. */
export function effectiveMode(limits: Limits): EnforcementMode {
  const modes = ENFORCEMENT_LIMITS.map((limit) => ALLOWED_BY[limit](limits));
  return modes.reduce((least, mode) => (allowsLess(mode, least) ? mode : least));
}

/** Returns the limits that keep the mode below `enforce`; none while it enforces. */
export function limitedBy(limits: Limits): EnforcementLimit[] {
  const mode = effectiveMode(limits);
  if (mode === 'enforce') return [];
  return ENFORCEMENT_LIMITS.filter((limit) => ALLOWED_BY[limit](limits) === mode);
}

export interface KillSwitch {
  isOff(): boolean;
  turnOff(): void;
  turnOn(): void;
}

/** A file in the data folder, so that it also works where the agent does not answer. */
export function openKillSwitch(dataDir: string): KillSwitch {
  const file = join(dataDir, 'kill-switch');
  /** The switch takes effect before the disk has room for its file. */
  let isUnwritten = false;
  return {
    isOff: () => isUnwritten || existsSync(file),
    turnOff() {
      isUnwritten = true;
      try {
        writeFileAtomically(
          file,
          'enforcement is off; "gatewarden on" takes this file away\n',
          0o600,
        );
      } catch (error) {
        markEmpty(file, messageOf(error));
      }
      // From here on the file alone decides: who takes it away turns enforcement on again.
      isUnwritten = false;
    },
    turnOn() {
      isUnwritten = false;
      rmSync(file, { force: true });
    },
  };
}

/** An empty file needs no room on a full disk, and has the same effect. */
function markEmpty(file: string, reason: string): void {
  try {
    closeSync(openSync(file, 'a', 0o600));
  } catch {
    throw new PlainError(`it is off only in an agent that runs now, for ${file}: ${reason}`);
  }
}
