// Shows that the type gate fails: tsconfig.base.json checks a sound file, and once a project with planted faults.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT, withPlanted } from './planted.ts';

function check(files: Record<string, string>) {
  return withPlanted(
    {
      'tsconfig.json': JSON.stringify({
        extends: join(ROOT, 'tsconfig.base.json'),
        files: Object.keys(files),
      }),
      'package.json': '{ "type": "module" }',
      ...files,
    },
    (planted) => planted.run('tsc', '-p', 'tsconfig.json', '--pretty', 'false'),
  );
}

/** Planted file, its text, and the error that must name the file. */
const FAULTS: readonly [file: string, text: string, error: string][] = [
  ['wrong-type.ts', "export const value: number = '1';\n", 'TS2322'],
  ['unchecked-index.ts', 'export const first = (all: number[]): number => all[0];\n', 'TS2322'],
  ['undefined-property.ts', 'export const value: { a?: 1 } = { a: undefined };\n', 'TS2375'],
  ['not-erasable.ts', 'export enum Letter {\n  A,\n}\n', 'TS1294'],
  ['unused-parameter.ts', 'export const make = (unused: number) => 1;\n', 'TS6133'],
];

test('passes a sound file', () => {
  expect(check({ 'sound.ts': 'export const value: number = 1;\n' })).toEqual({
    code: 0,
    output: '',
  });
});

describe('a project with planted faults', () => {
  let result: ReturnType<typeof check>;
  beforeAll(() => {
    result = check(Object.fromEntries(FAULTS.map(([file, text]) => [file, text])));
  });

  test('fails', () => {
    expect(result.code).not.toBe(0);
  });

  test.each(FAULTS)('names the error in %s', (file, _text, error) => {
    const place = file.replace('.', '\\.');
    expect(result.output).toMatch(new RegExp(`^${place}\\(\\d+,\\d+\\): error ${error}:`, 'm'));
  });
});
