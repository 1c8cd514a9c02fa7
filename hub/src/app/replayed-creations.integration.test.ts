// A replayed creation can be found in the log by either of its request ids.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestHub, type TestHub } from '../../../test/support/hub.ts';
import { manage, RESOURCE_PREFIX, resource } from '../../../test/support/management.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { startHub } from './server.ts';

type Parameter = { name: string; description?: string };

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

test('returns the first request_id in a replayed body, its own in the header, and logs both', async () => {
  const lines: { event?: string }[] = [];
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  const second = await startHub({ ...hub.config, port: 0 }, log);
  const { secret } = await manage(hub);
  const call = () =>
    resource({ ...hub, url: second.url }, secret, 'POST', '/providers', {
      key: 'replayed-1',
      body: { label: 'replayed', provider_name: 'gw_ai' },
    });
  try {
    const first = await call();
    const replay = await call();
    expect(replay.body).toEqual(first.body);
    const [own, original] = [replay.headers.get('x-request-id'), first.body.request_id];
    expect(first.headers.get('x-request-id')).toBe(original);
    expect(own).not.toBe(original);
    expect(lines.filter((line) => line.event === 'answer_replayed')).toMatchObject([
      { request_id: own, original_request_id: original },
    ]);
  } finally {
    await second.stop();
  }
  const { paths } = hub.hub.openApi() as {
    paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  };
  const post = paths[`${RESOURCE_PREFIX}/providers`]?.post;
  const documented = post?.parameters?.find(({ name }) => name === 'Idempotency-Key')?.description;
  expect(documented).toMatch(/request_id.*first request.*X-Request-ID.*repeat/);
});
