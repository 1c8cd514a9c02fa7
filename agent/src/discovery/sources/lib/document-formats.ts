// Parses files in the formats of applications' settings through a scoped file system, and reports parse errors.
import { parseExactly } from '@gatewarden/shared/json-keys.ts';
import { isFields } from '../../mcp/servers.ts';
import type { ScopedFs } from '../../source-contract.ts';
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

/** Returns a file's content by its ending; undefined where it is missing or does not parse, which is reported. */
export async function readDocument(
  fs: ScopedFs,
  path: string,
  maxBytes?: number,
): Promise<unknown> {
  if (/\.ya?ml$/i.test(path)) return readYaml(fs, path);
  if (/\.toml$/i.test(path)) return readToml(fs, path);
  if (/\.md$/i.test(path)) return readFrontMatter(fs, path);
  return readJson(fs, path, maxBytes);
}

/** Reads a document of settings by name; a document of any other type is reported as a parse error. */
export async function readFields(
  fs: ScopedFs,
  path: string,
  maxBytes?: number,
): Promise<Record<string, unknown> | undefined> {
  const document = await readDocument(fs, path, maxBytes);
  if (document === undefined || isFields(document)) return document;
  fs.reportError(path, 'unparsed', 'no object');
  return undefined;
}

/** JSON as editors write it: with a byte-order mark, comments and commas too many. */
export async function readJson(fs: ScopedFs, path: string, maxBytes?: number): Promise<unknown> {
  const text = fs.text(path, maxBytes)?.replace(/^\ufeff/, '');
  // A client creates an empty file before it has any settings.
  if (text === undefined || text.trim() === '') return undefined;
  try {
    return parseExactly(text);
  } catch {
    // Not plain JSON: read as what editors take.
  }
  const jsonc = await loadJsonc();
  return (
    fs.parse(path, () => {
      const errors: import('jsonc-parser').ParseError[] = [];
      const value = jsonc.parse(text, errors, { allowTrailingComma: true });
      const [first] = errors;
      if (first === undefined) return value;
      throw new Error(`line ${text.slice(0, first.offset).split('\n').length}`);
    }) ?? undefined
  );
}

export async function readToml(fs: ScopedFs, path: string): Promise<unknown> {
  const text = fs.text(path)?.replace(/^\ufeff/, '');
  if (text === undefined) return undefined;
  const { parse, TomlError } = await loadToml();
  return (
    fs.parse(path, () => {
      try {
        return parse(text, TOML_OPTIONS);
      } catch (error) {
        throw error instanceof TomlError ? new Error(`line ${error.line}`) : error;
      }
    }) ?? undefined
  );
}

export async function readYaml(fs: ScopedFs, path: string): Promise<unknown> {
  const text = fs.text(path, MAX_YAML_BYTES)?.replace(/^\ufeff/, '');
  if (text === undefined) return undefined;
  const { parse } = await loadYaml();
  // Aliases are bounded by the library: a small file must not become a large tree.
  return fs.parse(path, () => parse(text, { logLevel: 'error' }) as unknown) ?? undefined;
}

/** The fields before the text of a Markdown file; undefined where it begins without any. */
async function readFrontMatter(fs: ScopedFs, path: string): Promise<unknown> {
  const text = fs.text(path, MAX_YAML_BYTES)?.replace(/^\ufeff/, '');
  const matter = text === undefined ? null : /^---\r?\n([\s\S]*?)\r?\n---/.exec(text);
  if (matter === null) return undefined;
  const { parse } = await loadYaml();
  const fields = fs.parse(path, () => parse(matter[1] ?? '', { logLevel: 'error' }) as unknown);
  // A line between two texts looks alike.
  return isFields(fields) ? fields : undefined;
}

/** JSON5, where plain JSON is also taken. */
export async function readJson5(fs: ScopedFs, path: string): Promise<unknown> {
  const text = fs.text(path)?.replace(/^\ufeff/, '');
  if (text === undefined || text.trim() === '') return undefined;
  const { default: json5 } = await loadJson5();
  return fs.parse(path, () => json5.parse(text)) ?? undefined;
}

/** Apple's property list, as XML or binary. */
export async function readPlist(fs: ScopedFs, path: string): Promise<unknown> {
  const bytes = fs.bytes(path, MAX_PLIST_BYTES);
  if (bytes === null) return undefined;
  if (bytes.subarray(0, 6).toString('latin1') === 'bplist') {
    const { parseBuffer } = await loadBinaryPlist();
    return fs.parse(path, () => parseBuffer(bytes)[0]) ?? undefined;
  }
  const { parse } = await loadPlist();
  return (
    fs.parse(path, () => {
      const text = bytes.toString('utf8');
      if (!/<plist[\s>]/.test(text)) throw new Error('no property list');
      return parse(text);
    }) ?? undefined
  );
}

/** An XML document's root element, or null. */
export async function parseXml(
  fs: ScopedFs,
  path: string,
  text: string,
): Promise<import('@xmldom/xmldom').Element | null> {
  const { DOMParser } = await loadXml();
  return fs.parse(path, () => {
    const parser = new DOMParser({
      onError(level, message) {
        if (level !== 'warning') throw new Error(message);
      },
    });
    return parser.parseFromString(text.replace(/^\ufeff/, '').trimStart(), 'text/xml')
      .documentElement;
  });
}
