// Shortens texts of a request without a model: the same text always gives the same result. Code never changes: fenced
// blocks and inline code are copied, and each text between them is shortened. Every step is linear.
import type { TokenSavingSettings } from './settings.ts';

/** A fenced block up to its closing fence or the end of the text, or inline code within a line. */
const CODE =
  /^[ \t]{0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:^[ \t]{0,3}\1[ \t]*$|(?![\s\S]))|`[^`\n]{1,1000}`/gm;

/** Returns the text with the enabled reductions, in the order JSON, HTML, Markdown, blanks. */
export function saveTokens(text: string, settings: TokenSavingSettings): string {
  const steps = [
    settings.smart_json_compression === true ? compactJson : null,
    settings.html_to_text === true ? convertHtml : null,
    settings.markdown_to_text === true ? convertMarkdown : null,
    settings.text_compression === true ? compressBlanks : null,
  ].filter((step) => step !== null);
  if (steps.length === 0 || text === '') return text;
  return mapProse(text, (prose) => steps.reduce((shorter, step) => step(shorter), prose));
}

function mapProse(text: string, convert: (prose: string) => string): string {
  let result = '';
  let from = 0;
  for (const match of text.matchAll(CODE)) {
    result += convert(text.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return result + convert(text.slice(from));
}

const JSON_MIN_LENGTH = 8;

/** Removes blanks between the tokens of JSON objects and arrays. Numbers and strings keep their notation. */
function compactJson(text: string): string {
  let result = '';
  let copied = 0;
  for (let at = nextOpening(text, 0); at !== -1; at = nextOpening(text, copied)) {
    const end = closingOf(text, at);
    if (end === -1) break;
    const json = text.slice(at, end);
    const isJson = json.length >= JSON_MIN_LENGTH && canParse(json);
    result += text.slice(copied, at) + (isJson ? stripBlanks(json) : json);
    copied = end;
  }
  return result + text.slice(copied);
}

function nextOpening(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{' || text[at] === '[') return at;
  }
  return -1;
}

/** Returns the position after the bracket that closes the bracket at `start`, or -1. */
function closingOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '"') at = endOfString(text, at);
    else if (OPENING.has(character)) depth++;
    else if (CLOSING.has(character) && --depth === 0) return at + 1;
  }
  return -1;
}

const OPENING = new Set('{[');
const CLOSING = new Set('}]');

/** Returns the position of the quote that closes the JSON string at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function canParse(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|\s+/g;
const stripBlanks = (json: string) =>
  json.replace(JSON_TOKEN, (token) => (token.startsWith('"') ? token : ''));

const HTML_ELEMENTS =
  'a|abbr|article|aside|b|blockquote|body|br|button|caption|center|code|dd|details|div|dl|dt|em|figcaption|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|label|li|link|main|meta|nav|noscript|ol|option|p|picture|pre|section|select|small|source|span|strong|style|sub|summary|sup|svg|table|tbody|td|tfoot|th|thead|title|tr|u|ul|video|script';
/** Only pages and fragments with a closing or an empty element are HTML; `a < b` and `List<T>` are not. */
const HTML_SIGN = new RegExp(
  `</(?:${HTML_ELEMENTS})\\s{0,8}>|<(?:br|hr|img)[ />]|<!doctype html`,
  'i',
);
const HTML_TAG = new RegExp(`<(/?)(${HTML_ELEMENTS})(?=[\\s/>])[^<>]{0,10000}>`, 'gi');
const HTML_BLOCK =
  /^(?:article|aside|blockquote|body|br|caption|dd|div|dl|dt|figure|footer|form|h[1-6]|header|hr|main|nav|ol|p|pre|section|table|title|tr|ul)$/i;
const HIDDEN_ELEMENTS = ['script', 'style', 'noscript', 'svg', 'head'];
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  copy: '©',
  euro: '€',
};
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi;

function convertHtml(text: string): string {
  if (!HTML_SIGN.test(text)) return text;
  return removeComments(removeHiddenElements(text))
    .replace(HTML_TAG, (_tag, slash: string, name: string) => {
      if (/^li$/i.test(name)) return slash === '' ? '\n- ' : '';
      if (/^t[dh]$/i.test(name)) return slash === '' ? '' : ' | ';
      return HTML_BLOCK.test(name) ? '\n' : '';
    })
    .replace(ENTITY, (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    })
    .split('\n')
    .map((line) => line.replace(/ \| $/, ''))
    .map((line, index, lines) => {
      // Blanks at both ends of the text separate it from the code beside it.
      const left = index === 0 ? line : line.trimStart();
      return index === lines.length - 1 ? left : left.trimEnd();
    })
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
}

/** Removes elements whose content no reader sees. An element without end extends to its start tag only. */
function removeHiddenElements(text: string): string {
  return HIDDEN_ELEMENTS.reduce(
    (shorter, name) =>
      removeBetween(
        shorter,
        new RegExp(`<${name}(?=[\\s>])`, 'gi'),
        new RegExp(`</${name}\\s{0,8}>`, 'gi'),
      ),
    text,
  );
}

const removeComments = (text: string) => removeBetween(text, /<!--/g, /-->/g);

function removeBetween(text: string, start: RegExp, end: RegExp): string {
  let result = '';
  let from = 0;
  for (;;) {
    start.lastIndex = from;
    const opened = start.exec(text);
    if (opened === null) break;
    end.lastIndex = opened.index;
    if (end.exec(text) === null) break;
    result += text.slice(from, opened.index);
    from = end.lastIndex;
  }
  return result + text.slice(from);
}

function convertMarkdown(text: string): string {
  return text
    .split('\n')
    .map(convertMarkdownLine)
    .filter((line) => line !== null)
    .join('\n');
}

/** Returns the plain text of a line, or null for a line that only draws. Four blanks begin code, which remains. */
function convertMarkdownLine(line: string): string | null {
  if (/^(?: {4}|\t)/.test(line)) return line;
  if (/^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={3,})$/.test(line)) return null;
  if (line.includes('|') && line.includes('---') && /^[-| :\t]+$/.test(line)) return null;
  return line
    .replace(/^ {0,3}#{1,6}[ \t]+/, '')
    .replace(/^ {0,3}(?:> ?)+/, '')
    .replace(
      /!?\[([^[\]\n]{0,1000})\]\(([^()\s]{0,2000})(?: "[^"\n]{0,500}")?\)/g,
      (_link, label: string, url: string) =>
        label === '' || label === url ? url : `${label} (${url})`,
    )
    .replace(/(\*\*|__|~~)(?=\S)([^*_~\n]{1,1000})\1/g, '$2')
    .replace(/(?<![\w*])([*_])(?=\S)([^*_\n]{1,1000})(?<=\S)\1(?![\w*])/g, '$2');
}

/** Collapses runs of blanks and of empty lines; indentation of up to eight columns remains. */
function compressBlanks(text: string): string {
  return text
    .replace(/(?<=\S)[ \t\u00a0]{2,}(?=\S)/g, ' ')
    .split('\n')
    .map((line, index, lines) => (index === lines.length - 1 ? line : line.trimEnd()))
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}
