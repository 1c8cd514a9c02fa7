// Forty turns of a device's wall clock, two years to either side, an hour, a leap second, ninety seconds: the agent goes on
// at its pace, reports events in the order in which they happened, and decides by the hub's time.

import { createUuid7 } from '@gatewarden/agent/src/runtime/uuid7.ts';
import type { NewAlert } from '@gatewarden/agent/src/store/alert-store.ts';
import { expect, test } from 'vitest';
import type { AgentRun } from './agent.ts';
import { SeededRandom } from './simulated-environment.ts';
import { Testbed } from './testbed.ts';

const YEAR_MS = 365 * 86_400_000;
const HOUR_MS = 3_600_000;
const OFFS_MS = [2 * YEAR_MS, -2 * YEAR_MS, HOUR_MS, -HOUR_MS, 1_000, -1_000, 90_000, -90_000, 0];
const JUMPS = 40;
/** A million for the long run. */
const IDS = Number(process.env.GATEWARDEN_IDS ?? 200_000);
const POLL_EVERY_MS = 60_000;
/** A token is renewed, an inventory sent in full: so much besides polls, alerts and the map. */
const BESIDES = 10;

test('keeps the pace and order of requests over forty changes of the clock', async () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const dice = new SeededRandom(seed);
    const stage = new Testbed(seed, {}, false);
    stage.machine.pollEveryMs = POLL_EVERY_MS;
    stage.isQuiet = true;
    Object.assign(stage.network, { weather: 'fair', isQuick: true, mostEntities: Infinity });
    await stage.world.run(stage.world.now + 300_000);

    const requests = new Map<string, number>();
    stage.network.asked = ({ pathAndQuery }) => {
      const path = pathAndQuery.split('?')[0]?.split('/').at(-1) ?? '';
      requests.set(path, (requests.get(path) ?? 0) + 1);
    };
    const before = new Set(stage.records.alerts.keys());
    const raised: string[] = [];
    const began = stage.world.now;
    for (let jump = 0; jump < JUMPS; jump++) {
      stage.machine.wallOffMs = dice.of(OFFS_MS);
      const listened = noting(stage.agent, raised);
      await stage.raise(2, () => 'critical');
      listened();
      if (jump % 10 === 9) stage.reboot();
      await stage.world.run(stage.world.now + POLL_EVERY_MS);
    }
    expect(stage.judge.violation, `seed ${seed}`).toBeNull();

    const minutes = Math.ceil((stage.world.now - began) / POLL_EVERY_MS);
    const boots = JUMPS / 10;
    // Jitter is a tenth; each boot polls once more.
    expect(requests.get('delta'), `seed ${seed}`).toBeLessThanOrEqual(minutes * 1.15 + boots + 2);
    expect(requests.get('delta'), `seed ${seed}`).toBeGreaterThanOrEqual(minutes * 0.8);
    const all = [...requests.values()].reduce((sum, request) => sum + request, 0);
    const expected = 2 * minutes * 1.15 + JUMPS * 2 + BESIDES * (boots + 1);
    expect(all, `seed ${seed} ${JSON.stringify([...requests])}`).toBeLessThanOrEqual(expected);

    const delivered = [...stage.records.alerts.keys()].filter((id) => !before.has(id));
    expect(raised).toHaveLength(JUMPS * 2);
    expect(delivered).toEqual(raised);
    for (const id of delivered) expect(stage.records.notified.get(id)).toBe(1);
  }
});

/** Remembers which alerts it raises, in their order. */
function noting(agent: AgentRun | null, raised: string[]): () => void {
  if (agent === null) throw new Error('no agent runs');
  const { raise } = agent;
  agent.raise = (alert: NewAlert) => {
    raised.push(alert.alert_id);
    raise(alert);
  };
  return () => {
    agent.raise = raise;
  };
}

test('creates unique ids in ascending order for an agent whose clock is changed', () => {
  const dice = new SeededRandom(7);
  let now = Date.parse('2026-01-05T08:00:00.000Z');
  const makeId = createUuid7(
    () => now,
    (count) => dice.bytes(count),
  );
  let last = '';
  for (let i = 0; i < IDS; i++) {
    if (i % (IDS / JUMPS) === 0) now += dice.of(OFFS_MS);
    const id = makeId();
    // So many expectations would take longer than what they are about.
    if (id <= last) expect.unreachable(`${id} came after ${last}`);
    last = id;
  }
});
