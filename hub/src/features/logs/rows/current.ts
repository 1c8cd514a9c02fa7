// What was redacted by older rules leaves the hub by those of today, whoever reads it.
import { parseWithNumbers } from '@gatewarden/shared/json-keys.ts';
import { REDACTION_VERSION, redactAgain } from '@gatewarden/shared/redaction/redact.ts';

/** The event of a stored row, as JSON text. */
export function currentEvent(row: { event: string; redaction_version: number }): string {
  if (row.redaction_version >= REDACTION_VERSION) return row.event;
  return JSON.stringify(redactAgain(parseWithNumbers(row.event) as object));
}
