// Own changes that are sent again, and changes of other users.
import { expect, test } from 'vitest';
import { ApiError } from './client.ts';
import { changedOnce, madeOnce } from './own-change.ts';

const lost = () => Promise.reject(new ApiError(0, 'unreachable', 'no answer', null));
const conflict = () => Promise.reject(new ApiError(412, 'precondition_failed', 'newer', null));

let records = 0;

/** Returns the responses to repeated requests with `body` and the same version, over the record `stored`. */
function aRecord(stored: object) {
  records += 1;
  const url = `/records/${records}`;
  return (body: object, send: () => Promise<unknown>): Promise<unknown> =>
    changedOnce<unknown>({
      ...{ url, body, send, ifMatch: '"3"', email: 'ada@example.com' },
      read: async () => ({ record: stored, request_id: 'r' }),
    }).catch((error: ApiError) => error.code);
}

const sent = {
  name: 'Laptops ',
  description: '',
  rule: { conditions: [{ values: ['b', 'a'] }], note: null },
};
const held = {
  name: 'Laptops',
  description: null,
  rule: { conditions: [{ values: ['a', 'b'] }] },
  more: 1,
};

test('sent again after a lost answer, what was stored is the answer', async () => {
  const write = aRecord(held);
  expect(await write(sent, lost)).toBe('unreachable');
  expect(await write(sent, conflict)).toEqual({ record: held, request_id: 'r' });
});

test('recognizes the repeated request of the browser by the author of the record', async () => {
  const same = { ...held, rule: { conditions: [{ values: ['b', 'a'] }] } };
  const mine = { ...same, updated_by: 'ada@example.com' };
  expect(await aRecord(mine)(sent, conflict)).toMatchObject({ record: mine });
  // The order may be the only change, stored in another window.
  const moved = { ...held, updated_by: 'ada@example.com' };
  expect(await aRecord(moved)(sent, conflict)).toBe('precondition_failed');
  const theirs = { ...same, updated_by: 'bob@example.com' };
  expect(await aRecord(theirs)(sent, conflict)).toBe('precondition_failed');
});

test.each<[string, object]>([
  ['another name', { ...held, name: 'Desktops' }],
  ['a list with more', { ...held, rule: { conditions: [{ values: ['a', 'b', 'c'] }] } }],
  ['what was taken out', { ...held, rule: { ...held.rule, note: 'still here' } }],
  ['nothing of a field, as of a secret', { name: held.name, rule: held.rule }],
])('rejects a record with %s as a record of another user', async (_, stored) => {
  const write = aRecord(stored);
  await write(sent, lost);
  expect(await write(sent, conflict)).toBe('precondition_failed');
});

test('something else than what was lost is no repeat', async () => {
  const write = aRecord(held);
  await write({ name: 'Desktops' }, lost);
  expect(await write(sent, conflict)).toBe('precondition_failed');
});

test('finds a created record by its name, and rejects records of other users with that name', async () => {
  const taken = () => Promise.reject(new ApiError(409, 'already_exists', 'taken', null));
  const make = (url: string, created_by: string, send: () => Promise<{ group: unknown }>) => {
    async function* among() {
      yield { name: 'Servers' };
      yield { ...held, created_by };
    }
    const rest = { send, among, as: 'group' as const, email: 'ada@example.com' };
    return madeOnce({ url, body: sent, ...rest }).catch((error: ApiError) => error.code);
  };
  expect(await make('/a', 'bob@example.com', taken)).toBe('already_exists');
  expect(await make('/b', 'ada@example.com', taken)).toMatchObject({ group: held });
  expect(await make('/c', 'unknown', lost)).toBe('unreachable');
  expect(await make('/c', 'unknown', taken)).toMatchObject({ group: held });
});
