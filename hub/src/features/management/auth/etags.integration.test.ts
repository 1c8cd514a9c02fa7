// Headers and statuses in openapi.json agree with real responses.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import {
  type Management,
  makeApp,
  manage,
  RESOURCE_PREFIX,
} from '../../../../../test/support/management.ts';

let hub: TestHub;
let api: Management;
type Response = { headers?: Record<string, object> };
let paths: Record<string, Record<string, { responses: Record<string, Response> }>>;

beforeAll(async () => {
  hub = await sharedTestHub();
  api = await manage(hub);
  ({ paths } = (await api.call('GET', '/openapi.json')).body);
});
afterAll(() => hub.stop());

const responses = (method: string, path: string) =>
  paths[`${RESOURCE_PREFIX}${path}`]?.[method.toLowerCase()]?.responses ?? {};

test('documents an ETag for the operations that return it, and for no others', async () => {
  const app = await makeApp(api, 'documented');
  const { provider_labels, version } = app.body.app;
  const ids = { app_name: 'documented', key_id: app.body.key.key_id, label: provider_labels[0] };
  const put = await api.call('PUT', '/apps/documented/prompts/p', {
    ifMatch: version,
    body: { content: 'x' },
  });
  const seen: [string, string, { status: number; headers: Headers }][] = [
    ['POST', '/apps', app],
    ['PUT', '/apps/{app_name}/prompts/{prompt_id}', put],
  ];
  for (const path of [
    '/apps',
    '/apps/{app_name}',
    '/apps/{app_name}/providers',
    '/apps/{app_name}/keys',
    '/apps/{app_name}/keys/{key_id}',
    '/apps/{app_name}/prompts/{prompt_id}',
    '/apps/{app_name}/versions',
    '/providers/{label}',
    '/capabilities',
    '/audit',
  ]) {
    const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent({ ...ids, prompt_id: 'p' }[name] ?? ''),
    );
    seen.push(['GET', path, await api.call('GET', at)]);
  }
  for (const [method, path, answer] of seen) {
    const documented = responses(method, path)[answer.status];
    const { headers } = documented ?? {};
    expect([path, headers !== undefined && 'ETag' in headers]).toEqual([
      path,
      answer.headers.get('etag') !== null,
    ]);
  }
});

test('explains in the document why versions and audit events have no ETag', async () => {
  const { body } = await api.call('GET', '/audit');
  const event = await api.call('GET', `/audit/${body.items[0].event_id}`);
  expect([event.status, event.headers.get('etag')]).toEqual([200, null]);
  for (const path of ['/audit/{event_id}', '/apps/{app_name}/versions/{version_id}']) {
    expect(responses('GET', path)['200']?.headers).toBeUndefined();
    expect(paths[`${RESOURCE_PREFIX}${path}`]?.get).toMatchObject({
      description: expect.stringContaining('never changes'),
    });
  }
});

test('answers 400 to a type other than JSON, and documents no 415', async () => {
  const answer = await api.call('POST', '/providers', {
    headers: { 'content-type': 'text/plain' },
  });
  expect(answer.status).toBe(400);
  expect(Object.keys(responses('POST', '/providers'))).not.toContain('415');
  expect(responses('POST', '/providers')['429']?.headers).toHaveProperty('Retry-After');
});
