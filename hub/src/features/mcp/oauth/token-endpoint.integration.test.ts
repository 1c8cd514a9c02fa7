// What the token endpoint takes at all.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

test('the token endpoint takes forms only, no credentials, and one value of each field', async () => {
  const send = async (headers: Record<string, string>, body: string) => {
    const answer = await fetch(`${hub.url}/gwone/oauth/token`, { method: 'POST', headers, body });
    return [answer.status, ((await answer.json()) as { error: string }).error];
  };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await send({ 'content-type': 'application/json' }, '{}')).toEqual([
    400,
    'invalid_request',
  ]);
  expect(await send(form, 'code=a&code=b&grant_type=authorization_code')).toEqual([
    400,
    'invalid_request',
  ]);
  expect(await send(form, 'grant_type=refresh_token&refresh_token=x')).toEqual([
    400,
    'unsupported_grant_type',
  ]);
  expect(await send(form, 'grant_type=authorization_code')).toEqual([400, 'invalid_request']);
  expect(
    await send({ ...form, authorization: 'Basic eDp5' }, 'grant_type=authorization_code'),
  ).toEqual([401, 'invalid_client']);
});
