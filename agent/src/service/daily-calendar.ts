// Daily work at a time of day: a full report to the hub, and the deletion of old recovery copies.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Cron } from 'croner';
import type { Log } from '../runtime/log.ts';

const SET_ASIDE = /^(agent|quarantine)\.db\.(corrupt|newer)-\d+(-wal|-shm)?$/;
/** So long somebody may look into what was set aside. */
const KEPT_MS = 30 * 86_400_000;

/** Starts the daily job: at the configured time, or at a minute of its own for each device, so that a fleet is spread. */
export function startCalendar(options: {
  pattern: string | null;
  deviceId: string;
  dataDir: string;
  requestFullReport: () => void;
  log: Log;
}): { stop(): void } {
  const job = new Cron(
    options.pattern ?? ownMinute(options.deviceId),
    { unref: true, catch: (error) => options.log.error({ err: error }, 'the daily job failed') },
    () => {
      options.requestFullReport();
      removeOld(options.dataDir, Date.now());
    },
  );
  return { stop: () => job.stop() };
}

/** A minute of the day, as a pattern, the same for a device every day. */
export function ownMinute(deviceId: string): string {
  const minute = Number.parseInt(deviceId.replaceAll('-', '').slice(-8), 16) % 1440;
  return `${minute % 60} ${Math.floor(minute / 60)} * * *`;
}

/** Stores that were set aside long ago. */
export function removeOld(dataDir: string, nowMs: number): void {
  for (const name of readdirSync(dataDir)) {
    if (!SET_ASIDE.test(name)) continue;
    const file = join(dataDir, name);
    if (nowMs - statSync(file).mtimeMs > KEPT_MS) rmSync(file, { force: true });
  }
}
