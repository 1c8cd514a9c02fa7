// Files in the formats that applications keep their settings in: read through a look, and said to be unparsed where they are.
import { parseExactly } from '@gatewarden/shared/json-keys.ts';
import { isFields } from '../../mcp/servers.ts';
import type { Look } from '../../source-contract.ts';
import {
  loadBinaryPlist,
  loadJson5,
  loadJsonc,
  loadPlist,
  loadToml,
  loadXml,
  loadYaml,
} from './format-libraries.ts';

/** Its whole numbers have 64 bits. */
export const TOML_OPTIONS = { integersAsBigInt: 'asNeeded' } as const;
const MAX_YAML_BYTES = 1024 * 1024;
const MAX_PLIST_BYTES = 2 * 1024 * 1024;

/** A file's content by its ending; undefined where it is not there or does not parse, which is then told. */
export async function readDocument(look: Look, path: string, maxBytes?: number): Promise<unknown> {
  if (/\.ya?ml$/i.test(path)) return readYaml(look, path);
  if (/\.toml$/i.test(path)) return readToml(look, path);
  if (/\.md$/i.test(path)) return readFrontMatter(look, path);
  return readJson(look, path, maxBytes);
}

/** `readDocument`, where settings must be fields by name: anything else is told as what does not parse. */
export async function readFields(
  look: Look,
  path: string,
  maxBytes?: number,
): Promise<Record<string, unknown> | undefined> {
  const document = await readDocument(look, path, maxBytes);
  if (document === undefined || isFields(document)) return document;
  look.trouble(path, 'unparsed', 'no object');
  return undefined;
}

/** JSON as editors write it: with a byte-order mark, comments and commas too many. */
export async function readJson(look: Look, path: string, maxBytes?: number): Promise<unknown> {
  const text = look.text(path, maxBytes)?.replace(/^\ufeff/, '');
  // An empty file is what a client makes before there is anything to say.
  if (text === undefined || text.trim() === '') return undefined;
  try {
    return parseExactly(text);
  } catch {
    // Not plain JSON: read as what editors take.
  }
  const jsonc = await loadJsonc();
  return (
    look.parse(path, () => {
      const errors: import('jsonc-parser').ParseError[] = [];
      const value = jsonc.parse(text, errors, { allowTrailingComma: true });
      const [first] = errors;
      if (first === undefined) return value;
      throw new Error(`line ${text.slice(0, first.offset).split('\n').length}`);
    }) ?? undefined
  );
}

export async function readToml(look: Look, path: string): Promise<unknown> {
  const text = look.text(path)?.replace(/^\ufeff/, '');
  if (text === undefined) return undefined;
  const { parse, TomlError } = await loadToml();
  return (
    look.parse(path, () => {
      try {
        return parse(text, TOML_OPTIONS);
      } catch (error) {
        throw error instanceof TomlError ? new Error(`line ${error.line}`) : error;
      }
    }) ?? undefined
  );
}

export async function readYaml(look: Look, path: string): Promise<unknown> {
  const text = look.text(path, MAX_YAML_BYTES)?.replace(/^\ufeff/, '');
  if (text === undefined) return undefined;
  const { parse } = await loadYaml();
  // Aliases are bounded by the library: a small file must not become a large tree.
  return look.parse(path, () => parse(text, { logLevel: 'error' }) as unknown) ?? undefined;
}

/** The fields before the text of a Markdown file; undefined where it begins without any. */
async function readFrontMatter(look: Look, path: string): Promise<unknown> {
  const text = look.text(path, MAX_YAML_BYTES)?.replace(/^\ufeff/, '');
  const matter = text === undefined ? null : /^---\r?\n([\s\S]*?)\r?\n---/.exec(text);
  if (matter === null) return undefined;
  const { parse } = await loadYaml();
  const fields = look.parse(path, () => parse(matter[1] ?? '', { logLevel: 'error' }) as unknown);
  // A line between two texts looks alike.
  return isFields(fields) ? fields : undefined;
}

/** JSON5, where plain JSON is also taken. */
export async function readJson5(look: Look, path: string): Promise<unknown> {
  const text = look.text(path)?.replace(/^\ufeff/, '');
  if (text === undefined || text.trim() === '') return undefined;
  const { default: json5 } = await loadJson5();
  return look.parse(path, () => json5.parse(text)) ?? undefined;
}

/** Apple's property list, as XML or binary. */
export async function readPlist(look: Look, path: string): Promise<unknown> {
  const bytes = look.bytes(path, MAX_PLIST_BYTES);
  if (bytes === null) return undefined;
  if (bytes.subarray(0, 6).toString('latin1') === 'bplist') {
    const { parseBuffer } = await loadBinaryPlist();
    return look.parse(path, () => parseBuffer(bytes)[0]) ?? undefined;
  }
  const { parse } = await loadPlist();
  return (
    look.parse(path, () => {
      const text = bytes.toString('utf8');
      if (!/<plist[\s>]/.test(text)) throw new Error('no property list');
      return parse(text);
    }) ?? undefined
  );
}

/** An XML document's root element, or null. */
export async function parseXml(
  look: Look,
  path: string,
  text: string,
): Promise<import('@xmldom/xmldom').Element | null> {
  const { DOMParser } = await loadXml();
  return look.parse(path, () => {
    const parser = new DOMParser({
      onError(level, message) {
        if (level !== 'warning') throw new Error(message);
      },
    });
    return parser.parseFromString(text.replace(/^\ufeff/, '').trimStart(), 'text/xml')
      .documentElement;
  });
}
