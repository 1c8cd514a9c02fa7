// Structures of Windows are decoded from recordings: a process table of Wine, and bytes from Microsoft's documents.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { splitCommandLine } from './command-line.ts';
import { dateOf, decodeProcessTable } from './process-table.ts';
import { decodeValue } from './registry.ts';
import { formatSid } from './sid.ts';

const RECORDED = join(import.meta.dirname, '../../../test/recorded/windows-process-table.json');

function readRecording(): { answer: Buffer; address: bigint } {
  const { address, deflated } = JSON.parse(readFileSync(RECORDED, 'utf8'));
  return {
    answer: inflateRawSync(Buffer.from(deflated, 'base64')),
    address: BigInt(address),
  };
}

test('decodes pid, parent, start and name of each process from the process table', () => {
  const { answer, address } = readRecording();
  const rows = decodeProcessTable(answer, address);
  expect(rows.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['node.exe', 'services.exe', 'explorer.exe']),
  );
  const pids = new Set(rows.map(({ pid }) => pid));
  expect(pids.size).toBe(rows.length);
  const services = rows.find(({ name }) => name === 'services.exe');
  const children = rows.filter(({ ppid }) => ppid === services?.pid).map(({ name }) => name);
  expect(children).toContain('winedevice.exe');
  for (const { startedAt } of rows) expect(dateOf(startedAt)?.getUTCFullYear()).toBe(2026);
});

test('ignores a name at an address outside of the process table, and a truncated table', () => {
  const { answer, address } = readRecording();
  expect(decodeProcessTable(answer, address + 1_000_000n)[0]?.name).toBe('');
  expect(decodeProcessTable(answer.subarray(0, 60), address)).toEqual([]);
});

test('gives processes of the kernel no start', () => {
  expect(dateOf(0n)).toBe(null);
  expect(dateOf(116_444_736_000_000_000n)?.getTime()).toBe(0);
});

test('formats security identifiers', () => {
  const sid = (hex: string) => formatSid(Buffer.from(hex, 'hex'));
  expect(sid('010100000000000512000000')).toBe('S-1-5-18');
  expect(sid('01020000000000052000000020020000')).toBe('S-1-5-32-544');
  expect(sid('010500000000000515000000000000000000000000000000e8030000')).toBe(
    'S-1-5-21-0-0-0-1000',
  );
  expect(sid('0101')).toBe(null);
  expect(sid('020100000000000512000000')).toBe(null);
});

test.each([
  [
    '"C:\\Program Files\\nodejs\\node.exe" server.js',
    ['C:\\Program Files\\nodejs\\node.exe', 'server.js'],
  ],
  ['a "b c" d', ['a', 'b c', 'd']],
  ['a\\\\b d"e f"g h', ['a\\\\b', 'de fg', 'h']],
  ['a\\\\\\"b c d', ['a\\"b', 'c', 'd']],
  ['a\\\\\\\\"b c" d e', ['a\\\\b c', 'd', 'e']],
  ['"a ""b"" c"', ['a "b" c']],
  ['node ""', ['node', '']],
  ['  ', []],
])('splits the command line %s', (line, words) => {
  expect(splitCommandLine(line)).toEqual(words);
});

test('decodes texts and numbers of the registry, and skips other types', () => {
  const text = Buffer.from('C:\\Tools\0', 'utf16le');
  expect(decodeValue(1, text)).toBe('C:\\Tools');
  expect(decodeValue(2, text.subarray(0, -2))).toBe('C:\\Tools');
  expect(decodeValue(4, Buffer.from([1, 0, 0, 0]))).toBe(1);
  expect(decodeValue(4, Buffer.from([1]))).toBe(null);
  expect(decodeValue(3, text)).toBe(null);
});
