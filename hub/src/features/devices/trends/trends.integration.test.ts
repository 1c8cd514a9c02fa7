import type { TrendSeries } from '@gatewarden/shared/wire/console/trends.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from '../../../../../test/support/builders.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';
import { groupProducts } from '../products/index.ts';
import { countDays } from './index.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub?.stop());

const daysOf = async (series: TrendSeries) => {
  const { body } = await hub.console('GET', '/trends');
  const found = body.series.find((item: { series: string }) => item.series === series);
  return found.days.map(({ value }: { value: number }) => value);
};
const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

it('fills earlier days from installation dates, and stores today', async () => {
  const device = aDevice();
  const tool = (name: string, installed_at: string) =>
    anEntity(name, { kind: 'ai_tool', installed_at });
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [tool('old-tool', dayAgo(100)), tool('new-tool', dayAgo(3))]),
  });
  await groupProducts(hub.context.database.db);
  await countDays(hub.context.database.db);
  const tools = await daysOf('ai_tools');
  expect(tools).toHaveLength(30);
  expect([tools[0], tools.at(-5), tools.at(-1)]).toEqual([1, 1, 2]);
  expect(await daysOf('devices')).toEqual([1]);
});

it('counts open alerts anew today, also when none is left', async () => {
  const { db, pool } = hub.context.database;
  const alert = anAlert();
  await deviceCall(hub, 'POST', '/ea/v1/sync/alerts', {
    body: { device: aDevice(), alerts: [alert] },
  });
  await countDays(db);
  expect((await daysOf('open_alerts')).at(-1)).toBe(1);
  await hub.console('POST', `/alerts/${alert.alert_id}/acknowledge`);
  await countDays(db);
  expect((await daysOf('open_alerts')).at(-1)).toBe(0);
  expect(
    (
      await pool.query('SELECT count(*)::int AS rows FROM daily_counts WHERE day = $1', [
        new Date().toISOString().slice(0, 10),
      ])
    ).rows,
  ).toEqual([{ rows: 5 }]);
});

it('counts devices online from today on, without devices that were last seen more than a day ago', async () => {
  const { db, pool } = hub.context.database;
  const enrolled = (await daysOf('devices')).at(-1);
  const device = aDevice();
  await deviceCall(hub, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(device, [anEntity('quiet')]),
  });
  await pool.query(
    'UPDATE devices SET last_seen_at = $2, first_seen_at = $2 WHERE device_id = $1',
    [device.device_id, dayAgo(2)],
  );
  await countDays(db);
  expect((await daysOf('devices')).at(-1)).toBe(enrolled + 1);
  expect(await daysOf('devices_online')).toEqual([enrolled]);
});

it('counts a tenant at its first reading, and none without devices', async () => {
  const { tenantId, adminToken, agentToken } = await hub.newTenant('Second');
  const read = async () => {
    const { body } = await hub.console('GET', '/trends', { tenantId, token: adminToken });
    return body.series.flatMap(({ days }: { days: { value: number }[] }) => days);
  };
  await countDays(hub.context.database.db);
  expect(await read()).toEqual([]);
  await deviceCall({ url: hub.url, tenantId, agentToken }, 'POST', '/ea/v1/sync/discovered-apps', {
    body: aBatch(aDevice(), [anEntity('plain')]),
  });
  expect((await read()).map(({ value }: { value: number }) => value)).toEqual([0, 0, 1, 1, 0]);
});
