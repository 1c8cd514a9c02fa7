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

test('a web page reads the documents, and registers only from an origin that the company names', async () => {
  await hub.console('PUT', '/mcp/settings', {
    body: { allowed_origins: ['https://inspector.example'] },
  });
  const ask = (path: string, method: string, origin: string) =>
    fetch(hub.url + path, { method, headers: { origin } });
  const allowed = (answer: Response) => answer.headers.get('access-control-allow-origin');
  const document = '/.well-known/oauth-protected-resource/gwone/mcp';
  expect(allowed(await ask(document, 'OPTIONS', 'https://any.example'))).toBe('*');
  expect(allowed(await ask(document, 'GET', 'https://any.example'))).toBe('*');
  const endpoint = `/gwone/${hub.tenantId}/oauth/register`;
  const preflight = await ask(endpoint, 'OPTIONS', 'https://inspector.example');
  expect([preflight.status, allowed(preflight)]).toEqual([204, 'https://inspector.example']);
  expect(allowed(await ask(endpoint, 'POST', 'https://inspector.example'))).toBe(
    'https://inspector.example',
  );
  expect(allowed(await ask(endpoint, 'OPTIONS', 'https://any.example'))).toBeNull();
  expect(
    allowed(await ask('/gwone/oauth/register', 'OPTIONS', 'https://inspector.example')),
  ).toBeNull();
});
