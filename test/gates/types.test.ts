// The type gate can fail: our tsconfig.base.json over planted faults.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, withPlanted } from './planted.ts';

function check(text: string) {
  return withPlanted(
    {
      'tsconfig.json': JSON.stringify({
        extends: join(ROOT, 'tsconfig.base.json'),
        files: ['planted.ts'],
      }),
      'package.json': '{ "type": "module" }',
      'planted.ts': text,
    },
    (planted) => planted.run('tsc', '-p', 'tsconfig.json', '--pretty', 'false'),
  );
}

test('a sound file passes', () => {
  expect(check('export const one: number = 1;\n')).toEqual({ code: 0, output: '' });
});

test.each([
  ['a wrong type', "export const one: number = '1';\n", 'TS2322'],
  ['an index that may miss', 'export const one = (all: number[]): number => all[0];\n', 'TS2322'],
  [
    'undefined for an optional field',
    'export const one: { a?: 1 } = { a: undefined };\n',
    'TS2375',
  ],
  ['syntax that is not erasable', 'export enum One {\n  A,\n}\n', 'TS1294'],
  ['an unused parameter', 'export const one = (two: number) => 1;\n', 'TS6133'],
])('%s fails and is named', (_fault, text, code) => {
  const ended = check(text);
  expect(ended.output).toMatch(new RegExp(`^planted\\.ts\\(\\d+,\\d+\\): error ${code}:`, 'm'));
  expect(ended.code).not.toBe(0);
});
