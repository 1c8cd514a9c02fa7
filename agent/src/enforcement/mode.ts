// What the agent may do right now: the least of what its configuration, the hub, the kill switch and the breaker allow.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomically } from '../config/atomic-file.ts';
import type { EnforcementMode } from '../config/toml.ts';

const RANK: Record<EnforcementMode, number> = { off: 0, monitor: 1, enforce: 2 };

/** The strictest limit decides. */
export function effectiveMode(limits: {
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
}): EnforcementMode {
  const modes: EnforcementMode[] = [
    limits.configured,
    limits.ceiling,
    limits.killSwitch ? 'off' : 'enforce',
    limits.breaker === 'open' || limits.crashLoop || limits.paused || limits.untested
      ? 'monitor'
      : 'enforce',
  ];
  return modes.reduce((least, mode) => (RANK[mode] < RANK[least] ? mode : least));
}

export interface KillSwitch {
  isOff(): boolean;
  turnOff(): void;
  turnOn(): void;
}

/** A file in the data folder, so that it also works where the agent does not answer. */
export function openKillSwitch(dataDir: string): KillSwitch {
  const file = join(dataDir, 'kill-switch');
  return {
    isOff: () => existsSync(file),
    turnOff: () =>
      writeFileAtomically(
        file,
        'enforcement is off; "gatewarden on" takes this file away\n',
        0o600,
      ),
    turnOn: () => rmSync(file, { force: true }),
  };
}
