// Quarantine as the rest of the agent uses it: programs and MCP servers are held, and released when nothing wants it any more.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { decide, type OwningEntity, type ProcessFacts } from '@gatewarden/shared/policy.ts';
import type { ExecutionPolicy } from '@gatewarden/shared/wire/vocabulary.ts';
import type { EnforcementMode } from '../../config/agent-config.ts';
import { findHomes } from '../../discovery/homes/home-finder.ts';
import { type Home, shortenHome } from '../../discovery/homes/home-list.ts';
import type { ScannedEntity } from '../../discovery/scan/entity-assembler.ts';
import type { HeldProgram } from '../../processes/process-correlator.ts';
import {
  type FileIdentity,
  identityOf,
  isReplaced,
  stampOf,
} from '../../processes/running-file.ts';
import { codeCacheOf } from '../../runtime/code-cache.ts';
import { messageOf } from '../../runtime/errors.ts';
import { openReach } from '../../runtime/mount-probe.ts';
import { moveAside } from '../../store/database-backup.ts';
import { NewerForm } from '../../store/schema-version.ts';
import { isDamage } from '../../store/store-database.ts';
import type { QuarantineRequest } from '../enforcement-pipeline.ts';
import type { PlannedHold } from '../pending-termination.ts';
import type { Endings } from '../termination-journal.ts';
import { openEditor } from './edit-client.ts';
import { openDiverter } from './package-diverter.ts';
import { fileToHold } from './program-selection.ts';
import {
  type HeldRecord,
  type HeldRecords,
  openRecords,
  type readRecords,
  unusableRecords,
} from './quarantine-records.ts';
import { createKeeper, type Keeper } from './quarantine-transaction.ts';
import { createServerQuarantine, type ServerQuarantineParts } from './server-quarantine.ts';

/** A row of what people see. */
export interface QuarantinedThing {
  name: string;
  /** `other`: taken by a newer agent, and none of what this one knows. */
  kind: 'program' | 'mcp_server' | 'other';
  path: string;
  since: string;
  override_id: string;
  /** Where a program is kept meanwhile. */
  kept: string | null;
  /** Why it could not be put back so far. */
  problem: string | null;
}

export interface Quarantine {
  /** Which file is moved aside once the process has ended; null where none may be. */
  plan(request: QuarantineRequest): Promise<PlannedHold | null>;
  /** Keeps an ended program from starting again; false where that is not possible. */
  hold(ended: QuarantineRequest, planned: PlannedHold | null): Promise<boolean>;
  learnScan(entities: readonly ScannedEntity[]): void;
  /** Releases what nothing wants held any more, takes out what is to be out. */
  tidy(): Promise<void>;
  /** A look at the files that were edited; only where one changed is more done. */
  watch(): Promise<void>;
  list(): QuarantinedThing[];
  /** The programs of it, with what they belonged to: no scan finds that while they are not in their place. */
  heldPrograms(): HeldProgram[];
  /** The MCP servers of it, with whose configuration they were taken out of. */
  takenOut(): { owner: string | null; entity: OwningEntity }[];
  settle(): Promise<void>;
  /** Writes its record beside its place, where its file was taken away. */
  saveBeside(): void;
  /** After everything that may ask it. */
  close(): void;
}

export interface QuarantineParts extends Omit<ServerQuarantineParts, 'keeper'> {
  dataDir: string;
  /** As it would be with the breaker closed: what is held is not released because of a breaker. */
  lastingMode: () => EnforcementMode;
  endings: Endings;
  /** False while it is not known what is in force. */
  isGoverned: () => boolean;
  /** The record was damaged and begun anew, or cannot be used. */
  recordTrouble: (message: string) => void;
}

/** What could not be put back is tried again so often: what stood in its place may be gone. */
const TRIED_AGAIN_MS = 30_000;

