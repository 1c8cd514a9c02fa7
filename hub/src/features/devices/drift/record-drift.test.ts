// Products that come under an approval are compared with its baseline; products that are already under it are not
// compared again.
import { expect, test } from 'vitest';
import type { DriftedEntity } from './drift-store.ts';
import { newlyApproved } from './record-drift.ts';

const inVersion = (version: string): DriftedEntity => ({
  device_id: 'd',
  platform: 'linux',
  subscriber_id: 'alice',
  entity_id: 'e',
  kind: 'ai_tool',
  name: 'skill',
  version,
  publisher: null,
});
const reported = { source: 'skill', launch_hash: 'a'.repeat(64) };

test.each([
  ['new and approved', false, true, false, true],
  ['new and not approved', false, false, false, false],
  ['changed into what is approved', true, true, false, true],
  ['changed within what is approved', true, true, true, false],
  ['changed out of what is approved', true, false, true, false],
])(
  'decides whether to compare a product that is %s',
  (_, wasThere, isApproved, wasApproved, expected) => {
    const [entity, previousState] = [inVersion('1.0'), inVersion('2.0')];
    const observation = wasThere ? { entity, reported, previousState } : { entity, reported };
    const approved = new Set([
      ...(isApproved ? [entity] : []),
      ...(wasApproved ? [previousState] : []),
    ]);
    expect(newlyApproved([observation], approved)).toEqual(expected ? [observation] : []);
  },
);
