// The agent's queue and store at full size: ten thousand alerts, two hundred kill -9, a day's worth of changes of the
// network, a thousand damaged logs. Run: npm run long
import { damageLogs } from '@gatewarden/agent/test/damaged-store.ts';
import { runFaultSequence } from '@gatewarden/agent/test/network-fault-sequence.ts';
import { seededRandom } from '@gatewarden/agent/test/random.ts';
import {
  deliverAfterOutage,
  killWhileAlertsWait,
  overflowInAnOutage,
} from '@gatewarden/agent/test/waiting-alerts.ts';
import { expect, test } from 'vitest';

const print = (line: string) => process.stdout.write(`${line}\n`);
const seed = Number(process.env.GATEWARDEN_TEST_SEED ?? 1);

test('delivers ten thousand alerts in order after an outage', { timeout: 600_000 }, async () => {
  const seconds = await deliverAfterOutage(10_000);
  print(`10,000 alerts delivered in order, once, in ${seconds.toFixed(1)} s`);
});

test('overflows the queue during a day without the hub', { timeout: 1_800_000 }, async () => {
  const { residentMb, emptyMb, repeated } = await overflowInAnOutage(
    { limit: 10_000, kills: 20, settleMs: 5_000 },
    seededRandom(seed),
  );
  print(
    `10,000 critical and 5,000 low: no critical lost, 5,000 low counted and reported, ${repeated} sent again over 20 kill -9 and recognized; the agent used ${emptyMb.toFixed(0)} MB with nothing waiting and ${residentMb.toFixed(0)} MB with all of it (seed ${seed})`,
  );
});

test('survives a thousand damaged logs', { timeout: 600_000 }, () => {
  const { kept } = damageLogs(1000, seededRandom(seed));
  expect(kept).toHaveLength(1000);
  print(`1,000 damaged logs: all open, each with a beginning of what was written (seed ${seed})`);
});

test('loses no alert over two hundred kill -9', { timeout: 1_800_000 }, async () => {
  const { alerts, repeated } = await killWhileAlertsWait(200, seededRandom(seed));
  print(
    `200 kill -9: ${alerts} alerts, none lost, none twice; ${repeated} were sent again and recognized (seed ${seed})`,
  );
});

test('survives a day of network faults', { timeout: 3_600_000 }, async () => {
  const { faults, requests } = await runFaultSequence(1440, seededRandom(seed));
  print(
    `1,440 changes of the network, ${requests} requests arrived, converged: ${JSON.stringify(faults)} (seed ${seed})`,
  );
});
