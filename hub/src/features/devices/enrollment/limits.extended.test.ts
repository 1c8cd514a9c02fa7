// Rate limits and byte limits apply to each device, each token and all request bodies together.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

let hub: TestHub;
let strict: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
  strict = await startTestHub({ ...hub.config, deviceRate: 1, tokenRate: 4 });
});
afterAll(async () => {
  await strict.stop();
  await hub.stop();
});

const poll = (deviceId: string) =>
  deviceCall(strict, 'GET', '/ea/v1/sync/delta', { headers: { 'x-device-id': deviceId } });

it('answers 429 to a device without pauses, and serves its neighbors', async () => {
  const loud = randomUUID();
  // More than the token has for all of them.
  const answers = await Promise.all(Array.from({ length: 1_100 }, () => poll(loud)));
  const refused = answers.filter((answer) => answer.status === 429);
  expect(answers.filter((answer) => answer.status === 200).length).toBeGreaterThanOrEqual(200);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.body.error.code).toBe('too_many_requests');
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect((await poll(randomUUID())).status).toBe(200);
});

it('identifies a device by its body when no header names it', async () => {
  const device = aDevice();
  const send = () =>
    deviceCall(strict, 'POST', '/ea/v1/sync/alerts', { body: { device, alerts: [anAlert()] } });
  const answers = await Promise.all(Array.from({ length: 230 }, send));
  expect(answers.some((answer) => answer.status === 429)).toBe(true);
});

it('limits a token over all its devices', async () => {
  const answers = await Promise.all(Array.from({ length: 900 }, () => poll(randomUUID())));
  expect(answers.some((answer) => answer.status === 429)).toBe(true);
});

it('stores nothing of a refused request, which may be sent again', async () => {
  const device = aDevice();
  const push = (to: TestHub, batch: ReturnType<typeof aBatch>) =>
    deviceCall(to, 'POST', '/ea/v1/sync/discovered-apps', { body: batch });
  // More at once than the device has left, however slow the machine is.
  const batches = Array.from({ length: 230 }, (_, i) => aBatch(device, [anEntity(`a${i}`)]));
  const answers = await Promise.all(batches.map((batch) => push(strict, batch)));
  const refused = batches.find((_, i) => answers[i]?.status === 429);
  if (refused === undefined) throw new Error('none was refused');
  expect((await push(hub, refused)).body).toMatchObject({ accepted: 1 });
});

it('lets a device call freely without load', async () => {
  const pollAfter = async () => {
    const answer = await deviceCall(hub, 'GET', '/ea/v1/sync/delta', {
      headers: { 'x-device-id': randomUUID() },
    });
    return answer.body.poll_after_seconds;
  };
  // Once the load of the tests before is over.
  await expect.poll(pollAfter, { timeout: 60_000, interval: 500 }).toBe(1);
}, 70_000);
