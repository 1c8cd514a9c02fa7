// What a spreadsheet would carry out or misread is quoted.
import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test('cells', () => {
  const text = csvOf(
    ['app', 'cost_usd'],
    [
      { app: '=HYPERLINK("x")', cost_usd: -1.5 },
      { app: 'a, "b"\nc', cost_usd: null },
    ],
  );
  expect(text).toBe('app,cost_usd\r\n"\'=HYPERLINK(""x"")",-1.5\r\n"a, ""b""\nc",\r\n');
});
