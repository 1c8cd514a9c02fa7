// Only a launch or a permission that was not reported before needs a comparison with the baseline.
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { expect, test } from 'vitest';
import { canDrift, hasNewFacts } from './fingerprint.ts';

type Launched = Pick<WireEntity, 'launch_hash' | 'instances'>;

const H = (digit: string) => digit.repeat(64);
const permitted = (...permissions: string[]) => ({ instances: [{ permissions }] });

test.each<[string, Launched, Launched]>([
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
  ['a launch that is gone', { launch_hash: H('a') }, { launch_hash: null }],
])('ignores %s', (_what, before, after) => {
  expect(hasNewFacts(before, after)).toBe(false);
});

test.each<[string, Launched, Launched]>([
  ['another launch', { launch_hash: H('a') }, { launch_hash: H('b') }],
  [
    'another launch of an instance',
    { instances: [{ launch_hash: H('a') }] },
    { instances: [{ launch_hash: H('a') }, { launch_hash: H('c') }] },
  ],
  ['an added permission', permitted('tabs'), permitted('tabs', 'history')],
  ['the first launch', { launch_hash: null }, { launch_hash: H('a') }],
  [
    'the first launch of an instance',
    { instances: [{ owner: 'a', launch_hash: null }] },
    { instances: [{ owner: 'a', launch_hash: H('a') }] },
  ],
])('reports %s', (_what, before, after) => {
  expect(hasNewFacts(before, after)).toBe(true);
});

test('reports drift for a hook whose definition changed in its place', () => {
  const hook = (launch_hash: string) => ({
    launch_hash,
    instances: [
      { owner: 'a', path: '~/.claude/settings.json', name: 'PreToolUse Bash', launch_hash },
    ],
  });
  expect(hasNewFacts(hook(H('a')), hook(H('b')))).toBe(true);
  expect(hasNewFacts(hook(H('a')), hook(H('a')))).toBe(false);
});

test('ignores apps without launches and permissions', () => {
  expect(canDrift({ launch_hash: null, instances: [{ permissions: [] }] })).toBe(false);
  expect(canDrift(permitted('tabs'))).toBe(true);
});
