// The programs that an override would match: running programs, and recent ones of devices that do not report running programs. Read
// page by page, so that a large tenant costs no memory and holds nobody up.

import { processId } from '@gatewarden/shared/identity.ts';
import { foldName } from '@gatewarden/shared/names.ts';
import { endsProcesses, type OwningEntity, type ProcessFacts } from '@gatewarden/shared/policy.ts';
import { findMapping } from '@gatewarden/shared/process-map.ts';
import type { Preview } from '@gatewarden/shared/wire/console/overrides.ts';
import type { OverrideMatch } from '@gatewarden/shared/wire/sync/delta.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type RecentProcess, selectRecentProcesses } from '../activity/index.ts';
import {
  type ReachedDevice,
  selectEntitiesOf,
  selectProductsOfKind,
} from '../inventory/scope-store.ts';
import {
  countUnhashed,
  type MeantProcesses,
  type RunningRecord,
  type SightedProcess,
  selectHashes,
  selectRecentSightings,
  selectRunning,
  selectRunningReports,
} from '../processes/index.ts';
import type { Judge } from './evaluate.ts';

const LOOK_BACK_MS = 14 * 86_400_000;
const PAGE = 1_000;
const NAMED_MAX = 100;
const ENTITIES_MAX = 5_000;

export interface ProcessQuestion {
  db: Db;
  tenantId: string;
  now: Date;
  mappings: readonly ProcessMapping[];
  matches: readonly OverrideMatch[];
  /** Entities that the matches name on the devices that are meant. */
  entities: readonly OwningEntity[];
  devices: ReadonlyMap<string, ReachedDevice>;
  /** False where those are all devices of the tenant. */
  isPart: boolean;
  judge: Judge['judge'];
  /** Programs, and decisions of the last days, that are looked at. */
  max: number;
}

export interface JudgedProcesses {
  processes: Preview['processes'];
  /** Devices on which a program would be decided about. */
  touched: ReadonlySet<string>;
  /** The programs of the last days that the draft would have stopped, and whether the list is incomplete. */
  stopped: RecentProcess[];
  atLeast: boolean;
}

/** Evaluates all programs that can match; the counts are exact unless `at_least` is true. */
export async function judgeProcesses(question: ProcessQuestion): Promise<JudgedProcesses> {
  const { db, tenantId, devices, matches, mappings } = question;
  const named = new Set(matches.flatMap((match) => match.entity_id ?? []));
  const since = new Date(question.now.getTime() - LOOK_BACK_MS);
  const meant = await meantBy(question);
  const among = question.isPart ? [...devices.keys()] : null;
  const reports = await selectRunningReports(db, tenantId);
  const tally = newTally(question.judge);

  const running = await eachPage<RunningRecord>(question.max, {
    read: (after, limit) => selectRunning(db, tenantId, { meant, among }, after, limit),
    visit: async (page) => {
      const owners = await ownersOf(
        question,
        page.flatMap((row) => row.entity_ids.map((id) => [row.device_id, id] as const)),
      );
      for (const row of page) {
        const device = devices.get(row.device_id);
        if (device === undefined) continue;
        const seen = { path: row.executable_path, isRunning: true, rail: row.guard_rail };
        tally.note(device, factsOfRunning(row, owners, named), seen);
      }
    },
  });

  const filter = { since, meant, among };
  const decided = await selectRecentProcesses(db, tenantId, filter, question.max + 1);
  const judged = decided.slice(0, question.max);
  const stopped = await judgeRecent(question, judged, { named, reports, tally });

  // For a device that reports running programs, earlier activity is irrelevant.
  const sighted = await eachPage<SightedProcess>(question.max, {
    read: (after, limit) => selectRecentSightings(db, tenantId, { since, among }, after, limit),
    visit: async (page) => {
      const mapped = page.flatMap((process) => {
        const device = devices.get(process.device_id);
        const mapping = device && findMapping(mappings, device.platform, process.name);
        return mapping?.entity_id ? [[process.device_id, mapping.entity_id] as const] : [];
      });
      const owners = await ownersOf(question, mapped);
      for (const process of page) {
        const device = devices.get(process.device_id);
        if (device === undefined || reports.has(process.device_id)) continue;
        const facts = factsOfSighting(process, device, mappings, owners);
        tally.note(device, facts, earlier(process.executable_path));
      }
    },
  });

  const isOfFile = matches.some((match) => match.executable_sha256 !== undefined);
  const unhashed = isOfFile ? await countUnhashed(db, tenantId, among) : 0;
  const atLeast = decided.length > question.max;
  return {
    processes: {
      count: tally.count(),
      ended: tally.ended(),
      guarded: tally.guarded(),
      at_least: !running.isAll || !sighted.isAll || atLeast,
      unhashed,
      items: tally.items,
    },
    touched: tally.touched,
    stopped,
    atLeast,
  };
}

