// The list of homes is updated while the agent runs, without waiting for a hanging file system.
import { expect, test } from 'vitest';
import type { FoundHomes, Home } from './home-list.ts';
import { openHomes } from './live-homes.ts';

const home = (uid: number): Home => ({ owner: String(uid), path: `/h/${uid}`, uid, gid: uid });
const found = (...uids: number[]): FoundHomes => ({ homes: uids.map(home), hanging: [] });

test('lists homes again once for a process of an unknown user', async () => {
  let there = found(1000);
  let listed = 0;
  const changes: string[][] = [];
  const living = await openHomes(async () => {
    listed++;
    return there;
  });
  living.follow((homes) => changes.push(homes.map((home) => home.owner)));
  const { list } = living;
  await living.refresh(['0', '1000', null]);
  // Root’s uid is none of these homes’ and asks once.
  const before = listed;
  there = found(1000, 1001);
  await living.refresh(['1001']);
  expect(listed).toBe(before + 1);
  expect(list.map((home) => home.owner)).toEqual(['1000', '1001']);
  await living.refresh(['1001', '0']);
  expect(listed).toBe(before + 1);
  there = found(1001);
  await living.renew();
  expect(list.map((home) => home.owner)).toEqual(['1001']);
  expect(changes).toEqual([['1000'], ['1000', '1001'], ['1001']]);
});

test('lists processes while a home listing hangs, and starts no second listing', async () => {
  let listed = 0;
  const living = await openHomes(async () => {
    if (listed++ === 0) return found(1000);
    return new Promise<null>(() => undefined);
  });
  await living.refresh(['1001']);
  await living.refresh(['1002']);
  expect(listed).toBe(2);
  expect(living.list).toEqual([home(1000)]);
});

test('keeps homes of a folder that stopped answering, and marks them as hanging', async () => {
  const alice: Home = { owner: '1', path: '/var/net/alice', alias: '/net/alice', uid: 1, gid: 1 };
  const bob: Home = { owner: '2', path: '/home/bob', uid: 2, gid: 2 };
  const carol: Home = { owner: '3', path: '/srv/carol', uid: 3, gid: 3 };
  let there: FoundHomes = { homes: [alice, bob, carol], hanging: [] };
  const living = await openHomes(async () => there);
  const listed: Home = { owner: '1', path: '/net/alice', uid: 1, gid: 1, hangs: true };
  there = { homes: [listed], hanging: ['/home'] };
  await living.renew();
  expect(living.list).toEqual([
    { ...alice, hangs: true },
    { ...bob, hangs: true },
  ]);
});
