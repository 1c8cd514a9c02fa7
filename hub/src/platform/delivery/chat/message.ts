// A notification for people before it is formatted for a chat system. All values are plain text as devices and people
// wrote them; each formatter escapes them for its own format.

export interface ChatMessage {
  /** The hub's own words, such as `CRITICAL alert, blocked`. */
  title: string;
  /** The product, app or request that the message is about; null if the title is sufficient. */
  subject: string | null;
  /** Sentences or list entries, each on its own line. */
  lines: readonly string[];
  facts: readonly { name: string; value: string }[];
  link: { label: string; url: string } | null;
  incident: Incident;
}

/** The fields that on-call systems correlate messages by. */
export interface Incident {
  /** Equal for every attempt, and for the message that resolves the incident. */
  dedupKey: string;
  action: 'trigger' | 'resolve';
  severity: 'critical' | 'error' | 'warning' | 'info';
  /** The device or app that is affected. */
  source: string;
  at: string;
}

/** Returns title and subject as a single line of plain text. */
export function headlineOf({ title, subject }: ChatMessage): string {
  return subject === null ? title : `${title}: ${subject}`;
}
