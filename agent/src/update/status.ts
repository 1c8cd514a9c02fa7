// What `status` tells of updates.

export interface UpdateStatus {
  /** Why it takes no updates; null where it does. */
  off: string | null;
  channel: string;
  last_asked_at: string | null;
  /** The version that it is about to start. */
  next: string | null;
  /** Why the last one that was offered is not installed. */
  refused: string | null;
  /** Versions that did not work here. */
  bad: { version: string; reason: string }[];
}
