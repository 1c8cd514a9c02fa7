// Traffic for an installation during an operation on it: devices that push batches and alerts, an administrator
// who decides, and a device that follows. Remembers what was acknowledged, and compares with what is there at the end.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { aBatch, aDevice, anAlert, anEntity } from './builders.ts';
import { follower } from './follower.ts';
import { type Answer, deviceCall } from './hub.ts';
import { asAdmin, type Installation } from './installation.ts';
import { retryUnavailable } from './waiting.ts';

/** The default of the longest pause between two rounds of a device: at most moments a request is in flight. */
const PAUSE_MS = 50;

/** Answers that are neither an acknowledgement nor 503, and connections that broke. */
export interface Failures {
  broken: number;
  unavailable: number;
}

export interface Traffic {
  failures: Failures;
  /** How many batches, alerts and decisions were acknowledged so far. */
  acknowledged(): number;
  /** Ends it and compares: everything acknowledged is there once. */
  stop(): Promise<void>;
}

/**
 * Starts `writers` devices; where `decides`, an administrator and a follower, too. Each device pauses for up to `pauseMs`
 * between two rounds: a longer pause leaves the machine to the programs under test.
 */
export function startTraffic(
  at: Installation,
  {
    writers = 4,
    decides = false,
    pauseMs = PAUSE_MS,
  }: { writers?: number; decides?: boolean; pauseMs?: number } = {},
): Traffic {
  const failures: Failures = { broken: 0, unavailable: 0 };
  let stopped = false;
  const run: Run = {
    at,
    pauseMs,
    isStopped: () => stopped,
    async ask(send) {
      try {
        const answer = await send();
        if (answer.status === 503) failures.unavailable++;
        return answer;
      } catch {
        // The connection broke: the outcome is unknown.
        failures.broken++;
        return null;
      }
    },
  };
  const devices = Array.from({ length: writers }, () => startWriter(run));
  const deciding = decides ? startDeciding(run) : null;
  return {
    failures,
    acknowledged: () =>
      devices.reduce((sum, device) => sum + device.alerts.size * 2, 0) +
      (deciding?.decided.size ?? 0),
    async stop() {
      stopped = true;
      await Promise.all([...devices.map((device) => device.done), deciding?.done]);
      for (const device of devices) await expectAllOf(at, device);
      await deciding?.compare();
    },
  };
}

interface Run {
  at: Installation;
  /** The longest pause of a device between two rounds; an administrator's pause is as long. */
  pauseMs: number;
  isStopped(): boolean;
  /** The answer; null where the connection broke. */
  ask(send: () => Promise<Answer>): Promise<Answer | null>;
}

interface Writer {
  deviceId: string;
  entities: Set<string>;
  alerts: Set<string>;
  done: Promise<void>;
}

/** Starts a device that sends batches and alerts until the run stops, and records what was acknowledged. */
function startWriter(run: Run): Writer {
  const device = aDevice();
  const entities = new Set<string>();
  const alerts = new Set<string>();
  const done = (async () => {
    for (let i = 0; !run.isStopped(); i++) {
      const entitiesOfBatch = Array.from({ length: 10 }, (_, n) => anEntity(`k${i}-${n}`));
      const batch = aBatch(device, entitiesOfBatch, { kind: 'delta', seq: i });
      const alert = anAlert();
      // Sent again until it is acknowledged, under the same ids: once is what must come of it.
      if (await acknowledge(run, 'discovered-apps', batch)) {
        for (const item of entitiesOfBatch) entities.add(item.name);
      }
      if (await acknowledge(run, 'alerts', { device, alerts: [alert] })) alerts.add(alert.alert_id);
      await sleep(Math.random() * run.pauseMs);
    }
  })();
  return { deviceId: device.device_id, entities, alerts, done };
}

async function acknowledge(run: Run, path: string, body: unknown): Promise<boolean> {
  while (!run.isStopped()) {
    const answer = await run.ask(() => deviceCall(run.at, 'POST', `/ea/v1/sync/${path}`, { body }));
    if (answer?.status === 202) return true;
    if (answer !== null) expect([503]).toContain(answer.status);
    await sleep(20);
  }
  return false;
}

/** Starts an administrator who decides about many applications in sequence, and a device that follows the decisions. */
function startDeciding(run: Run) {
  const decided = new Set<string>();
  const { at } = run;
  const device = aDevice();
  const follows = follower(at, device.device_id, { limit: 50 });
  const decide = async () => {
    for (let i = 0; !run.isStopped(); i++) {
      const { entity_id } = anEntity(`decided-${i}`);
      const body = {
        match: { entity_id },
        approval_status: 'approved',
        execution_policy: 'allow',
        scope: { kind: 'tenant' },
      };
      const answer = await run.ask(() => asAdmin(at, 'POST', '/overrides', body));
      if (answer?.status === 201) decided.add(answer.body.override.override_id);
      else if (answer !== null) expect(answer.status).toBe(503);
      await sleep(run.pauseMs / 2);
    }
  };
  const follow = async () => {
    while (!run.isStopped()) {
      // A poll that broke is made again from the cursor of the page before.
      await follows.pull().catch(() => undefined);
      await sleep(Math.random() * run.pauseMs);
    }
  };
  return {
    decided,
    done: Promise.all([decide(), follow()]),
    async compare() {
      const listed = new Set(
        (await listOf<{ override_id: string }>(at, '/overrides')).map(
          (override) => override.override_id,
        ),
      );
      expect([...decided].filter((id) => !listed.has(id))).toEqual([]);
      // A hub hears of decisions that another hub stored a moment later.
      const heard = async () => {
        await follows.pull();
        return follows.ids();
      };
      await expect.poll(heard).toEqual([...listed].sort());
    },
  };
}

async function expectAllOf(at: Installation, writer: Writer): Promise<void> {
  const { deviceId } = writer;
  const names = (await listOf<{ name: string }>(at, `/devices/${deviceId}/entities`)).map(
    (item) => item.name,
  );
  expect(new Set(names).size).toBe(names.length);
  expect([...writer.entities].filter((name) => !names.includes(name))).toEqual([]);
  const ids = (await listOf<{ alert_id: string }>(at, `/alerts?device_id=${deviceId}`)).map(
    (alert) => alert.alert_id,
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect([...writer.alerts].filter((id) => !ids.includes(id))).toEqual([]);
  const { device } = (await consoleGet(at, `/devices/${deviceId}`)).body;
  expect(device.entity_count).toBe(names.length);
}

async function listOf<Item>(at: Installation, path: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const query: string = `${path.includes('?') ? '&' : '?'}limit=200${cursor === null ? '' : `&cursor=${cursor}`}`;
    const answer = await consoleGet(at, `${path}${query}`);
    items.push(...answer.body.items);
    cursor = answer.body.next_cursor;
  } while (cursor !== null);
  return items;
}

/** Reads after the traffic; a hub under load may answer 503 to a client, which then retries. */
async function consoleGet(at: Installation, path: string): Promise<Answer> {
  const answer = await retryUnavailable(() => asAdmin(at, 'GET', path));
  expect(answer.status).toBe(200);
  return answer;
}
