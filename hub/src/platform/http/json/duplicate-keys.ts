// Rejects duplicate keys in JSON objects. JSON.parse takes the last value, some parsers take the first; a reviewer and an
// executor of the same body could read different values.
import { scanJsonStructure } from '@gatewarden/shared/json-structure.ts';
import { HubError } from '../errors/errors.ts';
import { pointerPart } from './json-pointer.ts';

/** Rejects valid JSON text with a duplicate key. Throws `invalid_request` with the pointer of the first duplicate. */
export function rejectDuplicateKeys(text: string): void {
  const { duplicate } = scanJsonStructure(text);
  if (duplicate === null) return;
  const pointer = duplicate.map((part) => `/${pointerPart(String(part))}`).join('');
  throw new HubError('invalid_request', `${pointer} is a duplicate`);
}
