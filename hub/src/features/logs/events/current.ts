// Redacts stored events again if older patterns redacted them, for every reader outside of the hub.

import { parseWithNumbers } from '@gatewarden/shared/json-keys.ts';
import { REDACTION_VERSION, redact, redactAgain } from '@gatewarden/shared/redaction/redact.ts';
import { jsonLine } from './json-line.ts';

/** Returns the event of a stored row as JSON text, redacted with the current patterns. */
export function currentEvent(row: { event: string; redaction_version: number }): string {
  if (row.redaction_version >= REDACTION_VERSION) return row.event;
  return jsonLine(redactAgain(parseWithNumbers(row.event) as object));
}

/** Returns other fields of a stored row for users, redacted with the current patterns. */
export function currentFields<Fields extends object>(
  row: { redaction_version: number },
  fields: Fields,
): Fields {
  return row.redaction_version >= REDACTION_VERSION ? fields : (redact(fields) as Fields);
}