/** Evaluates recent processes of devices, and returns those that the draft would have stopped. */
async function judgeRecent(
  question: ProcessQuestion,
  decided: readonly RecentProcess[],
  context: {
    named: Set<string>;
    reports: ReadonlyMap<string, Date>;
    tally: ReturnType<typeof newTally>;
  },
): Promise<RecentProcess[]> {
  const { named, reports, tally } = context;
  const stopped: RecentProcess[] = [];
  for (let i = 0; i < decided.length; i += PAGE) {
    const page = decided.slice(i, i + PAGE);
    const owners = await ownersOf(
      question,
      page.flatMap((process) =>
        process.entity_id === null ? [] : [[process.device_id, process.entity_id] as const],
      ),
      { withGone: true },
    );
    const hashes = await hashesOf(question, page);
    for (const process of page) {
      const device = question.devices.get(process.device_id);
      if (device === undefined) continue;
      // A process counts as stopped even if it is known to have ended.
      const isGone = owners.get(`${process.device_id}/${process.entity_id}`)?.is_gone === true;
      const isPast = isGone || reports.has(process.device_id);
      const seen = isPast ? null : earlier(process.process.executable_path);
      const facts = factsOfActivity(process, device, { owners, hashes, named });
      const wouldStop = tally.note(device, facts, seen);
      if (wouldStop && !tally.isProtected(device, facts.name)) stopped.push(process);
    }
  }
  return stopped;
}

/** Returns what the match looks for among all processes of the tenant; null if the match names too little. */
async function meantBy(question: ProcessQuestion): Promise<MeantProcesses | null> {
  const { matches, ...of } = question;
  const [match, ...more] = matches;
  if (match === undefined) return { entityIds: [], names: [] };
  if (more.length === 0) return meantByMatch(of, match);
  // Several matches are of applications by their ids.
  return { entityIds: matches.flatMap((each) => each.entity_id ?? []), names: [] };
}

async function meantByMatch(
  { db, tenantId, entities }: Pick<ProcessQuestion, 'db' | 'tenantId' | 'entities'>,
  match: OverrideMatch,
): Promise<MeantProcesses | null> {
  if (match.executable_sha256 !== undefined) return { sha256: match.executable_sha256 };
  const names = match.name === undefined ? [] : [foldName(match.name)];
  if (match.entity_id !== undefined) return { entityIds: [match.entity_id], names };
  const isPublisher = match.name === undefined && match.publisher !== undefined;
  if ((match.name ?? match.kind) === undefined || isPublisher) return null;
  // Of a kind also what is on no device any more: it may have run lately.
  const kindred =
    match.name === undefined && match.kind !== undefined
      ? await selectProductsOfKind(db, tenantId, match.kind, ENTITIES_MAX + 1)
      : [];
  const ids = [...new Set([...entities.map((entity) => entity.entity_id), ...kindred])];
  return ids.length > ENTITIES_MAX ? null : { entityIds: ids, names };
}

async function eachPage<Row>(
  max: number,
  work: {
    read(after: Row | undefined, limit: number): Promise<Row[]>;
    visit(page: Row[]): Promise<void>;
  },
): Promise<{ isAll: boolean }> {
  let last: Row | undefined;
  for (let done = 0; done < max; done += PAGE) {
    const page = await work.read(last, PAGE);
    await work.visit(page);
    if (page.length < PAGE) return { isAll: true };
    last = page.at(-1);
  }
  return { isAll: (await work.read(last, 1)).length === 0 };
}

interface Seen {
  path: string | null;
  isRunning: boolean;
  rail: string | null;
}

/** Counts each program of a device once, and names the first of them. */
function newTally(judge: Judge['judge']) {
  const items: Preview['processes']['items'] = [];
  const touched = new Set<string>();
  const result = new Set<string>();
  const protectedNames = new Set<string>();
  let ended = 0;
  let guarded = 0;
  const nameOn = (device: ReachedDevice, name: string) => `${device.device_id}/${foldName(name)}`;
  return {
    items,
    touched,
    count: () => result.size,
    ended: () => ended,
    guarded: () => guarded,
    /** A guard rail holds what runs there by that name: it would not have been stopped before either. */
    isProtected: (device: ReachedDevice, name: string) => protectedNames.has(nameOn(device, name)),
    /** True where it would newly be ended. `seen` null: of the past only. */
    note(device: ReachedDevice, facts: ProcessFacts, seen: Seen | null): boolean {
      const found = judge(device, facts);
      if (found === null) return false;
      const isStopped = !endsProcesses(found.before) && endsProcesses(found.after);
      const key = `${device.device_id}/${facts.name}/${seen?.path ?? ''}`;
      if (seen === null || result.has(key)) return isStopped;
      result.add(key);
      touched.add(device.device_id);
      if (isStopped && seen.rail === null) ended++;
      if (isStopped && seen.rail !== null) {
        guarded++;
        protectedNames.add(nameOn(device, facts.name));
      }
      if (items.length < NAMED_MAX) {
        items.push({
          device_id: device.device_id,
          hostname: device.hostname,
          name: facts.name,
          executable_path: seen.path,
          current_policy: found.before,
          new_policy: found.after,
          is_running: seen.isRunning,
          guard_rail: seen.rail,
        });
      }
      return isStopped;
    },
  };
}

