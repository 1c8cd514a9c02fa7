import { expect, test } from 'vitest';
import { type FunctionSizes, functionsGrown, measureFunctions } from './function-size.ts';
import { withPlanted } from './planted.ts';
import { FUNCTION_BUDGET, lowered, readBudget } from './ratchet.ts';

test('no function grew beyond 80 lines, a complexity of 15, or its budget', () => {
  const budget = readBudget<FunctionSizes>(FUNCTION_BUDGET);
  expect(functionsGrown(measureFunctions(), budget)).toEqual([]);
});

const long = `export function long() {\n${'  console.log(1);\n'.repeat(90)}}\n`;
const nested = `export function nested(a: number[]) {\n${'  for (const x of a) if (x > 1 && x < 9) console.log(x);\n'.repeat(6)}}\n`;

test('finds a planted long function and a planted complex function', () => {
  withPlanted({ 'hub/long.ts': long, 'hub/nested.ts': nested }, ({ folder }) => {
    const measured = measureFunctions(folder, ['hub']);
    expect(measured.lines['hub/long.ts']?.[0]).toBeGreaterThan(80);
    expect(measured.complexity['hub/nested.ts']?.[0]).toBeGreaterThan(15);
    expect(functionsGrown(measured, { lines: {}, complexity: {} })).toHaveLength(2);
  });
});

test('lets a function shrink, and no other function grow in its place', () => {
  const budget = { lines: { a: [120, 90] }, complexity: {} };
  const of = (...lines: number[]) => ({ lines: { a: lines }, complexity: {} });
  expect(functionsGrown(of(100), budget)).toEqual([]);
  expect(functionsGrown(of(121), budget)).toHaveLength(1);
  expect(functionsGrown(of(100, 95), budget)).toHaveLength(1);
  expect(functionsGrown(of(90, 85, 81), budget)).toHaveLength(1);
});

test('never raises a budget', () => {
  expect(lowered({ a: [120, 90], b: [85] }, { a: [130, 80, 81], c: [99] })).toEqual({
    a: [120, 80],
  });
});