/** Finishes at once what an earlier run left half-way. */
export function openQuarantine(parts: QuarantineParts): Quarantine {
  const { platform, dataDir } = parts;
  const policyOf = (facts: ProcessFacts): ExecutionPolicy =>
    decide({ platform }, facts, parts.overrides(), parts.hubNow()).policy;
  const wants = (facts: ProcessFacts): boolean => {
    if (parts.lastingMode() !== 'enforce') return false;
    return !parts.isGoverned() || policyOf(facts) === 'quarantine';
  };
  const records = openOrBegin(parts);
  const keeper = createKeeper({
    dataDir,
    records,
    ask: openEditor(codeCacheOf(dataDir)),
    diverter: openDiverter(),
    homes: () => parts.homes,
    reach: parts.reach,
    wants,
    makeId: parts.makeId,
    now: parts.now,
    raise: parts.raise,
    log: parts.log,
    released: (record) => parts.activity(describeRelease(parts, record, policyOf(record.facts))),
  });
  const servers = createServerQuarantine({ ...parts, keeper });
  const holdFile = async ({
    path,
    listed,
    is,
    stamp: _stood,
    ...about
  }: PlannedHold): Promise<boolean> => {
    if (!(await parts.reach.answers(path)) || isReplaced(path, is)) return false;
    const outcome = is === null ? 'none' : await keeper.holdFile(path, listed, about);
    if (outcome === 'unwanted') return false;
    if (outcome !== 'none') return outcome === 'held';
    // Another process of the same program was there first, or this one before the agent ended.
    const isHeld = keeper.list().some((record) => record.path === path && record.step === 'held');
    if (isHeld) parts.raise(about.alert);
    return isHeld;
  };
  /** What an earlier run had meant: only that very file, unwritten since, and only where it is known what is decided. */
  const holdEarlier = async (planned: PlannedHold): Promise<boolean> => {
    if (!parts.isGoverned() || !(await parts.reach.answers(planned.path))) return false;
    const stands = stampOrNull(planned.path);
    // Where it is gone, it may be held already.
    if (stands !== null && stands !== planned.stamp) return false;
    return holdFile(planned);
  };
  let triedAtMs = parts.monotonicMs();
  let isTrying = false;
  /** One at a time: what is asked of a file that hangs takes its while, and whatever is to be held waits behind it. */
  const tryAgain = async (): Promise<void> => {
    if (isTrying || parts.monotonicMs() - triedAtMs < TRIED_AGAIN_MS) return;
    isTrying = true;
    try {
      const isDue = keeper.list().some(({ problem, facts }) => problem !== null && !wants(facts));
      if (isDue) await keeper.release();
    } finally {
      isTrying = false;
      triedAtMs = parts.monotonicMs();
    }
  };
  // What is held has its own alert; of what was ended and is not held, the other one tells.
  const recovered = keeper
    .recover()
    .then(() => parts.endings.recover(parts.raise, holdEarlier))
    // The rest stays written down: the next start goes on with it.
    .catch((error: unknown) => parts.log({ err: error }, 'what was begun could not be finished'));
  return {
    async plan({ correlated, decision, override, facts, ran, elsewhere, surroundings, alert }) {
      const { entity } = decision;
      const file = fileToHold(correlated, decision, surroundings);
      if (file === null || !(await parts.reach.answers(file.path))) return null;
      const isProgram = file.path === correlated.executable?.path;
      // What ran was another one: in a container, or one that was replaced meanwhile. Nor is a script ours that is named
      // below the root that the process saw: what stands here under that name is another one.
      if (elsewhere && (!isProgram || ran === null)) return null;
      if (isProgram && isReplaced(file.path, ran)) return null;
      return {
        ...{ path: file.path, listed: file.listed, facts, alert },
        is: (isProgram ? ran : null) ?? identityOrNull(file.path),
        stamp: stampOrNull(file.path),
        name: alert.application_name ?? correlated.process.name,
        overrideId: override.override_id,
        entityId: entity?.entity_id ?? null,
      };
    },
    async hold({ decision: { entity }, alert }, planned) {
      if (entity?.kind === 'mcp_server' && (await servers.takeOut(entity.entity_id))) {
        parts.raise(alert);
        return true;
      }
      return planned !== null && holdFile(planned);
    },
    learnScan: servers.learnScan,
    async tidy() {
      await keeper.release();
      await servers.consider();
    },
    async watch() {
      await tryAgain();
      if (await servers.isDisturbed()) await servers.consider();
    },
    list: () => describeAll({ known: keeper.list(), foreign: records.foreign() }),
    heldPrograms: () =>
      keeper.list().flatMap(({ held, path, facts }) => {
        return held.is === 'file'
          ? [{ path, entityIds: facts.entities.map((entity) => entity.entity_id) }]
          : [];
      }),
    takenOut: () =>
      keeper.list().flatMap(({ held, facts: { entities } }) => {
        const [entity] = entities;
        return held.is === 'entry' && entity !== undefined ? [{ owner: held.owner, entity }] : [];
      }),
    async settle() {
      await recovered;
      await keeper.settle();
    },
    saveBeside: records.saveBeside,
    close: records.close,
  };
}

