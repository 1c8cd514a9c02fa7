// A process that is about to be ended, as it is written down before the first signal.
import type { WireAlert } from '@gatewarden/shared/wire/sync/alerts.ts';

/** `alert`: what is to be told should nobody come back to it. */
export interface Ending {
  pid: number;
  startTicks: string;
  alert: Omit<WireAlert, 'queued'>;
}
