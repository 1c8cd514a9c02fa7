// CSV cells that a spreadsheet would execute or misread are quoted.
import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

test('quotes dangerous cells', () => {
  const text = csvOf(
    ['app', 'cost_usd'],
    [
      { app: '=HYPERLINK("x")', cost_usd: -1.5 },
      { app: '  =1+1', cost_usd: 1 },
      { app: '\uff1d1+1', cost_usd: 0 },
      { app: 'a, "b"\nc', cost_usd: null },
      { app: null, cost_usd: 2 },
    ],
  );
  expect(text.split('\r\n')).toEqual([
    '\ufeffapp,cost_usd',
    '"\'=HYPERLINK(""x"")",-1.5',
    '"\'  =1+1",1',
    '"\'\uff1d1+1",0',
    '"a, ""b""\nc",',
    ',2',
    '',
  ]);
});