type Owners = ReadonlyMap<string, OwningEntity & { is_gone: boolean }>;

/** The named entities on their devices, by `device/entity`. */
async function ownersOf(
  { db, tenantId }: ProcessQuestion,
  pairs: readonly (readonly [string, string])[],
  options: { withGone?: boolean } = {},
): Promise<Owners> {
  if (pairs.length === 0) return new Map();
  const found = await selectEntitiesOf(db, tenantId, {
    deviceIds: [...new Set(pairs.map(([deviceId]) => deviceId))],
    entityIds: [...new Set(pairs.map(([, id]) => id))],
    ...options,
  });
  return new Map(found.map((entity) => [`${entity.device_id}/${entity.entity_id}`, entity]));
}

const idOf = (process: RecentProcess, { platform }: ReachedDevice) =>
  processId(platform, process.process.name, process.process.executable_path ?? '');

/** What is known of the files behind these decisions, by `device/process`; decisions themselves hold no hash. */
async function hashesOf(
  { db, tenantId, devices }: ProcessQuestion,
  page: readonly RecentProcess[],
): Promise<ReadonlyMap<string, string>> {
  const ids = page.flatMap((process) => {
    const device = devices.get(process.device_id);
    return device === undefined ? [] : idOf(process, device);
  });
  const found = await selectHashes(db, tenantId, [...new Set(ids)]);
  return new Map(found.map((row) => [`${row.device_id}/${row.process_id}`, row.sha256]));
}

const earlier = (path: string | null | undefined): Seen => ({
  path: path ?? null,
  isRunning: false,
  rail: null,
});

/** The app that the override names owns a process even if it is not in the inventory, because the device reported it. */
function namedOwner(
  entityId: string | null,
  applicationName: string | null,
  named: ReadonlySet<string>,
): OwningEntity[] {
  if (entityId === null || !named.has(entityId)) return [];
  return [unseenEntity(entityId, applicationName ?? '')];
}

/** Only its id is known for certain. */
const unseenEntity = (entityId: string, name: string): OwningEntity => ({
  entity_id: entityId,
  kind: 'application',
  name,
  version: null,
  publisher: null,
});

function factsOfRunning(
  row: RunningRecord,
  owners: Owners,
  named: ReadonlySet<string>,
): ProcessFacts {
  return {
    name: row.name,
    application_name: row.application_name,
    publisher: null,
    sha256: row.sha256,
    entities: row.entity_ids.flatMap(
      (id) => owners.get(`${row.device_id}/${id}`) ?? namedOwner(id, row.application_name, named),
    ),
  };
}

function factsOfActivity(
  process: RecentProcess,
  device: ReachedDevice,
  known: { owners: Owners; hashes: ReadonlyMap<string, string>; named: ReadonlySet<string> },
): ProcessFacts {
  const { owners, hashes, named } = known;
  const owner = owners.get(`${process.device_id}/${process.entity_id}`);
  return {
    name: process.process.name,
    application_name: process.application_name,
    publisher: null,
    sha256: hashes.get(`${process.device_id}/${idOf(process, device)}`) ?? null,
    entities:
      owner === undefined
        ? namedOwner(process.entity_id, process.application_name, named)
        : [owner],
  };
}

function factsOfSighting(
  process: SightedProcess,
  device: ReachedDevice,
  mappings: readonly ProcessMapping[],
  owners: Owners,
): ProcessFacts {
  const mapping = findMapping(mappings, device.platform, process.name);
  return {
    name: process.name,
    application_name: mapping?.application_name ?? null,
    publisher: process.publisher,
    sha256: process.sha256,
    entities: mappedEntities(mapping, device, owners),
  };
}

/** What a mapping names belongs to the process as if it owned the executable, also where it was not found itself. */
function mappedEntities(
  mapping: ProcessMapping | null,
  device: ReachedDevice,
  owners: Owners,
): OwningEntity[] {
  if (mapping === null || mapping.entity_id === null) return [];
  const found = owners.get(`${device.device_id}/${mapping.entity_id}`);
  return [found ?? unseenEntity(mapping.entity_id, mapping.application_name)];
}
