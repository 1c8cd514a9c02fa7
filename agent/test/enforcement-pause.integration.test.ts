// A person pauses their agent: only where the company allows it, over a kill, and with a report to the hub.
import { expect, test } from 'vitest';
import { askService } from '../src/local-api/socket-client.ts';
import { readOwnKey } from '../src/local-api/user-keys.ts';
import { makeFolder, startAgent, until, writeConfig } from './agent-process.ts';
import { startHubDouble } from './hub-double.ts';

test('pauses on request where the company allows it, over a kill', async () => {
  const hub = await startHubDouble();
  const dataDir = makeFolder();
  writeConfig(dataDir, hub.url, 'monitor');
  const ask = (path: string, minutes: number | null = null, key = readOwnKey(dataDir)) =>
    askService<{ until: string | null }>(
      dataDir,
      'status',
      'POST',
      path,
      key,
      minutes === null ? '' : JSON.stringify({ minutes }),
    );
  const status = async () => {
    const answer = await askService<{ pause: object; contact: string | null }>(
      ...([dataDir, 'status', 'GET', '/status'] as const),
    );
    return { ...answer?.pause, contact: answer?.contact };
  };
  const first = await startAgent(dataDir);
  await until(() => hub.seen.some((request) => request.path.endsWith('/delta')));
  expect(await status()).toEqual({
    ...{ allowed_minutes: 0, left_minutes: 0, until: null, contact: null },
  });
  await expect(ask('/pause', 5)).rejects.toThrow('a pause is not allowed on this device');
  hub.tray = { pause_minutes: 30, contact: 'it@example.com' };
  await expect.poll(status).toMatchObject({ allowed_minutes: 30, contact: 'it@example.com' });
  await expect(ask('/pause', 5, null)).rejects.toThrow('only a person of this device');
  await expect(ask('/pause', 31)).rejects.toThrow('30 minutes of pause are left');
  const begun = await ask('/pause', 10);
  expect(begun?.until).toEqual(expect.any(String));
  await until(() => hub.alerts.length === 1);
  await first.end('SIGKILL');
  await startAgent(dataDir);
  expect(await status()).toMatchObject({ until: begun?.until });
  await expect(ask('/resume', null, null)).rejects.toThrow('only a person of this device');
  expect((await ask('/resume'))?.until).toBe(null);
  await until(() => hub.alerts.length === 2);
  const uid = process.getuid?.();
  expect(hub.alerts.map((alert) => [alert.action, alert.code, alert.message])).toEqual([
    ['agent', 'pause', `Enforcement is paused for 10 minutes by the person with user id ${uid}`],
    ['agent', 'pause', `The pause was ended by the person with user id ${uid}`],
  ]);
  await ask('/pause', 20);
  hub.tray = null;
  await expect.poll(status).toMatchObject({ allowed_minutes: 0, until: null });
  expect(hub.violations).toEqual([]);
  await hub.close();
});
