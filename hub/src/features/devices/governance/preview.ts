// Whom an override would touch, before anything is stored: the same pure decision that the agents use, over what the
// hub knows of devices, their entities and the processes that they reported lately.

import { foldName } from '@gatewarden/shared/names.ts';
import {
  breadthOf,
  endsProcesses,
  matches,
  type OwningEntity,
  type ProcessFacts,
} from '@gatewarden/shared/policy.ts';
import { findMapping } from '@gatewarden/shared/process-map.ts';
import type { OverrideInput, Preview } from '@gatewarden/shared/wire/console/overrides.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type RecentProcess, selectRecentProcesses } from '../activity/index.ts';
import { selectNamedGroups } from '../groups/index.ts';
import {
  type ReachedDevice,
  selectDevicesInScope,
  selectEntitiesOf,
  selectMatchingEntities,
} from '../inventory/index.ts';
import {
  type RunningRecord,
  type SightedProcess,
  selectRecentSightings,
  selectRunning,
  selectRunningReports,
} from '../processes/index.ts';
import { createJudge, type Judge, PREVIEW_ID } from './preview-judge.ts';
import { newOverride } from './rules.ts';
import { rolloutAdmits, type Snapshot } from './snapshot.ts';

const LOOK_BACK_MS = 14 * 86_400_000;
const PROCESSES_MAX = 20_000;
const NAMED_MAX = 100;
const ENTITIES_MAX = 5_000;

/** What the caller has read already. */
export interface PreviewContext {
  db: Db;
  tenantId: string;
  snapshot: Snapshot;
  mappings: readonly ProcessMapping[];
  now: Date;
  /** The override whose place it takes, if any. */
  replaces?: string;
}

/** Judges the override as if it stood there now. Throws 400 like the creation would. */
export async function previewOverride(
  context: PreviewContext,
  input: OverrideInput,
): Promise<Preview> {
  const { db, tenantId, now } = context;
  // The preview of a change in force later shows what it will do then.
  const draft = newOverride(
    input,
    { overrideId: PREVIEW_ID, email: '', now },
    // A change may leave a decision that has ended as it is.
    { mayHaveEnded: context.replaces !== undefined },
  );
  const reached = (await selectDevicesInScope(db, tenantId, input.scope)).filter((device) =>
    rolloutAdmits(PREVIEW_ID, device.device_id, draft.rollout_percent),
  );
  const devices = new Map(reached.map((device) => [device.device_id, device]));
  const touched = new Set<string>();
  const { judge, overruled } = createJudge(context.snapshot, draft, {
    now: now.getTime(),
    replaces: context.replaces,
  });

  const entities = await selectMatchingEntities(db, tenantId, input.scope, input.match);
  for (const entity of entities) {
    const device = devices.get(entity.device_id);
    if (device === undefined || input.match.executable_sha256 !== undefined) continue;
    const facts = asIfItRan(entity);
    if (matches(device, facts, input.match) === null) continue;
    touched.add(device.device_id);
    judge(device, facts);
  }

  const { judged, stopped } = await judgeProcesses(
    context,
    judge,
    devices,
    meantBy(input.match, entities),
  );
  for (const one of judged) touched.add(one.device_id);

  const named = reached.filter((device) => touched.has(device.device_id));
  const people = [...new Set(named.map((device) => device.subscriber_id))].sort();
  return {
    breadth: breadthOf(input.match),
    devices: {
      count: named.length,
      items: named
        .slice(0, NAMED_MAX)
        .map(({ device_id, hostname, subscriber_id }) => ({ device_id, hostname, subscriber_id })),
    },
    people: {
      count: people.length,
      items: people.slice(0, NAMED_MAX).map((subscriber_id) => ({ subscriber_id })),
    },
    groups: await groupsOfDevices(context, named, input.scope),
    processes: { count: judged.length, items: judged.slice(0, NAMED_MAX) },
    activity: activityOf(stopped),
    overruled: overruled(),
  };
}

