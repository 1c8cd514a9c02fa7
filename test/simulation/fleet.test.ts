// Load of a fleet on a hub when all devices boot together, and when the hub answers 503 for ten minutes: the agent's own
// loops in virtual time, device after device, their requests put together. GATEWARDEN_FLEET=10000 for the long run.

import { MAX_BACKOFF_MS } from '@gatewarden/agent/src/sync/backoff.ts';
import { expect, test } from 'vitest';
import { propertyRuns } from '../support/property-runs.ts';
import { SeededRandom } from './simulated-environment.ts';
import { Testbed } from './testbed.ts';

/** Fewer than a hundred devices have a peak by chance alone. */
const DEVICES = Number(process.env.GATEWARDEN_FLEET ?? Math.max(100, propertyRuns(300)));
const POLL_EVERY_MS = 60_000;
const PATIENCE_MS = 120_000 + DEVICES * 300;
const SETTLED_MS = 400_000;
/** Whatever fails waits no longer, and then for its turn. */
const BACK_WITHIN_MS = MAX_BACKOFF_MS + 1.2 * POLL_EVERY_MS;

/** Returns a device that the hub knows and that has no more reports to send. */
async function settled(seed: number): Promise<Testbed> {
  const stage = new Testbed(seed, {}, false);
  stage.machine.pollEveryMs = POLL_EVERY_MS;
  stage.isQuiet = true;
  Object.assign(stage.network, { weather: 'fair', isQuick: true, mostEntities: Infinity });
  await stage.world.run(stage.world.now + SETTLED_MS);
  return stage;
}

async function requestsWithin(stage: Testbed, ms: number): Promise<{ at: number; path: string }[]> {
  const from = stage.world.now;
  const requests: { at: number; path: string }[] = [];
  stage.network.asked = ({ pathAndQuery }) => {
    requests.push({ at: stage.world.now - from, path: pathAndQuery.split('?')[0] ?? '' });
  };
  await stage.world.run(from + ms);
  return requests;
}

test(
  'spreads the requests of a fleet that boots together',
  async () => {
    const bySecond = new Array<number>(POLL_EVERY_MS / 1000).fill(0);
    for (let seed = 1; seed <= DEVICES; seed++) {
      const stage = await settled(seed);
      stage.reboot();
      for (const { at } of await requestsWithin(stage, POLL_EVERY_MS)) {
        const second = Math.floor(at / 1000);
        bySecond[second] = (bySecond[second] ?? 0) + 1;
      }
    }
    const mean = bySecond.reduce((sum, value) => sum + value, 0) / bySecond.length;
    const peak = Math.max(...bySecond) / mean;
    if (process.env.GATEWARDEN_FLEET !== undefined) {
      console.log(`${DEVICES} devices: the peak second has ${peak.toFixed(2)} of the mean`);
    }
    // Each of them asks at least once, and chance has its share in a small fleet.
    expect(mean * bySecond.length).toBeGreaterThanOrEqual(DEVICES);
    expect(peak).toBeLessThanOrEqual(DEVICES < 1_000 ? 4 : 3);
  },
  PATIENCE_MS,
);

test(
  'ten minutes of 503 see a dozen requests of a device at most, whatever waits there, and all come back in time',
  async () => {
    const counts: number[] = [];
    let latest = 0;
    const paths = new Set<string>();
    for (let seed = 1; seed <= DEVICES; seed++) {
      const stage = await settled(seed);
      stage.network.weather = 'stormy';
      await stage.raise(3, () => 'critical');
      stage.installed.change(new SeededRandom(seed));
      stage.installed.readAll();
      stage.agent?.scan();
      const requests = await requestsWithin(stage, 600_000);
      for (const { path } of requests) paths.add(path);
      counts.push(requests.length);

      stage.network.weather = 'fair';
      const after = await requestsWithin(stage, 2 * BACK_WITHIN_MS);
      for (const path of ['delta', 'alerts']) {
        const came = after.find((item) => item.path.endsWith(`/${path}`))?.at;
        latest = Math.max(latest, came ?? Infinity);
      }
    }
    counts.sort((a, b) => a - b);
    if (process.env.GATEWARDEN_FLEET !== undefined) {
      console.log(
        `503 for ten minutes: ${counts[0]} to ${counts.at(-1)} requests of a device, back within ${Math.round(latest / 1000)} s`,
      );
    }
    expect(paths.size).toBeGreaterThanOrEqual(3);
    expect(counts[0]).toBeGreaterThan(5);
    expect(counts.at(-1)).toBeLessThanOrEqual(12);
    expect(latest).toBeLessThanOrEqual(BACK_WITHIN_MS);
  },
  PATIENCE_MS,
);
