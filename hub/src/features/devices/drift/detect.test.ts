// Drift is a changed launch or an added permission, and no other change.
import { expect, test } from 'vitest';
import { detectDrift } from './detect.ts';

const H = (digit: string) => digit.repeat(64);
const permitted = (...permissions: string[]) => ({ instances: [{ permissions }] });

test.each([
  ['the same', { launch_hash: H('a') }, { launch_hash: H('a') }],
  [
    'an owner of two who uninstalls',
    {
      launch_hash: H('a'),
      instances: [
        { owner: 'a', launch_hash: H('a') },
        { owner: 'b', launch_hash: H('b') },
      ],
    },
    { launch_hash: H('b'), instances: [{ owner: 'b', launch_hash: H('b') }] },
  ],
  [
    'a new version in a folder of its own',
    { instances: [{ owner: 'a', path: '~/ext-1', launch_hash: H('a') }] },
    { instances: [{ owner: 'a', path: '~/ext-2', launch_hash: H('a') }] },
  ],
  [
    'the same launch also reported for the instance',
    { launch_hash: H('a'), instances: [{ owner: 'a' }] },
    { launch_hash: H('a'), instances: [{ owner: 'a', launch_hash: H('a') }] },
  ],
  ['fewer permissions', permitted('tabs', 'history'), permitted('tabs')],
  ['the same permissions in another order', permitted('a', 'b'), permitted('b', 'a')],
  [
    'the same launch for another person',
    { instances: [{ owner: 'a', launch_hash: H('a') }] },
    {
      instances: [
        { owner: 'a', launch_hash: H('a') },
        { owner: 'b', launch_hash: H('a') },
      ],
    },
  ],
])('ignores %s', (_what, before, after) => {
  expect(detectDrift(before, after)).toBeNull();
});

test('reports another launch of the entity or an instance', () => {
  const drift = { launchChanged: true, newPermissions: [] };
  expect(detectDrift({ launch_hash: H('a') }, { launch_hash: H('b') })).toEqual(drift);
  expect(detectDrift({ launch_hash: H('a') }, { launch_hash: null })).toEqual(drift);
  const item = { instances: [{ launch_hash: H('a') }] };
  const two = { instances: [{ launch_hash: H('a') }, { launch_hash: H('c') }] };
  expect(detectDrift(item, two)).toEqual(drift);
});

test('reports and names an added permission', () => {
  expect(detectDrift(permitted('tabs'), permitted('tabs', 'history', 'cookies'))).toEqual({
    launchChanged: false,
    newPermissions: ['cookies', 'history'],
  });
});

test('reports a launch that was unknown before', () => {
  const drift = { launchChanged: true, newPermissions: [] };
  expect(detectDrift({ launch_hash: null }, { launch_hash: H('a') })).toEqual(drift);
  const instance = (launch_hash: string | null) => ({ instances: [{ owner: 'a', launch_hash }] });
  expect(detectDrift(instance(null), instance(H('a')))).toEqual(drift);
  expect(detectDrift(instance(H('a')), instance(null))).toEqual(drift);
});

test('reports two owners who exchange their launches', () => {
  const owned = (a: string, b: string) => ({
    launch_hash: H('a'),
    instances: [
      { owner: 'a', path: '~/mcp.json', launch_hash: H(a) },
      { owner: 'b', path: '~/mcp.json', launch_hash: H(b) },
    ],
  });
  expect(detectDrift(owned('a', 'b'), owned('b', 'a'))?.launchChanged).toBe(true);
  expect(detectDrift(owned('a', 'b'), owned('a', 'b'))).toBeNull();
});

test('reports drift for a hook whose definition changed in its place', () => {
  const hook = (launch_hash: string) => ({
    launch_hash,
    instances: [
      { owner: 'a', path: '~/.claude/settings.json', name: 'PreToolUse Bash', launch_hash },
    ],
  });
  expect(detectDrift(hook(H('a')), hook(H('b')))).toEqual({
    launchChanged: true,
    newPermissions: [],
  });
  expect(detectDrift(hook(H('a')), hook(H('a')))).toBeNull();
});
