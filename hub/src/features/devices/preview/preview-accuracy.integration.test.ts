// The preview counts equal the later verdicts: random overrides over random devices are evaluated by the agents' policy
// code from the pulled data. A failure prints its seed.
import { entityId, processId } from '@gatewarden/shared/identity.ts';
import { decide, type OwningEntity, type ProcessFacts } from '@gatewarden/shared/policy.ts';
import type { Touched } from '@gatewarden/shared/wire/console/overrides.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import type { RunningProcess } from '@gatewarden/shared/wire/sync/running-processes.ts';
import { ENTITY_KINDS, EXECUTION_POLICIES, PLATFORMS } from '@gatewarden/shared/wire/vocabulary.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aBatch, aDevice, anEntity } from '../../../../../test/support/builders.ts';
import { type Follower, follower } from '../../../../../test/support/follower.ts';
import { deviceCall, startTestHub, type TestHub } from '../../../../../test/support/hub.ts';

const DEVICES = 6;
const ENTITIES = 10;
const PROCESSES = 8;
const DECISIONS = 25;

// Names and versions that fold, compare and sort oddly: where two readings of one rule would part.
const NAMES = ['Foo', 'FOO ', 'Café', 'Cafe\u0301', 'bar', 'İx', 'ﬁ', 'Straße', 'STRASSE', 'x-1'];
const PUBLISHERS = ['Acme', 'ACME', 'Öl', 'öl '];
const VERSIONS = ['1.0', '1.0.0', '2:1.0', '1.0~rc1', 'v2', '2.10', '', 'latest', '1.0-1', '１.０'];
const BOUNDS = ['1.0', '2', '2.10', '1.0-1', '1:0', 'latest'];

interface Machine {
  device: WireDevice;
  person: string;
  entities: WireEntity[];
  processes: RunningProcess[];
  follower: Follower;
}

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

it.each([1, 2])('predicts the verdict of each device (seed %i)', async (seed) => {
  const chance = chances(seed);
  const tenant = { ...hub, ...(await hub.newTenant(`Holds ${seed}`)) };
  const call = (path: string, body: unknown) =>
    hub.console('POST', path, { tenantId: tenant.tenantId, token: tenant.adminToken, body });
  const { group_id } = (await call('/device-groups', { name: 'some' })).body.group;
  const machines: Machine[] = [];
  for (let i = 0; i < DEVICES; i++) {
    const machine = await enrolled(tenant, chance);
    machines.push(machine);
    if (!chance.happens(0.5)) continue;
    const { device_id } = machine.device;
    await hub.console('PUT', `/device-groups/${group_id}/devices/${device_id}`, {
      tenantId: tenant.tenantId,
      token: tenant.adminToken,
    });
  }
  await pull(machines);
  const scopes = [
    { kind: 'tenant' },
    { kind: 'group', group_id },
    { kind: 'subscriber', subscriber_id: 'ann' },
    { kind: 'device', device_id: machines[0]?.device.device_id },
  ];
  let touchedAny = 0;
  for (let i = 0; i < DECISIONS; i++) {
    const input = {
      match: randomMatch(machines, chance),
      approval_status: 'blocked',
      execution_policy: chance.pick(EXECUTION_POLICIES),
      reason: 'drawn',
      scope: chance.pick(scopes),
      ...(chance.happens(0.2) ? { rollout_percent: chance.pick([10, 50, 90]) } : {}),
    };
    const previewed = await call('/overrides/preview', input);
    expect(previewed.status, JSON.stringify(input)).toBe(200);
    const foretold: Touched = previewed.body;
    const before = judgements(machines);
    const made = await call('/overrides', { ...input, override_id: foretold.override_id });
    // The same match and scope drawn twice: there is one already, and nothing to compare.
    if (made.status === 409) continue;
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    await pull(machines);
    const real = counted(machines, foretold.override_id, before);
    expect(
      {
        devices: foretold.devices.count,
        processes: foretold.processes.count,
        ended: foretold.processes.ended,
        guarded: foretold.processes.guarded,
      },
      JSON.stringify(input),
    ).toEqual(real);
    if (real.devices > 0) touchedAny++;
  }
  // Draws that touch nobody would prove nothing.
  expect(touchedAny).toBeGreaterThan(DECISIONS / 4);
});

type Chance = ReturnType<typeof chances>;

/** Numerical Recipes' generator: good enough to draw by, and the same everywhere. */
function chances(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    happens: (share: number) => next() < share,
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T,
  };
}

