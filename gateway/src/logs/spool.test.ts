// Rows stay on disk until the hub acknowledges them, also over the end of the process.
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Spool } from './spool.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gw-spool-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (bytesMax = 1_000_000, segmentBytes = 100) =>
  new Spool({ folder, bytesMax, segmentBytes });

function drain(spool: Spool): string[] {
  const lines: string[] = [];
  for (let batch = spool.peek(); batch !== null; batch = spool.peek()) {
    lines.push(...batch.lines);
    batch.acknowledge();
  }
  return lines;
}

it('returns rows in their order, over several segments', () => {
  const spool = open();
  const rows = Array.from({ length: 20 }, (_, i) =>
    JSON.stringify({ row: i, text: 'x'.repeat(20) }),
  );
  for (const row of rows) spool.append(row);
  expect(spool.rows).toBe(20);
  expect(drain(spool)).toEqual(rows);
  expect(spool.rows).toBe(0);
  spool.close();
});

it('keeps a batch that was not acknowledged', () => {
  const spool = open();
  spool.append('{"row":1}');
  expect(spool.peek()?.lines).toEqual(['{"row":1}']);
  expect(spool.peek()?.lines).toEqual(['{"row":1}']);
  spool.close();
});

it('takes over the rows of an earlier process, without a line that was cut', () => {
  const first = open();
  first.append('{"row":1}');
  first.append('{"row":2}');
  // The process was killed in the middle of a line.
  appendFileSync(join(folder, readdirSync(folder)[0] ?? ''), '{"row":3');
  const second = open();
  second.append('{"row":4}');
  expect(drain(second)).toEqual(['{"row":1}', '{"row":2}', '{"row":4}']);
  first.close();
  second.close();
});

it('drops and counts the oldest rows of a full spool', () => {
  const spool = open(300, 100);
  const rows = Array.from({ length: 20 }, (_, i) => `{"row":"${String(i).padStart(20, '0')}"}`);
  for (const row of rows) spool.append(row);
  const left = drain(spool);
  expect(left.at(-1)).toBe(rows.at(-1));
  expect(spool.dropped).toBe(20 - left.length);
  expect(left).toEqual(rows.slice(-left.length));
  spool.close();
});