async function groupsOfDevices(
  { db, tenantId, snapshot }: PreviewContext,
  devices: readonly ReachedDevice[],
  scope: OverrideInput['scope'],
): Promise<Preview['groups']> {
  // The group that it is for is named also where it touches nobody.
  const counts = new Map(scope.kind === 'group' ? [[scope.group_id.toLowerCase(), 0]] : []);
  for (const device of devices) {
    for (const { group_id } of snapshot.members.get(device.device_id) ?? []) {
      counts.set(group_id, (counts.get(group_id) ?? 0) + 1);
    }
  }
  const named = await selectNamedGroups(db, tenantId, [...counts.keys()]);
  const items = named
    .map((one) => ({ ...one, device_count: counts.get(one.group_id) ?? 0 }))
    .sort((a, b) => b.device_count - a.device_count);
  return { count: items.length, items: items.slice(0, NAMED_MAX) };
}

/** By program: how often, and on how many devices, it was decided about. */
function activityOf(stopped: readonly RecentProcess[]): Preview['activity'] {
  const programs = new Map<string, RecentProcess[]>();
  for (const one of stopped) {
    const key = foldName(one.process.name);
    programs.set(key, [...(programs.get(key) ?? []), one]);
  }
  const devicesOf = (list: readonly RecentProcess[]) =>
    new Set(list.map((one) => one.device_id)).size;
  const countOf = (list: readonly RecentProcess[]) => list.reduce((sum, one) => sum + one.count, 0);
  const items = [...programs.values()].flatMap((list) => {
    const newest = [...list].sort((a, b) => b.last_at.getTime() - a.last_at.getTime())[0];
    if (newest === undefined) return [];
    return {
      name: newest.process.name,
      application_name: newest.application_name,
      count: countOf(list),
      devices: devicesOf(list),
      last_at: newest.last_at.toISOString(),
    };
  });
  return {
    count: countOf(stopped),
    devices: devicesOf(stopped),
    items: items.sort((a, b) => b.count - a.count).slice(0, NAMED_MAX),
  };
}

/** The software itself: an entity matches when a process that it owns would. */
const asIfItRan = (entity: OwningEntity): ProcessFacts => ({
  name: entity.name,
  application_name: null,
  publisher: null,
  sha256: null,
  entities: [entity],
});

type Meant = { entityIds: string[]; names: string[] } | null;

/** What to look for among all that runs in the tenant; null where the match names too little to look for. */
function meantBy(match: OverrideMatch, entities: readonly OwningEntity[]): Meant {
  const named = match.name === undefined ? [] : [foldName(match.name)];
  const ids = [...new Set(entities.map((one) => one.entity_id))];
  if (match.entity_id !== undefined) return { entityIds: [match.entity_id], names: named };
  if (match.name !== undefined || match.publisher !== undefined || match.kind !== undefined) {
    return ids.length > ENTITIES_MAX ? null : { entityIds: ids, names: named };
  }
  return null;
}

