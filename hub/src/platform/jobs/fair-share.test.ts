// Owners share slots fairly: another owner starts while a slot is free, whatever is hanging.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ActiveJob, planFetch, planFetches, selectEvictions } from './fair-share.ts';

const NO_OWNERS: ReadonlySet<string> = new Set();
const owners = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
const manyOwners = fc.array(owners, { maxLength: 400 });

/** Simulates a process that fetches like the queue: oldest first, of owners that are not exhausted, until nothing is left. */
function simulate(slots: number) {
  let open: ActiveJob[] = [];
  let hanging: ActiveJob[] = [];
  const waiting: string[] = [];
  const hangingOwners = () => new Set(hanging.map(({ owner }) => owner));
  const taken: { owner: string; active: number; free: number; isHanging: boolean }[] = [];
  const countActive = (owner: string) => open.filter((job) => job.owner === owner).length;
  const fetchOnce = (): boolean => {
    for (const { max, exhausted } of planFetches(open, slots, hangingOwners())) {
      const jobs: string[] = [];
      for (let at = 0; at < waiting.length && jobs.length < max; ) {
        const owner = waiting[at] ?? '';
        if (exhausted.includes(owner)) at++;
        else jobs.push(...waiting.splice(at, 1));
      }
      if (jobs.length === 0) continue;
      open.push(...jobs.map((owner) => ({ owner })));
      for (const owner of new Set(jobs)) {
        const free = slots - open.length;
        taken.push({
          owner,
          active: countActive(owner),
          free,
          isHanging: hangingOwners().has(owner),
        });
      }
      return true;
    }
    return false;
  };
  return {
    waiting,
    taken,
    countActive,
    hangingOwners,
    open: () => open,
    fetchAll() {
      while (fetchOnce());
    },
    /** Makes all active jobs hang, so that they release their slots. */
    hang() {
      hanging.push(...open);
      open = [];
    },
    /** Ends all hanging jobs. */
    end() {
      hanging = [];
    },
  };
}

test('starts at most all slots, and delays no owner that uses fewer than are free', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.array(manyOwners), (slots, rounds) => {
      const { waiting, countActive, open, hangingOwners, fetchAll, hang } = simulate(slots);
      for (const arriving of rounds) {
        waiting.push(...arriving);
        fetchAll();
        expect(open().length).toBeLessThanOrEqual(slots);
        const free = slots - open().length;
        for (const owner of waiting) {
          const reserved = hangingOwners().has(owner) ? Math.floor(slots / 4) : 0;
          expect(countActive(owner)).toBeGreaterThanOrEqual(free - reserved);
        }
        hang();
      }
    }),
  );
});

test('leaves as many slots free as an owner uses, and reserves some when its jobs hang', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.array(manyOwners), (slots, rounds) => {
      const { waiting, taken, fetchAll, hang } = simulate(slots);
      for (const arriving of rounds) {
        waiting.push(...arriving);
        fetchAll();
        hang();
      }
      for (const { active, free, isHanging } of taken) {
        expect(active).toBeLessThanOrEqual(free + 1);
        if (isHanging) expect(free).toBeGreaterThanOrEqual(Math.floor(slots / 4));
      }
    }),
  );
});

test('starts jobs of a healthy owner at once beside any number of hanging owners', () => {
  const crowds = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 8, max: 200 }), crowds, (slots, crowd) => {
      const { waiting, countActive, hangingOwners, fetchAll, hang } = simulate(slots);
      for (const [at, count] of crowd.entries()) {
        waiting.push(...Array<string>(count).fill(`hanging ${at}`));
      }
      // The worst order is owner by owner. An owner counts as hanging as soon as a job of it hangs.
      let rounds = 0;
      while (hangingOwners().size < crowd.length && rounds < crowd.length) {
        fetchAll();
        hang();
        rounds++;
      }
      expect(hangingOwners().size).toBe(crowd.length);
      fetchAll();
      waiting.push('live');
      fetchAll();
      expect(countActive('live')).toBe(1);
    }),
  );
});

test('limits an owner to half of the slots and two owners to a third each, also after hanging jobs ended', () => {
  const { waiting, countActive, fetchAll, hang, end } = simulate(96);
  const both = [...Array<string>(200).fill('a'), ...Array<string>(200).fill('b')];
  waiting.push(...both.slice(0, 200));
  fetchAll();
  expect(countActive('a')).toBe(48);
  hang();
  end();
  // Jobs of both owners alternate.
  waiting.splice(0, waiting.length, ...both.map((_, at) => (at % 2 === 0 ? 'a' : 'b')));
  fetchAll();
  expect([countActive('a'), countActive('b')]).toEqual([32, 32]);
});

test('fetches nothing while every slot is in use', () => {
  const open = Array.from({ length: 4 }, (_, at) => ({ owner: String(at) }));
  expect(planFetch(open, 4).max).toBe(0);
  expect(planFetches(open, 3, NO_OWNERS).map(({ max }) => max)).toEqual([0]);
});

test('aborts the excess of hanging jobs, of the largest owner and the oldest first', () => {
  fc.assert(
    fc.property(manyOwners, fc.integer({ min: 0, max: 100 }), (hanging, max) => {
      const all = hanging.map((owner, at) => ({ owner, at }));
      const ended = selectEvictions(all, max);
      expect(ended).toHaveLength(Math.max(0, all.length - max));
      const remaining = all.filter((job) => !ended.includes(job));
      const count = (owner: string) => remaining.filter((job) => job.owner === owner).length;
      const widest = Math.max(0, ...remaining.map(({ owner }) => count(owner)));
      for (const { owner, at } of ended) {
        // An owner with an evicted job is still among the largest, and lost its oldest jobs.
        expect(count(owner)).toBeGreaterThanOrEqual(widest - 1);
        const ages = remaining.filter((job) => job.owner === owner).map((job) => job.at);
        expect(Math.min(...ages, Number.POSITIVE_INFINITY)).toBeGreaterThan(at);
      }
    }),
  );
});
