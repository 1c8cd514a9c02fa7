// A process that is about to be ended, as it is written down before the first signal.
import type { ProcessFacts } from '@gatewarden/shared/policy.ts';
import type { WireAlert } from '@gatewarden/shared/wire/sync/alerts.ts';

type JournaledAlert = Omit<WireAlert, 'queued'>;

/** `alert`: raised by the next start where this run ends before it raised it. */
export interface PendingTermination {
  pid: number;
  startTicks: string;
  alert: JournaledAlert;
  /** File to quarantine once the process has ended; older agents wrote none. */
  planned?: PlannedQuarantine | null;
}

/** A file that is moved aside once its process has ended. */
export interface PlannedQuarantine {
  path: string;
  /** The path as the package that owns it lists it. */
  listed: string | null;
  /** Identity of the planned file, because the path may lead to another file by then; null: no file existed. */
  is: { dev: number; ino: number } | null;
  /** State of the file at planning: between a kill and the next start the same file may become another program. */
  stamp: string | null;
  name: string;
  overrideId: string;
  entityId: string | null;
  facts: ProcessFacts;
  /** Raised in place of the ending's, under the same id. */
  alert: JournaledAlert;
}