async function judgeProcesses(
  context: PreviewContext,
  judge: Judge['judge'],
  devices: ReadonlyMap<string, ReachedDevice>,
  meant: Meant,
): Promise<{ judged: Preview['processes']['items']; stopped: RecentProcess[] }> {
  const { db, tenantId, now } = context;
  const since = new Date(now.getTime() - LOOK_BACK_MS);
  const decided = await selectRecentProcesses(db, tenantId, since, PROCESSES_MAX);
  const sighted = await selectRecentSightings(db, tenantId, since, PROCESSES_MAX);
  const mappedIds = context.mappings.flatMap((one) => one.entity_id ?? []);
  const running = await selectRunning(db, tenantId, meant, PROCESSES_MAX);
  const reports = await selectRunningReports(db, tenantId);
  const silent = (deviceId: string) => (reports.has(deviceId) ? undefined : devices.get(deviceId));
  const ids = [
    ...new Set([
      ...decided.flatMap((one) => one.entity_id ?? []),
      ...running.flatMap((one) => one.entity_ids),
      ...mappedIds,
    ]),
  ];
  const owners = new Map(
    (ids.length === 0 ? [] : await selectEntitiesOf(db, tenantId, ids)).map((one) => [
      `${one.device_id}/${one.entity_id}`,
      one,
    ]),
  );
  const judged = new Map<string, Preview['processes']['items'][number]>();
  const stopped: RecentProcess[] = [];
  /** True where it would newly be ended. */
  const note = (device: ReachedDevice, facts: ProcessFacts, seen: Seen | null): boolean => {
    const found = judge(device, facts);
    if (found === null) return false;
    const isStopped = !endsProcesses(found.before) && endsProcesses(found.after);
    if (seen === null) return isStopped;
    judged.set(`${device.device_id}/${facts.name}/${seen.path ?? ''}`, {
      device_id: device.device_id,
      hostname: device.hostname,
      name: facts.name,
      executable_path: seen.path,
      current_policy: found.before,
      new_policy: found.after,
      is_running: seen.isRunning,
      guard_rail: seen.rail,
    });
    return isStopped;
  };
  for (const one of running) {
    const device = devices.get(one.device_id);
    if (device === undefined) continue;
    const seen = { path: one.executable_path, isRunning: true, rail: one.guard_rail };
    note(device, factsOfRunning(one, owners), seen);
  }
  for (const one of decided) {
    const device = devices.get(one.device_id);
    if (device === undefined) continue;
    const owner = owners.get(`${one.device_id}/${one.entity_id}`);
    // It would have been stopped, also where it is known that it runs no more.
    const seen = reports.has(one.device_id) ? null : earlier(one.process.executable_path);
    if (note(device, factsOfActivity(one, owner), seen)) stopped.push(one);
  }
  // Of a device that tells what runs, what it saw earlier says nothing about now.
  for (const one of sighted) {
    const device = silent(one.device_id);
    if (device === undefined) continue;
    note(
      device,
      factsOfSighting(one, device, context.mappings, owners),
      earlier(one.executable_path),
    );
  }
  return { judged: [...judged.values()], stopped };
}

interface Seen {
  path: string | null;
  isRunning: boolean;
  rail: string | null;
}

const earlier = (path: string | null | undefined) => ({
  path: path ?? null,
  isRunning: false,
  rail: null,
});

function factsOfRunning(
  one: RunningRecord,
  owners: ReadonlyMap<string, OwningEntity>,
): ProcessFacts {
  return {
    name: one.name,
    application_name: one.application_name,
    publisher: null,
    sha256: null,
    entities: one.entity_ids.flatMap((id) => owners.get(`${one.device_id}/${id}`) ?? []),
  };
}

function factsOfActivity(one: RecentProcess, owner: OwningEntity | undefined): ProcessFacts {
  return {
    name: one.process.name,
    application_name: one.application_name,
    publisher: null,
    sha256: null,
    entities: owner === undefined ? [] : [owner],
  };
}

function factsOfSighting(
  one: SightedProcess,
  device: ReachedDevice,
  mappings: readonly ProcessMapping[],
  owners: ReadonlyMap<string, OwningEntity>,
): ProcessFacts {
  const mapping = findMapping(mappings, device.platform, one.name);
  return {
    name: one.name,
    application_name: mapping?.application_name ?? null,
    publisher: one.publisher,
    sha256: one.sha256,
    entities: mappedEntities(mapping, device, owners),
  };
}

/** What a mapping names belongs to the process as if it owned the executable, also where it was not found itself. */
function mappedEntities(
  mapping: ProcessMapping | null,
  device: ReachedDevice,
  owners: ReadonlyMap<string, OwningEntity>,
): OwningEntity[] {
  if (mapping === null || mapping.entity_id === null) return [];
  const found = owners.get(`${device.device_id}/${mapping.entity_id}`);
  const unseen: OwningEntity = {
    entity_id: mapping.entity_id,
    kind: 'application',
    name: mapping.application_name,
    version: null,
    publisher: null,
  };
  return [found ?? unseen];
}
