import { expect, test } from 'vitest';
import { chainAt } from './address.ts';

const ID = '0b8f2a4e-1111-4222-8333-944445555666';
const DEVICE = '1c8f2a4e-1111-4222-8333-944445555666';

test.each([
  [`decision.${ID}`, `/overrides/${ID}/why`],
  [`activity.${ID}.${DEVICE}`, `/activity/${ID}/why?device_id=${DEVICE}`],
  [`alert.${ID}.${DEVICE}`, `/alerts/${ID}/why?device_id=${DEVICE}`],
  [`own-decision.${ID}.${DEVICE}`, `/own/devices/${DEVICE}/decisions/${ID}/why`],
  ['call.17', '/mcp/tool-calls/17/why'],
  ['own-call.17', '/own/mcp-calls/17/why'],
  ['own-request.a/b.c', '/own/llm-requests/why?request_id=a%2Fb.c'],
  ['request.any/thing.of &it', '/llm/requests/why?request_id=any%2Fthing.of+%26it'],
  [`own-activity.${ID}.${DEVICE}`, `/own/devices/${DEVICE}/activity/${ID}/why`],
])('%s is the chain at %s', (address, path) => {
  expect(chainAt(address)?.path).toBe(path);
});

test.each([
  'decision',
  'decision.',
  'decision.../../users',
  `decision.${ID}.${DEVICE}`,
  `alert.${ID}`,
  `alert.${ID}.${DEVICE}.more`,
  'call.17/../18',
  'call.',
  'own-call.17/../18',
  'request.',
  `toString.${ID}.${DEVICE}`,
])('%s names no chain, and no other route', (address) => {
  expect(chainAt(address)).toBeNull();
});
