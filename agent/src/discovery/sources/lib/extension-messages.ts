// Messages of browser extensions (`_locales/LANGUAGE/messages.json`), resolved as browsers do. Pure.
import { isFields } from '../../mcp/servers.ts';

const MESSAGE = /__MSG_(\w+)__/g;
/** `$NAME$` is a placeholder, `$1` what a program hands over, `$$` a dollar sign. */
const PLACEHOLDER = /\$(?:([\w@]+)\$|(\$+)|(\d))/g;

/**
 * Replaces each `__MSG_name__` of a text: names in any case, from the first language that contains it. Null where a
 * name is in none of them.
 */
export function resolveMessages(
  text: string,
  languages: readonly Record<string, unknown>[],
): string | null {
  let isWhole = true;
  const resolved = text.replace(MESSAGE, (_, name: string) => {
    const message = languages
      .map((messages) => messageIn(messages, name))
      .find((language) => language !== null);
    isWhole &&= message != null;
    return message ?? '';
  });
  return isWhole && resolved.trim() !== '' ? resolved : null;
}

function messageIn(messages: Record<string, unknown>, name: string): string | null {
  const entry = byName(messages, name);
  if (!isFields(entry) || typeof entry.message !== 'string') return null;
  const { placeholders } = entry;
  return entry.message.replace(PLACEHOLDER, (all, key?: string, dollars?: string) => {
    if (dollars !== undefined) return dollars;
    // Positional placeholders (`$1`) have no value here: a name is read without arguments.
    if (key === undefined) return '';
    const placeholder = isFields(placeholders) ? byName(placeholders, key) : undefined;
    const content = isFields(placeholder) ? placeholder.content : undefined;
    return typeof content === 'string' ? content.replace(/\$\d/g, '') : all;
  });
}

function byName(fields: Record<string, unknown>, name: string): unknown {
  const key = Object.keys(fields).find((field) => field.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : fields[key];
}
