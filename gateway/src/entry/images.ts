// Finds the images of a request or of an answer, in every API, as URLs that an OpenAI-compatible model reads.
import type { TextPart } from '../policy/index.ts';
import { type JsonObject, NESTING_MAX } from './request-body.ts';

export interface ContentImages {
  /** Image parts: URLs and data URLs. */
  parts: string[];
  /** Data URLs inside texts. */
  encoded: string[];
}

const ENCODED = /data:image\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]{16,}={0,2}/gi;

/** Returns the images below a JSON value, and those that texts contain. */
export function collectImages(
  root: unknown,
  texts: readonly Pick<TextPart, 'text'>[],
): ContentImages {
  const parts: string[] = [];
  visit(root, 0, parts);
  return { parts, encoded: texts.flatMap(({ text }) => text.match(ENCODED) ?? []) };
}

function visit(value: unknown, depth: number, images: string[]): void {
  if (typeof value !== 'object' || value === null || depth > NESTING_MAX) return;
  if (!Array.isArray(value)) {
    const url = readImage(value as JsonObject);
    if (url !== null) {
      images.push(url);
      return;
    }
  }
  for (const member of Object.values(value)) visit(member, depth + 1, images);
}

/** Returns the URL of an image part: of OpenAI, Anthropic, Gemini or Converse. */
function readImage(part: JsonObject): string | null {
  const { type, image_url, source, image } = part;
  if (type === 'image_url') return readText((image_url as JsonObject | undefined)?.url);
  if (type === 'input_image') return readText(image_url);
  if (type === 'image') return readSource(source as JsonObject | undefined);
  if (typeof image === 'object' && image !== null) return readConverse(image as JsonObject);
  return readGemini(part);
}

function readSource(source: JsonObject | undefined): string | null {
  const data = readText(source?.data);
  return data === null ? readText(source?.url) : dataUrl(source?.media_type, data);
}

function readConverse({ format, source }: JsonObject): string | null {
  const bytes = readText((source as JsonObject | undefined)?.bytes);
  return bytes === null ? null : dataUrl(`image/${format}`, bytes);
}

function readGemini(part: JsonObject): string | null {
  const inline = (part.inlineData ?? part.inline_data) as JsonObject | undefined;
  const file = (part.fileData ?? part.file_data) as JsonObject | undefined;
  const type = readText(inline?.mimeType ?? inline?.mime_type ?? file?.mimeType ?? file?.mime_type);
  if (type?.startsWith('image/') !== true) return null;
  const data = readText(inline?.data);
  return data === null ? readText(file?.fileUri ?? file?.file_uri) : dataUrl(type, data);
}

const readText = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
const dataUrl = (type: unknown, data: string) => `data:${type};base64,${data}`;
