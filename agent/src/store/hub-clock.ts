// The hub's time on this device: its last `server_time` plus the time that has passed since, stored over restarts,
// never running backwards. Uptime counts, not the wall clock, which a user can set.
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { AgentState } from './state-keys.ts';
import type { State } from './state-store.ts';

export interface HubClock {
  /** The hub's time in milliseconds; this machine's own until the hub was ever heard. */
  now(): number;
  /** Takes over a time of the hub, in milliseconds. */
  hear(serverTimeMs: number): void;
  /** Writes down how far it has come, so that a restart goes on from there. */
  save(): void;
}

/** Opens the clock; `uptimeS` counts through suspend, from boot. */
export function openHubClock(
  state: State,
  options: {
    wallMs?: () => number;
    uptimeS?: () => number;
    bootId?: string | null;
  } = {},
): HubClock {
  const wallMs = options.wallMs ?? Date.now;
  const uptimeS = options.uptimeS ?? uptime;
  const bootId = options.bootId === undefined ? readBootId() : options.bootId;
  const kept = state.get('hub_clock');
  let base: { hubMs: number; uptimeS: number } | null = null;
  if (kept !== null) {
    const sameBoot = isOfThisBoot(kept, bootId, uptimeS());
    // After a reboot only the time since boot is certain: a lower bound, until the hub is heard again.
    base = { hubMs: kept.hubMs, uptimeS: sameBoot ? kept.uptimeS : 0 };
  }
  const now = () =>
    base === null ? wallMs() : base.hubMs + Math.max(0, uptimeS() - base.uptimeS) * 1000;
  const save = () => {
    if (base !== null) state.set('hub_clock', { hubMs: now(), uptimeS: uptimeS(), bootId });
  };
  return {
    now,
    hear(serverTimeMs) {
      if (!Number.isFinite(serverTimeMs)) return;
      base = {
        hubMs: base === null ? serverTimeMs : Math.max(serverTimeMs, now()),
        uptimeS: uptimeS(),
      };
      save();
    },
    save,
  };
}

/** The hub's time as it was heard since this machine was started; null where it was not. */
export function hubTimeOfThisBoot(state: State): number | null {
  const kept = state.get('hub_clock');
  if (kept === null || !isOfThisBoot(kept, readBootId(), uptime())) return null;
  return kept.hubMs + (uptime() - kept.uptimeS) * 1000;
}

function isOfThisBoot(
  kept: NonNullable<AgentState['hub_clock']>,
  bootId: string | null,
  uptimeS: number,
): boolean {
  return kept.bootId === bootId && bootId !== null && uptimeS >= kept.uptimeS;
}

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Not Linux: every start then counts as a boot.
    return null;
  }
}