function stampOrNull(path: string): string | null {
  try {
    return stampOf(path);
  } catch {
    return null;
  }
}

function identityOrNull(path: string): FileIdentity | null {
  try {
    return identityOf(path);
  } catch {
    // None stands there: another process of the same program was there first.
    return null;
  }
}

function openOrBegin(parts: QuarantineParts): HeldRecords {
  try {
    return openRecords(parts.dataDir);
  } catch (error) {
    if (error instanceof NewerForm) {
      parts.recordTrouble(
        `${error.message}: what it holds can be put back by that agent alone, and nothing more is taken`,
      );
      return unusableRecords(error.message);
    }
    if (!isDamage(error)) {
      // An agent that sees, warns and ends is worth more than none.
      const reason = `the record of what is in quarantine cannot be opened: ${messageOf(error)}`;
      parts.recordTrouble(`${reason}: nothing is taken until the agent is started again`);
      return unusableRecords(reason);
    }
    const file = join(parts.dataDir, 'quarantine.db');
    const aside = `${file}.corrupt-${parts.now()}`;
    moveAside(file, aside);
    parts.recordTrouble(
      `The record of what is in quarantine was damaged and set aside as ${basename(aside)}: what is held must be put back by hand`,
    );
    return openRecords(parts.dataDir);
  }
}

/** All that is held, as people see it. */
export function describeAll({
  known,
  foreign,
}: ReturnType<typeof readRecords>): QuarantinedThing[] {
  return [
    ...known.map(describeHeld),
    ...foreign.map(
      ({ name, path, takenAt, overrideId }): QuarantinedThing => ({
        ...{ name, kind: 'other', path, since: takenAt, override_id: overrideId, kept: null },
        problem: 'a newer agent took it: only that one can put it back',
      }),
    ),
  ];
}

function describeHeld(record: HeldRecord): QuarantinedThing {
  const { name, path, takenAt, overrideId, held, problem } = record;
  return {
    name,
    kind: held.is === 'file' ? 'program' : 'mcp_server',
    path,
    since: takenAt,
    override_id: overrideId,
    kept: held.is === 'file' ? held.kept : null,
    problem,
  };
}

/** Puts everything back, for when no service runs that would. Returns what could not be. */
export async function releaseAll(dataDir: string): Promise<QuarantinedThing[]> {
  if (!existsSync(join(dataDir, 'quarantine.db'))) return [];
  const records = openRecords(dataDir, { alone: true });
  const homes = (await findHomes())?.homes ?? [];
  const keeper: Keeper = createKeeper({
    dataDir,
    records,
    ask: openEditor(codeCacheOf(dataDir)),
    diverter: openDiverter(),
    homes: () => homes,
    reach: openReach(),
    wants: () => false,
    makeId: () => '',
    now: Date.now,
    // The service tells the hub when it runs again.
    raise: () => undefined,
    released: () => undefined,
    log: () => undefined,
  });
  try {
    await keeper.recover();
    await keeper.release();
    return describeAll({ known: keeper.list(), foreign: records.foreign() });
  } finally {
    records.close();
  }
}

function describeRelease(
  { makeId, now, homes }: { makeId: () => string; now: () => number; homes: readonly Home[] },
  { name, path, overrideId, entityId }: HeldRecord,
  decision: ExecutionPolicy,
) {
  const clean = (text: string) => text.toWellFormed().replaceAll('\0', '\ufffd');
  return {
    activity_id: makeId(),
    decided_at: new Date(now()).toISOString(),
    process: {
      name: clean(name).slice(0, 512) || '?',
      executable_path: clean(shortenHome(path, homes)).slice(0, 4096),
      pid: 0,
      started_at: null,
    },
    application_name: clean(name).slice(0, 512),
    entity_id: entityId,
    override_id: overrideId,
    decision,
    enforced: false,
    outcome: 'released',
  };
}
