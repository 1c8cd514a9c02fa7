// Whom an override would touch, before anything is stored: the same pure decision that the agents use, over what the
// hub knows of devices, their entities and the processes that they reported lately.

import { foldName } from '@gatewarden/shared/names.ts';
import {
  breadthOf,
  matches,
  type OwningEntity,
  type ProcessFacts,
} from '@gatewarden/shared/policy.ts';
import type { OverrideInput, Touched } from '@gatewarden/shared/wire/console/overrides.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { RecentProcess } from '../activity/index.ts';
import { selectNamedGroups } from '../groups/index.ts';
import {
  type ReachedDevice,
  selectDevicesInScope,
  selectEntitiesInScope,
  selectMatchingEntities,
} from '../inventory/scope-store.ts';
import { newOverride } from '../overrides/override-rules.ts';
import { rolloutAdmits, type Snapshot } from '../sync/snapshot.ts';
import { createJudge } from './evaluate.ts';
import { judgeProcesses } from './processes.ts';

const NAMED_MAX = 100;
/** The number of programs that are evaluated before the counts become lower bounds ("at least"). */
const PROCESSES_MAX = 200_000;

/** Data that the caller has already read. */
export interface PreviewContext {
  db: Db;
  tenantId: string;
  snapshot: Snapshot;
  mappings: readonly ProcessMapping[];
  now: Date;
  /** The overrides whose place it takes, if any. */
  replaces?: ReadonlySet<string>;
  /** The id that it will be stored under: of a rollout it decides which devices are chosen. */
  overrideId: string;
  processesMax?: number;
}

/** Previews an override as if it were stored now. Throws 400 like the creation would. */
export function previewOverride(context: PreviewContext, input: OverrideInput): Promise<Touched> {
  return previewOverrides(context, input, [input.match]);
}

/**
 * Previews overrides that differ in their match alone, together: each device, user and process counts once. Throws 400 like
 * the creation would.
 */
export async function previewOverrides(
  context: PreviewContext,
  input: Omit<OverrideInput, 'match'>,
  ofMatches: readonly OverrideMatch[],
): Promise<Touched> {
  const { db, tenantId, now } = context;
  // The preview of a change in force later shows what it will do then.
  const drafts = ofMatches.map((match) =>
    newOverride(
      { ...input, match },
      { overrideId: context.overrideId, email: '', now },
      // A change may leave a decision that has ended as it is.
      { mayHaveEnded: context.replaces !== undefined },
    ),
  );
  const percent = input.rollout_percent ?? 100;
  const reached = (await selectDevicesInScope(db, tenantId, input.scope)).filter((device) =>
    rolloutAdmits(context.overrideId, device.device_id, percent),
  );
  const devices = new Map(reached.map((device) => [device.device_id, device]));
  const touched = new Set<string>();
  const { judge, overruled } = createJudge(context.snapshot, drafts, {
    now: now.getTime(),
    replaces: context.replaces,
  });

  const entities: OwningEntity[] = [];
  for (const [match, candidates] of await candidatesOf(context, input.scope, ofMatches)) {
    entities.push(...candidates);
    for (const entity of candidates) {
      const device = devices.get(entity.device_id);
      if (device === undefined || match.executable_sha256 !== undefined) continue;
      const facts = asIfItRan(entity);
      if (matches(device, facts, match) === null) continue;
      touched.add(device.device_id);
      judge(device, facts);
    }
  }

  const programs = await judgeProcesses({
    db,
    tenantId,
    now,
    mappings: context.mappings,
    matches: ofMatches,
    entities,
    devices,
    isPart: input.scope.kind !== 'tenant' || percent < 100,
    judge,
    max: context.processesMax ?? PROCESSES_MAX,
  });
  for (const deviceId of programs.touched) touched.add(deviceId);

  const named = reached.filter((device) => touched.has(device.device_id));
  const people = [...new Set(named.map((device) => device.subscriber_id))].sort();
  return {
    override_id: context.overrideId,
    breadth: broadest(ofMatches),
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
    processes: programs.processes,
    activity: { ...activityOf(programs.stopped), at_least: programs.atLeast },
    overruled: overruled(),
  };
}

type Candidate = OwningEntity & { device_id: string };

/** Returns the entities that may fit each match. Several matches name entities by id: a single query reads all of them. */
async function candidatesOf(
  { db, tenantId }: PreviewContext,
  scope: OverrideInput['scope'],
  ofMatches: readonly OverrideMatch[],
): Promise<(readonly [OverrideMatch, readonly Candidate[]])[]> {
  const [match, ...more] = ofMatches;
  if (match === undefined) return [];
  if (more.length === 0) {
    return [[match, await selectMatchingEntities(db, tenantId, scope, match)]];
  }
  const entityIds = ofMatches.flatMap((each) => each.entity_id ?? []);
  const candidates = await selectEntitiesInScope(db, tenantId, scope, entityIds);
  const byEntity = Map.groupBy(candidates, (entity) => entity.entity_id);
  return ofMatches.map((each) => [each, byEntity.get(each.entity_id ?? '') ?? []]);
}

/** The breadth that agents limit most; nothing is broader than a program where there is no match. */
function broadest(ofMatches: readonly OverrideMatch[]): Touched['breadth'] {
  const breadths = new Set(ofMatches.map(breadthOf));
  const order = ['everything', 'group'] as const;
  return order.find((breadth) => breadths.has(breadth)) ?? 'program';
}

async function groupsOfDevices(
  { db, tenantId, snapshot }: PreviewContext,
  devices: readonly ReachedDevice[],
  scope: OverrideInput['scope'],
): Promise<Touched['groups']> {
  // The group that it is for is named also where it touches nobody.
  const counts = new Map(scope.kind === 'group' ? [[scope.group_id.toLowerCase(), 0]] : []);
  for (const device of devices) {
    for (const { group_id } of snapshot.members.get(device.device_id) ?? []) {
      counts.set(group_id, (counts.get(group_id) ?? 0) + 1);
    }
  }
  const named = await selectNamedGroups(db, tenantId, [...counts.keys()]);
  const items = named
    .map((row) => ({ ...row, device_count: counts.get(row.group_id) ?? 0 }))
    .sort((a, b) => b.device_count - a.device_count);
  return { count: items.length, items: items.slice(0, NAMED_MAX) };
}

/** Number of verdicts, and of devices with them, by program. */
function activityOf(stopped: readonly RecentProcess[]): Omit<Touched['activity'], 'at_least'> {
  const programs = new Map<string, RecentProcess[]>();
  for (const process of stopped) {
    const key = foldName(process.process.name);
    programs.set(key, [...(programs.get(key) ?? []), process]);
  }
  const devicesOf = (list: readonly RecentProcess[]) =>
    new Set(list.map((process) => process.device_id)).size;
  const countOf = (list: readonly RecentProcess[]) =>
    list.reduce((sum, process) => sum + process.count, 0);
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
