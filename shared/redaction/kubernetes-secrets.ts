// Finds Kubernetes `Secret` manifests in YAML or JSON, whose members are credentials regardless of their names. Each line
// is read once.
import { compilePattern } from './regular-expressions.ts';
import { REDACTED } from './rule.ts';
import type { Span } from './spans.ts';

export const SECRET_KEYWORDS: readonly string[] = ['secret'];

/** The number of the line or the mark of a quotation before each line. */
const MARK = /(?:[ \t]{0,8}[0-9]{1,7}[ \t]{0,2}[:|→\t]|(?:>[ \t]?){1,4})?/y;
/** Blanks and list dashes before the content of a line. */
const INDENT = /(?:[ \t]|-(?=[ \t]))*/y;
/** A key with the tags and anchors of its value. */
const KEY =
  /(["']?)(kind|data|stringData)\1[ \t]{0,4}:(?=[ \t\r\n]|$)[ \t]*(?:[!&]\S{1,60}(?:[ \t]+|(?=[\r\n]|$))){0,2}/y;
const KIND_VALUE = /(["']?)Secret\1[ \t]*(?:#|[\r\n]|$)/y;
/** The name of a member, up to its value. */
const MEMBER =
  /(?:"[^"\\\n]{1,253}"|'[^'\\\n]{1,253}'|[^\s:#"'][^:\n]{0,252})[ \t]{0,4}:(?:[ \t]+|(?=\r?$))/my;
const BLOCK_SCALAR = /(?:!!binary[ \t]+)?[|>][+-]?[0-9]?[ \t]*(?:#|\r?$)/my;
/** An empty object, and the placeholder of a template. */
const NO_VALUE =
  /["']?(?:\{[ \t]*\}|\{\{[^{}"'\n]{0,200}\}\}|\$\{[A-Za-z0-9_.]{1,100}\}|<[A-Za-z][A-Za-z0-9 _-]{0,60}>|\[REDACTED\][^\n]*)["']?[ \t]*(?:#.*)?\r?$/my;
/** A comment, or the line of a template. */
const COMMENT = /#|\{\{-?[ \t]/y;

interface Line {
  /** The column of the content. */
  column: number;
  /** The column of the first list dash, else of the content. */
  start: number;
  at: number;
  end: number;
}

interface Block {
  line: number;
  column: number;
  /** The index of the value on the line of the key. */
  value: number;
}

interface Mapping {
  column: number;
  isSecret: boolean;
  blocks: Block[];
}

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** Returns the values below `data` and `stringData` of each `Secret`. */
export function findKubernetesSecrets(text: string): Span[] {
  return [...findDataObjects(text), ...findYamlData(text)];
}

const KIND = /(?<![\w.-])kind["']?\s{0,8}:\s{0,8}["']?Secret(?:List)?(?![\w.-])/;
/** A string with braces does not end the object. */
const STRING = `"(?:[^"\\\\]|\\\\[^])*(?:"|$)|'[^'\\n]*'`;
const DATA_OBJECT = compilePattern(
  `(?<![\\w.-])(?:data|stringData)["']?\\s{0,8}:\\s{0,8}(?=\\{\\s{0,40}[^\\s{}])(\\{(?:[^{}"']|${STRING})*(?:\\}|$|(?=\\{)))`,
  'g',
);

/** Returns the data in braces of a text that contains a `Secret`, also truncated: JSON, or flow style of YAML. */
function findDataObjects(text: string): Span[] {
  if (!KIND.test(text)) return [];
  return Array.from(text.matchAll(DATA_OBJECT), (match) => {
    const from = match.index + match[0].length - (match[1] ?? '').length;
    return { from, to: match.index + match[0].trimEnd().length, replacement: REDACTED };
  });
}

function findYamlData(text: string): Span[] {
  const lines = listLines(text);
  const spans: Span[] = [];
  let done = 0;
  for (const block of findBlocks(text, lines)) {
    // A block within another block is complete already.
    if (block.line >= done) done = addBlock(text, lines, block, spans);
  }
  return spans;
}

/** Returns the lines that are not empty. */
function listLines(text: string): Line[] {
  const lines: Line[] = [];
  for (let from = 0; from < text.length; ) {
    const next = text.indexOf('\n', from);
    const end = next === -1 ? text.length : next;
    const begin = from + (matchAt(MARK, text, from)?.[0].length ?? 0);
    const indent = matchAt(INDENT, text, begin)?.[0] ?? '';
    const at = begin + indent.length;
    const dash = indent.indexOf('-');
    const column = indent.length;
    if (text.slice(at, end).trim() !== '') {
      lines.push({ column, start: dash === -1 ? column : dash, at, end });
    }
    from = end + 1;
  }
  return lines;
}

/** Returns the data of mappings whose kind is `Secret`, in the order of the text. */
function findBlocks(text: string, lines: readonly Line[]): Block[] {
  const open: Mapping[] = [];
  const blocks: Block[] = [];
  const closeFrom = (column: number) => {
    while ((open.at(-1)?.column ?? -1) >= column) {
      const mapping = open.pop() as Mapping;
      if (mapping.isSecret) blocks.push(...mapping.blocks);
    }
  };
  for (const [i, { column, start, at, end }] of lines.entries()) {
    closeFrom(text.startsWith('---', at) && column === 0 ? 0 : start + 1);
    const key = matchAt(KEY, text, at);
    if (key === null || key.index > end) continue;
    if (open.at(-1)?.column !== column) open.push({ column, isSecret: false, blocks: [] });
    const mapping = open.at(-1) as Mapping;
    const value = at + key[0].length;
    if (key[2] !== 'kind') mapping.blocks.push({ line: i, column, value });
    else if (matchAt(KIND_VALUE, text, value) !== null) mapping.isSecret = true;
  }
  closeFrom(0);
  return blocks.sort((a, b) => a.line - b.line);
}

/** Adds the values of a block, and returns the line after it. */
function addBlock(text: string, lines: readonly Line[], block: Block, spans: Span[]): number {
  const first = lines[block.line] as Line;
  // A value on the line of the key is in braces.
  if (addValue(text, block.value, first.end, spans)) return block.line + 1;
  let memberColumn = -1;
  for (let i = block.line + 1; i < lines.length; i++) {
    const { column, at, end } = lines[i] as Line;
    if (column <= block.column) return i;
    if (memberColumn === -1) memberColumn = column;
    const isMember = column <= memberColumn;
    if (isMember && matchAt(COMMENT, text, at) !== null) continue;
    const name = isMember ? (matchAt(MEMBER, text, at)?.[0].length ?? 0) : 0;
    if (!isMember || matchAt(BLOCK_SCALAR, text, at + name) === null) {
      addValue(text, at + name, end, spans);
    }
  }
  return lines.length;
}

/** Adds a value up to the end of its line. Returns whether the line has a value. */
function addValue(text: string, from: number, lineEnd: number, spans: Span[]): boolean {
  const to = from + text.slice(from, lineEnd).trimEnd().length;
  if (to <= from || text[from] === '#') return false;
  if (matchAt(NO_VALUE, text, from) === null) spans.push({ from, to, replacement: REDACTED });
  return true;
}
