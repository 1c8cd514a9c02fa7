// Products that come under an approval are compared with its baseline; products that are already under it are not
// compared again.
import { expect, test } from 'vitest';
import type { DriftedEntity } from './drift-store.ts';
import { comingUnder } from './record-drift.ts';

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
const told = { source: 'skill', launch_hash: 'a'.repeat(64) };

test.each([
  ['new there, and approved', false, true, false, true],
  ['new there, and not approved', false, false, false, false],
  ['changed into what is approved', true, true, false, true],
  ['changed within what is approved', true, true, true, false],
  ['changed out of what is approved', true, false, true, false],
])(
  'decides whether to compare a product that is %s',
  (_, wasThere, isApproved, wasApproved, expected) => {
    const [found, before] = [inVersion('1.0'), inVersion('2.0')];
    const sight = wasThere ? { found, told, before } : { found, told };
    const approved = new Set([...(isApproved ? [found] : []), ...(wasApproved ? [before] : [])]);
    expect(comingUnder([sight], approved)).toEqual(expected ? [sight] : []);
  },
);
