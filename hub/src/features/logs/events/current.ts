// What was redacted by older rules leaves the hub by those of today, whoever reads it.

import { parseWithNumbers } from '@gatewarden/shared/json-keys.ts';
import { REDACTION_VERSION, redact, redactAgain } from '@gatewarden/shared/redaction/redact.ts';
import { jsonLine } from './json-line.ts';

/** The event of a stored row, as JSON text. */
export function currentEvent(row: { event: string; redaction_version: number }): string {
  if (row.redaction_version >= REDACTION_VERSION) return row.event;
  return jsonLine(redactAgain(parseWithNumbers(row.event) as object));
}

/** What stands beside the event of a stored row, for people: by the rules of today, too. */
export function currentFields<Fields extends object>(
  row: { redaction_version: number },
  fields: Fields,
): Fields {
  return row.redaction_version >= REDACTION_VERSION ? fields : (redact(fields) as Fields);
}
