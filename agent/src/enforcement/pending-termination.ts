// A process that is about to be ended, as it is written down before the first signal.
import type { ProcessFacts } from '@gatewarden/shared/policy.ts';
import type { WireAlert } from '@gatewarden/shared/wire/sync/alerts.ts';

type JournaledAlert = Omit<WireAlert, 'queued'>;

/** `alert`: what is to be told should nobody come back to it. */
export interface PendingTermination {
  pid: number;
  startTicks: string;
  alert: JournaledAlert;
  /** What is to be kept from starting again once it has ended; agents of before wrote none. */
  hold?: PlannedQuarantine | null;
}

/** A file that is moved aside once its process has ended. */
export interface PlannedQuarantine {
  path: string;
  /** As the package that owns it lists it. */
  listed: string | null;
  /** The file that is meant: another one may stand there by then. Null: none stood there. */
  is: { dev: number; ino: number } | null;
  /** How it stood: between a kill and the next start the same file may have become another program. */
  stamp: string | null;
  name: string;
  overrideId: string;
  entityId: string | null;
  facts: ProcessFacts;
  /** Raised in place of the ending's, under the same id. */
  alert: JournaledAlert;
}
