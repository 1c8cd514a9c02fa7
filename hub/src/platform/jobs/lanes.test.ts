// Lanes share slots fairly: other owners start while a slot is free, whatever is hanging.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Held, turnOf, turnsOf, yieldToOtherLanes } from './lanes.ts';

const NOBODY: ReadonlySet<string> = new Set();
const owners = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const manyOwners = fc.array(owners, { maxLength: 400 });

/** A process that takes as the queue does: the oldest first, of owners that are not full, until nothing comes. */
function bench(slots: number) {
  let open: Held[] = [];
  let hanging: Held[] = [];
  const waiting: string[] = [];
  const unwell = () => new Set(hanging.map(({ owner }) => owner));
  const taken: { owner: string; held: number; free: number; isUnwell: boolean }[] = [];
  const held = (owner: string) => open.filter((one) => one.owner === owner).length;
  const takeOnce = (): boolean => {
    for (const { most, full } of turnsOf(open, slots, unwell())) {
      const jobs: string[] = [];
      for (let at = 0; at < waiting.length && jobs.length < most; ) {
        const owner = waiting[at] ?? '';
        if (full.includes(owner)) at++;
        else jobs.push(...waiting.splice(at, 1));
      }
      if (jobs.length === 0) continue;
      open.push(...jobs.map((owner) => ({ owner })));
      for (const owner of new Set(jobs)) {
        const free = slots - open.length;
        taken.push({ owner, held: held(owner), free, isUnwell: unwell().has(owner) });
      }
      return true;
    }
    return false;
  };
  return {
    waiting,
    taken,
    held,
    unwell,
    open: () => open,
    pump() {
      while (takeOnce());
    },
    /** All that is open hangs from now on, and holds no slot. */
    hang() {
      hanging.push(...open);
      open = [];
    },
    /** What hung ends. */
    end() {
      hanging = [];
    },
  };
}

test('opens at most all slots, and lets no owner wait who uses fewer than are free', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.array(manyOwners), (slots, rounds) => {
      const { waiting, held, open, unwell, pump, hang } = bench(slots);
      for (const arriving of rounds) {
        waiting.push(...arriving);
        pump();
        expect(open().length).toBeLessThanOrEqual(slots);
        const free = slots - open().length;
        for (const owner of waiting) {
          const kept = unwell().has(owner) ? Math.floor(slots / 4) : 0;
          expect(held(owner)).toBeGreaterThanOrEqual(free - kept);
        }
        hang();
      }
    }),
  );
});

test('leaves as many slots free as an owner uses, and reserves some when its jobs hang', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.array(manyOwners), (slots, rounds) => {
      const { waiting, taken, pump, hang } = bench(slots);
      for (const arriving of rounds) {
        waiting.push(...arriving);
        pump();
        hang();
      }
      for (const { held, free, isUnwell } of taken) {
        expect(held).toBeLessThanOrEqual(free + 1);
        if (isUnwell) expect(free).toBeGreaterThanOrEqual(Math.floor(slots / 4));
      }
    }),
  );
});

test('starts jobs of a healthy owner at once beside any number of hanging owners', () => {
  const crowds = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 200 }), crowds, (slots, crowd) => {
      const { waiting, held, unwell, pump, hang } = bench(slots);
      for (const [at, count] of crowd.entries()) {
        waiting.push(...Array<string>(count).fill(`hanging ${at}`));
      }
      // In the worst order: all of one, then all of the next. Each is known as soon as one of its own hangs.
      let rounds = 0;
      while (unwell().size < crowd.length && rounds < crowd.length) {
        pump();
        hang();
        rounds++;
      }
      expect(unwell().size).toBe(crowd.length);
      pump();
      waiting.push('live');
      pump();
      expect(held('live')).toBe(1);
    }),
  );
});

test('limits an owner to half of the slots and two owners to a third each, also after hanging jobs ended', () => {
  const { waiting, held, pump, hang, end } = bench(96);
  const both = [...Array<string>(200).fill('a'), ...Array<string>(200).fill('b')];
  waiting.push(...both.slice(0, 200));
  pump();
  expect(held('a')).toBe(48);
  hang();
  end();
  // In turns, as they come.
  waiting.splice(0, waiting.length, ...both.map((_, at) => (at % 2 === 0 ? 'a' : 'b')));
  pump();
  expect([held('a'), held('b')]).toEqual([32, 32]);
});

test('fetches nothing while every slot is in use', () => {
  const open = Array.from({ length: 4 }, (_, at) => ({ owner: String(at) }));
  expect(turnOf(open, 4).most).toBe(0);
  expect(turnsOf(open, 3, NOBODY).map(({ most }) => most)).toEqual([0]);
});

test('aborts the excess of hanging jobs, of the largest owner and the oldest first', () => {
  fc.assert(
    fc.property(manyOwners, fc.integer({ min: 0, max: 100 }), (hanging, most) => {
      const all = hanging.map((owner, at) => ({ owner, at }));
      const ended = yieldToOtherLanes(all, most);
      expect(ended).toHaveLength(Math.max(0, all.length - most));
      const left = all.filter((one) => !ended.includes(one));
      const count = (owner: string) => left.filter((one) => one.owner === owner).length;
      const widest = Math.max(0, ...left.map(({ owner }) => count(owner)));
      for (const { owner, at } of ended) {
        // Whoever lost something is among those that have most still, and lost the longest.
        expect(count(owner)).toBeGreaterThanOrEqual(widest - 1);
        const kept = left.filter((one) => one.owner === owner).map((one) => one.at);
        expect(Math.min(...kept, Number.POSITIVE_INFINITY)).toBeGreaterThan(at);
      }
    }),
  );
});
