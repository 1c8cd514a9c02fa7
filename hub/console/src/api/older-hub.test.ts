// Requests to a hub of the previous release.
import { expect, test } from 'vitest';
import { ApiError } from './client.ts';
import { withoutUnknown } from './older-hub.ts';

const refusal = (message: string) => new ApiError(400, 'invalid_request', message, null);

/** Rejects the first request with this error; returns the sent bodies. */
async function sentTo(message: string): Promise<object[]> {
  const sent: object[] = [];
  await withoutUnknown('fresh', { known: 1, fresh: 2 }, async (body) => {
    sent.push(body);
    if (sent.length === 1) throw refusal(message);
  }).catch((error: ApiError) => sent.push({ refused: error.message }));
  return sent;
}

test('omits the field that an older hub does not know, once, and no other', async () => {
  const both = { known: 1, fresh: 2 };
  expect(await sentTo('/fresh is not a field of this request')).toEqual([both, { known: 1 }]);
  for (const other of ['/fresh must be a UUID', '/known is not a field of this request']) {
    expect(await sentTo(other)).toEqual([both, { refused: other }]);
  }
});
