// Names that stand twice in one object: JSON.parse takes the last, others the first, so that who reviews a body and who
// carries it out may read two things.
import { closingQuote } from '@gatewarden/shared/json-strings.ts';
import { HubError } from './errors.ts';
import { pointerPart } from './pointer.ts';

/** An object with the names that it had so far, or a list; `at`: the member that is being read. */
interface Open {
  names: Set<string> | null;
  at: string | number;
}

const COLON = /[ \t\r\n]*:/y;

/** Of text that was parsed. Throws `invalid_request` with the pointer of the first such name. */
export function rejectDuplicateKeys(text: string): void {
  const open: Open[] = [];
  for (let i = 0; i < text.length; i++) {
    const unit = text[i];
    if (unit === '{') open.push({ names: new Set(), at: '' });
    else if (unit === '[') open.push({ names: null, at: 0 });
    else if (unit === '}' || unit === ']') open.pop();
    else if (unit === ',') next(open.at(-1));
    else if (unit === '"') {
      const close = closingQuote(text, i);
      COLON.lastIndex = close + 1;
      if (COLON.test(text)) enter(open, nameOf(text.slice(i, close + 1)));
      i = close;
    }
  }
}

function next(inner: Open | undefined): void {
  if (typeof inner?.at === 'number') inner.at++;
}

const nameOf = (quoted: string) =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);

function enter(open: readonly Open[], name: string): void {
  const inner = open.at(-1);
  if (inner?.names == null) return;
  inner.at = name;
  if (inner.names.has(name)) {
    const pointer = open.map(({ at }) => `/${pointerPart(String(at))}`).join('');
    throw new HubError('invalid_request', `${pointer} is a duplicate`);
  }
  inner.names.add(name);
}
