// Rejects duplicate keys in JSON objects. JSON.parse takes the last value, some parsers take the first; a reviewer and an
// executor of the same body could read different values.
import { closingQuote } from '@gatewarden/shared/json-strings.ts';
import { HubError } from '../errors/errors.ts';
import { pointerPart } from './json-pointer.ts';

/** An object with its names so far, or an array (null). `at`: the member that is being read. */
interface Container {
  names: Set<string> | null;
  at: string | number;
}

const COLON = /[ \t\r\n]*:/y;

/** Rejects valid JSON text with a duplicate key. Throws `invalid_request` with the pointer of the first duplicate. */
export function rejectDuplicateKeys(text: string): void {
  const containers: Container[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text[i];
    if (unit === '{') containers.push({ names: new Set(), at: '' });
    else if (unit === '[') containers.push({ names: null, at: 0 });
    else if (unit === '}' || unit === ']') containers.pop();
    else if (unit === ',') advance(containers.at(-1));
    else if (unit === '"') {
      const close = closingQuote(text, i);
      COLON.lastIndex = close + 1;
      if (COLON.test(text)) addName(containers, unquote(text.slice(i, close + 1)));
      i = close;
    }
  }
}

function advance(inner: Container | undefined): void {
  if (typeof inner?.at === 'number') inner.at++;
}

const unquote = (quoted: string) =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

function addName(containers: readonly Container[], name: string): void {
  const inner = containers.at(-1);
  if (inner?.names == null) return;
  inner.at = name;
  if (inner.names.has(name)) {
    const pointer = containers.map(({ at }) => `/${pointerPart(String(at))}`).join('');
    throw new HubError('invalid_request', `${pointer} is a duplicate`);
  }
  inner.names.add(name);
}