async function enrolled(tenant: TestHub, chance: Chance): Promise<Machine> {
  const platform = chance.pick(PLATFORMS);
  const device = aDevice({ platform });
  const person = chance.pick(['ann', 'ben']);
  const drawn = Array.from({ length: ENTITIES }, (_, i) => {
    const name = chance.pick(NAMES);
    const kind = chance.pick(ENTITY_KINDS);
    return anEntity(name, {
      entity_id: entityId(platform, kind, 'test', `${name.trim()}/${i % 3}`),
      kind,
      source: 'test',
      version: chance.pick([...VERSIONS, null]),
      publisher: chance.pick([...PUBLISHERS, null]),
      executables: [`/opt/${i}/x`],
    });
  });
  // One product stands in a batch once.
  const entities = [...new Map(drawn.map((row) => [row.entity_id, row])).values()];
  const processes = Array.from({ length: PROCESSES }, (_, i): RunningProcess => {
    const name = chance.pick(NAMES).trim() + (chance.happens(0.3) ? i : '');
    const executable_path = `/opt/p${i}/${name}`;
    const owners = chance.happens(0.3) ? [] : [chance.pick(entities), chance.pick(entities)];
    return {
      process_id: processId(platform, name, executable_path),
      name,
      executable_path,
      application_name: chance.happens(0.3) ? chance.pick(NAMES) : null,
      entity_ids: [...new Set(owners.map((owner) => owner.entity_id))],
      count: 1 + i,
      guard_rail: chance.happens(0.15) ? 'package_manager' : null,
    };
  });
  const headers = { 'x-subscriber-id': person };
  for (const [path, body] of [
    ['discovered-apps', aBatch(device, entities)],
    ['running-processes', { device, processes }],
  ] as const) {
    const answer = await deviceCall(tenant, 'POST', `/ea/v1/sync/${path}`, { headers, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  }
  const follows = { limit: 500, subscriber: () => person };
  return {
    device,
    person,
    entities,
    processes,
    follower: follower(tenant, device.device_id, follows),
  };
}

async function pull(machines: readonly Machine[]): Promise<void> {
  await Promise.all(machines.map((machine) => machine.follower.pull()));
}

function randomMatch(machines: readonly Machine[], chance: Chance): Record<string, unknown> {
  const { entity_id } = chance.pick(machines.flatMap((machine) => machine.entities));
  const match = {
    ...(chance.happens(0.3) ? { entity_id } : {}),
    ...(chance.happens(0.4) ? { name: chance.pick(NAMES) } : {}),
    ...(chance.happens(0.25) ? { publisher: chance.pick(PUBLISHERS) } : {}),
    ...(chance.happens(0.2) ? { platform: chance.pick(PLATFORMS) } : {}),
    ...(chance.happens(0.25) ? { kind: chance.pick(ENTITY_KINDS) } : {}),
    ...(chance.happens(0.3) ? { version_below: chance.pick(BOUNDS) } : {}),
  };
  return Object.keys(match).length === 0 ? { name: chance.pick(NAMES) } : match;
}

function judgements(machines: readonly Machine[]) {
  return new Map(
    machines.flatMap((machine) =>
      machine.processes.map(
        (process) => [process, judged(machine, factsOf(machine, process))] as const,
      ),
    ),
  );
}

/** As the agent on it would, by all that it holds. */
function judged({ device, follower: { overrides } }: Machine, facts: ProcessFacts) {
  return decide(device, facts, overrides.values(), Date.now());
}

function factsOf(machine: Machine, row: RunningProcess): ProcessFacts {
  const entities = machine.entities
    .filter((entity) => row.entity_ids.includes(entity.entity_id))
    .map(asOwner);
  return {
    ...NOTHING_KNOWN,
    name: row.name,
    application_name: row.application_name ?? null,
    entities,
  };
}

const asOwner = ({ version = null, publisher = null, ...entity }: WireEntity): OwningEntity => ({
  ...entity,
  version,
  publisher,
});

const NOTHING_KNOWN = { application_name: null, publisher: null, sha256: null };
const ends = (policy: string) => policy === 'block' || policy === 'quarantine';

/** What became of the devices' processes with the decision, by the devices' own word. */
function counted(
  machines: readonly Machine[],
  overrideId: string,
  before: ReturnType<typeof judgements>,
) {
  const touched = new Set<Machine>();
  let processes = 0;
  let ended = 0;
  let guarded = 0;
  for (const machine of machines) {
    for (const process of machine.processes) {
      const now = judged(machine, factsOf(machine, process));
      if (now.override?.override_id !== overrideId) continue;
      touched.add(machine);
      processes++;
      if (!ends(now.policy) || ends(before.get(process)?.policy ?? 'allow')) continue;
      if (process.guard_rail === null) ended++;
      else guarded++;
    }
    const held = machine.follower.overrides.get(overrideId);
    if (held !== undefined && couldTouch(machine, held)) touched.add(machine);
  }
  return { devices: touched.size, processes, ended, guarded };
}

/** A device counts, too, where what the decision aims at is there and does not run. */
function couldTouch(machine: Machine, override: WireOverride): boolean {
  return machine.entities.some((entity) => {
    const facts = { ...NOTHING_KNOWN, name: entity.name, entities: [asOwner(entity)] };
    return decide(machine.device, facts, [override], Date.now()).override !== null;
  });
}
