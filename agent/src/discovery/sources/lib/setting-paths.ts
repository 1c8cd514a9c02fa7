// Reads settings in a parsed document by their path, where `*` matches any name. Pure.
import { isFields, lookUp } from '../../mcp/servers.ts';

const MAX_SETTINGS = 200;

/** Each value at the path, with the path that led to it. A name may be written with its dots, as editors do. */
export function settingsAt(document: unknown, path: string): { name: string; value: unknown }[] {
  if (!isFields(document)) return [];
  const star = path.indexOf('*');
  if (star < 0) {
    const value = lookUp(document, path);
    return value === undefined ? [] : [{ name: path, value }];
  }
  const before = path.slice(0, star).replace(/\.$/, '');
  const after = path.slice(star + 1).replace(/^\./, '');
  const container = before === '' ? document : lookUp(document, before);
  const entries = Array.isArray(container)
    ? container.map((item, at): [string, unknown] => [String(at), item])
    : isFields(container)
      ? Object.entries(container)
      : [];
  return entries.slice(0, MAX_SETTINGS).flatMap(([key, value]) => {
    const name = before === '' ? key : `${before}.${key}`;
    if (after === '') return [{ name, value }];
    return settingsAt(value, after).map((setting) => ({
      ...setting,
      name: `${name}.${setting.name}`,
    }));
  });
}
