// Trial of a new version: it passes once it has scanned the machine and the hub has accepted its reports. Where the
// hub is unreachable, it passes after it has run for most of the trial without a crash.
import { performance } from 'node:perf_hooks';
import type { AgentStatus } from '@gatewarden/shared/wire/local/service.ts';
import type { Log } from '../runtime/log.ts';
import { type Loop, startLoop } from '../runtime/task-loop.ts';
import { AGENT_VERSION } from '../version.ts';
import { openVersions } from './installed-versions.ts';
import type { Launched } from './launcher-environment.ts';

const LOOK_EVERY_MS = 500;
/** The launcher's time must not run out first. */
const STEADY_SHARE = 0.6;
/** A hub without its database, behind a proxy without a hub, or asked too often: that is no fault of who asks. */
const IN_TROUBLE = /^(429|502|503|504) /;

export interface Health {
  status: Pick<AgentStatus, 'hub' | 'last_scan'>;
  /** Something that the scan found is not with the hub yet. */
  waiting: boolean;
  /** When the last scan was that an earlier start has left; a clock may be set meanwhile, so times are not compared. */
  scannedBefore: string | null;
  /** Share of the trial's duration. */
  share: number;
}

/** Whether a version that shows this may stay. Pure. */
export function isHealthy({ status, waiting, scannedBefore, share }: Health): boolean {
  if (status.last_scan === null || status.last_scan.at === scannedBefore) return false;
  const { reachable, last_contact_at, last_error } = status.hub;
  if (reachable && !IN_TROUBLE.test(last_error ?? '')) {
    return last_contact_at !== null && last_error === null && !waiting;
  }
  // A version that never sent a request is broken, not offline: it could never receive the next version.
  return last_error !== null && share >= STEADY_SHARE;
}

/** Watches the running service, and reports once that this version passed; null where no version is on trial. */
export function startTrial(options: {
  launched: Launched | null;
  status: () => AgentStatus;
  waiting: () => boolean;
  log: Log;
}): Loop | null {
  const { launched, log } = options;
  if (launched === null || launched.trialSeconds === null) return null;
  const patienceMs = launched.trialSeconds * 1000;
  const versions = openVersions(launched.folder);
  const scannedBefore = options.status().last_scan?.at ?? null;
  const begun = performance.now();
  let over = false;
  return startLoop(
    async () => {
      if (over) return;
      const share = (performance.now() - begun) / patienceMs;
      const health = { status: options.status(), waiting: options.waiting(), scannedBefore, share };
      if (!isHealthy(health)) return;
      over = true;
      versions.confirm(AGENT_VERSION);
      versions.clean(AGENT_VERSION);
      log.info({ event: 'update', version: AGENT_VERSION }, 'this version is well, and stays');
    },
    {
      firstMs: LOOK_EVERY_MS,
      nextMs: () => (over ? 86_400_000 : LOOK_EVERY_MS),
      failed: (error) => log.error({ err: error }, 'looking after the new version failed'),
    },
  );
}
