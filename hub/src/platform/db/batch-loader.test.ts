// Lookups are batched: each receives its own result, and never a result from before its request.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../test/support/property-runs.ts';
import { createBatchLoader, createTenantBatchLoader } from './batch-loader.ts';

test('adds lookups during a running statement to the next statement', async () => {
  const sent: number[][] = [];
  const gates: (() => void)[] = [];
  const ask = createBatchLoader(async (questions: readonly number[]) => {
    sent.push([...questions]);
    await new Promise<void>((resolve) => gates.push(resolve));
    return questions.map((question) => question * 10);
  });
  const first = [ask(1), ask(2)];
  await expect.poll(() => sent).toEqual([[1, 2]]);
  const second = [ask(3), ask(1)];
  gates.shift()?.();
  expect(await Promise.all(first)).toEqual([10, 20]);
  await expect
    .poll(() => sent)
    .toEqual([
      [1, 2],
      [3, 1],
    ]);
  gates.shift()?.();
  expect(await Promise.all(second)).toEqual([30, 10]);
});

test('rejects only the lookups of a failed statement, and runs the next', async () => {
  let fails = true;
  const ask = createBatchLoader(async (questions: readonly number[]) => {
    if (fails) throw new Error('away');
    return questions;
  });
  const lost = await Promise.allSettled([ask(1), ask(2)]);
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await ask(3)).toBe(3);
});

test('returns each lookup its own result in any order and timing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(1000), fc.nat(3)), { maxLength: 600 }),
      async (all) => {
        const ask = createBatchLoader(async (questions: readonly number[]) =>
          questions.map((question) => -question),
        );
        const answers = all.map(async ([question, turns]) => {
          for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
          return ask(question);
        });
        expect(await Promise.all(answers)).toEqual(all.map(([question]) => -question));
      },
    ),
    { numRuns: propertyRuns(30) },
  );
});

test('batches lookups of a tenant, without waiting for another tenant', async () => {
  const sent: [string, number[]][] = [];
  const gates = new Map<string, () => void>();
  const ask = createTenantBatchLoader(async (tenantId, questions: readonly number[]) => {
    sent.push([tenantId, [...questions]]);
    await new Promise<void>((resolve) => gates.set(tenantId, resolve));
    return questions.map((question) => `${tenantId} ${question}`);
  });
  const slow = [ask('a', 1), ask('a', 2)];
  const quick = ask('b', 1);
  await expect.poll(() => sent).toHaveLength(2);
  expect(sent).toEqual([
    ['a', [1, 2]],
    ['b', [1]],
  ]);
  gates.get('b')?.();
  expect(await quick).toBe('b 1');
  gates.get('a')?.();
  expect(await Promise.all(slow)).toEqual(['a 1', 'a 2']);
});
