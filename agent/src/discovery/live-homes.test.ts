// Who comes while the agent runs is known at once, and always in the same list.
import { expect, test } from 'vitest';
import type { Home } from './homes.ts';
import { openHomes } from './live-homes.ts';

const home = (uid: number): Home => ({ owner: String(uid), path: `/h/${uid}`, uid, gid: uid });

test('a stranger’s process makes the homes be listed again, once', () => {
  let there = [home(1000)];
  let listed = 0;
  const changes: string[][] = [];
  const living = openHomes(
    (homes) => changes.push(homes.map((one) => one.owner)),
    () => {
      listed++;
      return [...there];
    },
  );
  const { list } = living;
  living.look([0, 1000, null]);
  // Root’s uid is none of these homes’ and asks once.
  expect(listed).toBe(2);
  there = [home(1000), home(1001)];
  living.look([1001]);
  expect(list.map((one) => one.owner)).toEqual(['1000', '1001']);
  living.look([1001, 0]);
  expect(listed).toBe(3);
  there = [home(1001)];
  living.renew();
  expect(list.map((one) => one.owner)).toEqual(['1001']);
  expect(changes).toEqual([['1000'], ['1000', '1001'], ['1001']]);
});
