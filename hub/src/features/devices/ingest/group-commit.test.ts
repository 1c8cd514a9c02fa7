// A commit batch stores waiting items together, and isolates the error of a single item.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGroupCommitter, type Outcome } from './group-commit.ts';

function recording(run: (items: readonly string[]) => Outcome<string>[], inFlight = 2) {
  const stored: string[][] = [];
  const broken: number[] = [];
  let running = 0;
  let most = 0;
  const groups = createGroupCommitter<string, string>({
    waitMs: 1,
    maxWaitMs: 1,
    isMoreComing: () => false,
    nowMs: () => 0,
    maxItems: 3,
    maxWeight: 10,
    weightOf: (item) => Number(item.slice(1)),
    inFlight,
    async run(tenantId, items) {
      running++;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      const outcomes = run(items);
      stored.push([tenantId, ...items]);
      return outcomes;
    },
    onBroken(_error, size) {
      broken.push(size);
    },
  });
  return { groups, stored, broken, most: () => most };
}
const fine = (items: readonly string[]) => items.map((item) => ({ value: item.toUpperCase() }));

test('closes a commit batch with the item that exceeds its size', async () => {
  const { groups, stored } = recording(fine, 1);
  const answers = await Promise.all(
    ['a6', 'b4', 'c99', 'd1', 'e1', 'f1', 'g1'].map((item) => groups.submit('t1', item)),
  );
  expect(answers).toEqual(['A6', 'B4', 'C99', 'D1', 'E1', 'F1', 'G1']);
  expect(stored).toEqual([
    ['t1', 'a6', 'b4'],
    ['t1', 'c99'],
    ['t1', 'd1', 'e1', 'f1'],
    ['t1', 'g1'],
  ]);
});

test('groups waiting items in order, within a tenant', async () => {
  const { groups, stored } = recording(fine);
  const answers = await Promise.all([
    groups.submit('t1', 'a'),
    groups.submit('t2', 'b'),
    groups.submit('t1', 'c'),
  ]);
  expect(answers).toEqual(['A', 'B', 'C']);
  expect(stored.sort()).toEqual([
    ['t1', 'a', 'c'],
    ['t2', 'b'],
  ]);
});

test('bounds the size and the concurrency of commit batches', async () => {
  const { groups, stored, most } = recording(fine);
  const items = Array.from({ length: 20 }, (_, i) => `i${i}`);
  await Promise.all(items.map((item) => groups.submit('t', item)));
  expect(stored.flatMap(([, ...of]) => of).sort()).toEqual([...items].sort());
  expect(Math.max(...stored.map((results) => results.length - 1))).toBeLessThanOrEqual(3);
  expect(most()).toBe(2);
});

test('isolates an item with an error of its own', async () => {
  const { groups } = recording((items) =>
    items.map((item) => (item === 'bad' ? { error: new Error('mine') } : { value: item })),
  );
  const [good, bad] = await Promise.allSettled([
    groups.submit('t', 'good'),
    groups.submit('t', 'bad'),
  ]);
  expect(good).toMatchObject({ status: 'fulfilled', value: 'good' });
  expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'mine' } });
});

test('bisects a failing commit batch down to the failing item', async () => {
  const { groups, stored, broken } = recording((items) => {
    if (items.includes('poison')) throw new Error('refused by the database');
    return fine(items);
  });
  const results = await Promise.allSettled(['a', 'poison', 'b'].map((i) => groups.submit('t', i)));
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(stored).toEqual([
    ['t', 'a'],
    ['t', 'b'],
  ]);
  expect(broken).toEqual([3, 2]);
});

test('splits a commit batch that is only too large', async () => {
  const { groups, stored } = recording((items) => {
    if (items.length > 2) throw new Error('payload string too long');
    return fine(items);
  });
  expect(await Promise.all(['a', 'b', 'c'].map((i) => groups.submit('t', i)))).toEqual([
    'A',
    'B',
    'C',
  ]);
  expect(stored).toEqual([
    ['t', 'a', 'b'],
    ['t', 'c'],
  ]);
});

test('fails all items at once when the database is unreachable', async () => {
  let runs = 0;
  const { groups } = recording(() => {
    runs++;
    throw Object.assign(new Error('Connection terminated'), { code: '57P01' });
  });
  await Promise.allSettled(['a', 'b'].map((item) => groups.submit('t', item)));
  expect(runs).toBe(1);
});

test('retries a commit batch after a lock timeout, a few times', async () => {
  const heldUp = () => Object.assign(new Error('deadlock detected'), { code: '40P01' });
  let left = 2;
  const { groups } = recording((items) => {
    if (left-- > 0) throw heldUp();
    return fine(items);
  });
  expect(await Promise.all([groups.submit('t', 'a'), groups.submit('t', 'b')])).toEqual(['A', 'B']);
  left = 100;
  await expect(groups.submit('t', 'c')).rejects.toThrow('deadlock');
  expect(left).toBe(96);
});

/** Groups whose timers are moved on by hand, and what they stored. */
function timed(isMoreComing: () => boolean) {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  let now = 0;
  const stored: string[][] = [];
  const groups = createGroupCommitter<string, string>({
    waitMs: 5,
    maxWaitMs: 20,
    isMoreComing,
    nowMs: () => now,
    maxItems: 3,
    maxWeight: 100,
    weightOf: () => 1,
    inFlight: 9,
    async run(_tenantId, items) {
      stored.push([...items]);
      return items.map((value) => ({ value }));
    },
    onBroken: () => undefined,
  });
  const submit = (...items: string[]) => {
    for (const item of items) void groups.submit('t1', item);
  };
  const pass = async (ms: number) => {
    for (let i = 0; i < ms; i++) {
      now++;
      await vi.advanceTimersByTimeAsync(1);
    }
  };
  return { stored, submit, pass };
}

test('waits longer while more items arrive, up to a limit', async () => {
  let isComing = true;
  const { stored, submit, pass } = timed(() => isComing);
  submit('a');
  await pass(12);
  expect(stored).toEqual([]);
  isComing = false;
  await pass(3);
  expect(stored).toEqual([['a']]);
  isComing = true;
  submit('b');
  await pass(19);
  submit('c');
  expect(stored).toEqual([['a']]);
  await pass(1);
  expect(stored).toEqual([['a'], ['b', 'c']]);
});

test('keeps the wait of the next commit batch after a full batch was stored', async () => {
  const { stored, submit, pass } = timed(() => false);
  submit('a');
  await pass(3);
  submit('b', 'c', 'd');
  await pass(2);
  submit('e');
  await pass(2);
  expect(stored).toEqual([['a', 'b', 'c']]);
  await pass(1);
  expect(stored).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]);
});
