// A cluster's `Secret` written as YAML: its members hold credentials, whatever they are called. Read line by line, each once.
import { REDACTED } from './rules.ts';

/** What a text must hold to be read so. */
export const CLUSTER_TRIGGER = ':(?<=kind:)[ \\t]{1,8}\\\\{0,8}["\']?Secret(?![A-Za-z])';

const SECRET = new RegExp(CLUSTER_TRIGGER);
/** Of a text within JSON a line ends with two characters, or more of them. */
const LINE_END = /(?:\\{1,8}r)?\\{1,8}n/;
const KIND = /^kind:[ \t]{1,8}\\{0,8}["']?Secret\\{0,8}["']?[ \t]*(?:#|\r?$)/;
const DATA = /^(?:data|stringData):[ \t]*([^\r]*)\r?$/;
/** A member's name, up to its value. */
const MEMBER =
  /^(?:\\{0,8}"[^"\\]{1,253}\\{0,8}"|\\{0,8}'[^'\\]{1,253}\\{0,8}'|[^\s:#"'\\][^\s:]{0,252}):[ \t]{1,8}/;
const MAY_BE_DATA = /[dD]ata:/;
const DOCUMENT_ENDS = /^(?:---|\.\.\.|```)/;
const BLOCK_BEGINS = /^[|>][+-]?[0-9]?[ \t]*\r?$/;

interface Mapping {
  column: number;
  isSecret: boolean;
  /** Lines where its data begins. */
  data: number[];
}

/** The text without what a `Secret` in it holds; the same text where there is none. */
export function withoutClusterSecrets(text: string): string {
  if (!SECRET.test(text)) return text;
  const end = text.includes('\n') ? '\n' : LINE_END.exec(text)?.[0];
  if (end === undefined) return text;
  const lines = text.split(end);
  const columns = lines.map(columnOf);
  const starts = dataOfSecrets(lines, columns);
  for (const start of starts) redactData(lines, columns, start);
  return starts.length === 0 ? text : lines.join(end);
}

/** Where a line's member begins, behind blanks and the dash of a list; -1: it says nothing. */
function columnOf(line: string): number {
  let column = 0;
  for (; ; column++) {
    const sign = line[column];
    if (sign === undefined || sign === '#' || sign === '\r') return -1;
    const next = line[column + 1];
    const isDash = sign === '-' && (next === ' ' || next === '\t');
    if (sign !== ' ' && sign !== '\t' && !isDash) return column;
  }
}

/** The lines that begin the data of a mapping that says that it is one. */
function dataOfSecrets(lines: readonly string[], columns: readonly number[]): number[] {
  const found: number[] = [];
  const open: Mapping[] = [];
  const close = (column: number) => {
    while ((open.at(-1)?.column ?? -1) >= column) {
      const { isSecret, data } = open.pop() as Mapping;
      if (isSecret) found.push(...data);
    }
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string;
    const column = columns[i] as number;
    if (column === -1) continue;
    const dash = line.slice(0, column).indexOf('-');
    if (DOCUMENT_ENDS.test(line)) close(0);
    else close((dash === -1 ? column : dash) + 1);
    const isKind = line.startsWith('kind', column) && KIND.test(line.slice(column));
    const isData = !isKind && MAY_BE_DATA.test(line) && DATA.test(line.slice(column));
    if (!isKind && !isData) continue;
    let mapping = open.at(-1);
    if (mapping?.column !== column) {
      mapping = { column, isSecret: false, data: [] };
      open.push(mapping);
    }
    if (isKind) mapping.isSecret = true;
    else mapping.data.push(i);
  }
  close(0);
  return found;
}

function redactData(lines: string[], columns: readonly number[], start: number): void {
  const column = columns[start] as number;
  const line = lines[start] as string;
  const inline = DATA.exec(line.slice(column))?.[1] ?? '';
  if (inline !== '' && !inline.startsWith('#')) {
    if (/[A-Za-z0-9]/.test(inline)) lines[start] = shown(line, line.indexOf(inline, column));
    return;
  }
  let member = -1;
  let isBlock = false;
  for (let i = start + 1; i < lines.length; i++) {
    const at = columns[i] as number;
    if (at === -1) continue;
    if (at <= column) return;
    if (member === -1 || at <= member) {
      member = at;
      isBlock = false;
    }
    const said = (lines[i] as string).slice(at);
    const name = at === member ? (MEMBER.exec(said)?.[0] ?? '') : '';
    const value = said.slice(name.length);
    if (at === member && BLOCK_BEGINS.test(value)) isBlock = true;
    else if (name !== '' || isBlock || at > member) {
      lines[i] = shown(lines[i] as string, at + name.length);
    }
  }
}

const shown = (line: string, from: number) =>
  `${line.slice(0, from)}${REDACTED}${line.endsWith('\r') ? '\r' : ''}`;
