// What one device, one token and all bodies together may take of a hub.
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

it('a device that calls without end is told to wait, and its neighbours are not', async () => {
  const loud = randomUUID();
  // More than the token has for all of them.
  const answers = await Promise.all(Array.from({ length: 1_100 }, () => poll(loud)));
  const refused = answers.filter((one) => one.status === 429);
  expect(answers.filter((one) => one.status === 200).length).toBeGreaterThanOrEqual(200);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]?.body.error.code).toBe('too_many_requests');
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect((await poll(randomUUID())).status).toBe(200);
});

it('a device is known by its body where no header names it', async () => {
  const device = aDevice();
  const send = () =>
    deviceCall(strict, 'POST', '/ea/v1/sync/alerts', { body: { device, alerts: [anAlert()] } });
  const answers = await Promise.all(Array.from({ length: 230 }, send));
  expect(answers.some((one) => one.status === 429)).toBe(true);
});

it('a token has a bound over all its devices', async () => {
  const answers = await Promise.all(Array.from({ length: 900 }, () => poll(randomUUID())));
  expect(answers.some((one) => one.status === 429)).toBe(true);
});

it('what was refused stored nothing and may be sent again', async () => {
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

it('without load a device may call as often as it likes', async () => {
  const pollAfter = async () => {
    const answer = await deviceCall(hub, 'GET', '/ea/v1/sync/delta', {
      headers: { 'x-device-id': randomUUID() },
    });
    return answer.body.poll_after_seconds;
  };
  // Once the load of the tests before is over.
  await expect.poll(pollAfter, { timeout: 60_000, interval: 500 }).toBe(1);
}, 70_000);
