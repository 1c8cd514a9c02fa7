import { expect, test } from 'vitest';
import { bytesText, openProgress } from './progress.ts';
import { renderTable } from './table.ts';

const columns = {
  name: (row: { name: string; count: number | null }) => row.name,
  count: (row: { name: string; count: number | null }) => row.count,
};

test('aligns columns below a header, also for wide characters', () => {
  const rows = [
    { name: 'Slack', count: 12 },
    { name: '微信', count: null },
  ];
  expect(renderTable(columns, rows)).toBe('NAME   COUNT\nSlack  12\n微信   -');
});

test('replaces control characters and shortens long texts, but no ids', () => {
  const words = `${'word '.repeat(20)}\u001b[31m`;
  const [, line = ''] = renderTable({ text: () => words }, [{}]).split('\n');
  expect(line).toHaveLength(64);
  expect(line.endsWith('…')).toBe(true);
  const id = 'a'.repeat(100);
  expect(renderTable({ id: () => id }, [{}])).toContain(id);
  expect(renderTable({ name: () => 'a\nb' }, [{}]).split('\n')[1]).toBe('a\ufffdb');
});

test('writes progress to a terminal only, and not with --quiet', () => {
  const written: string[] = [];
  const terminal = (isTTY: boolean) => ({
    isTTY,
    columns: 20,
    write: (text: string | Uint8Array) => {
      written.push(String(text));
      return true;
    },
  });
  openProgress({ isQuiet: false, stream: terminal(false) }).report('x');
  openProgress({ isQuiet: true, stream: terminal(true) }).report('x');
  expect(written).toEqual([]);
  const progress = openProgress({ isQuiet: false, stream: terminal(true) });
  progress.report('backup: table 1 of 100, 12 MiB');
  progress.end();
  expect(written).toEqual(['\r\u001b[Kbackup: table 1 of ', '\r\u001b[K']);
});

test.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KiB'],
  [5 * 1024 ** 4, '5.0 TiB'],
])('formats %i bytes as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
