// Purpose: correlates running processes with what owns them: entities, MCP servers, and the process map.
// Main types: `Correlator`, `CorrelatedProcess`, `QuarantinedProgram`.
// Invariants: a user's settings claim no program of a package, and no process of another user outside of their home.
// Depends on: process-list (what runs), package-owners (databases), launch-matcher (configured launches).
// Start reading at `createCorrelator`.
import type { OwningEntity } from '@gatewarden/shared/policy.ts';
import { findMapping } from '@gatewarden/shared/process-map.ts';
import type { ProcessMapping } from '@gatewarden/shared/wire/sync/process-map.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { type Home, shortenHome } from '../discovery/homes/home-list.ts';
import type { Owned, ScannedEntity } from '../discovery/scan/entity-assembler.ts';
import type { Launch } from '../discovery/source-contract.ts';
import { openMountProbe } from '../runtime/mount-probe.ts';
import { comparablePath, isWithin } from '../runtime/path-comparison.ts';
import { isLaunchedAs } from './launch-matcher.ts';
import type { PackageOwner, PackageOwners } from './package-owners.ts';
import { unguardedSwitches } from './posture-reporter.ts';
import {
  commandName,
  isInterpreter,
  readArguments,
  readFolder,
  scriptOf,
} from './process-arguments.ts';
import { ownerOf, type RunningProcess } from './running-process.ts';
import { readCgroup, sandboxAt, sandboxOf } from './sandbox-detector.ts';
import { openScriptPaths, type ScriptPaths } from './script-paths.ts';

/** A file that a process runs, and how the package that owns it lists it (null: none does). */
export interface OwnedFile {
  path: string;
  listed: string | null;
}

export interface CorrelatedProcess {
  process: RunningProcess;
  entities: readonly OwningEntity[];
  mapping: ProcessMapping | null;
  /** A package of the distribution owns it (or the script it runs) without which nothing works. */
  vital: boolean;
  /** False where ownership could not be looked up. */
  ownersKnown: boolean;
  executable: OwnedFile | null;
  /** Script that an interpreter runs. */
  script: OwnedFile | null;
  /** The entity that only the process map assigns. */
  mappedOnly: string | null;
  /** Entities that own the script: the interpreter is not theirs. */
  scriptEntities: ReadonlySet<string>;
  /** Switches of an AI tool that disable its safeguards. */
  switches: readonly string[];
}

export interface Correlator {
  correlate(processes: readonly RunningProcess[]): CorrelatedProcess[];
  applyScan(entities: readonly ScannedEntity[], quarantined?: readonly QuarantinedProgram[]): void;
  applyProcessMap(mappings: readonly ProcessMapping[]): void;
}

/** A program that is kept away from its place, and the entities that it belonged to. */
export interface QuarantinedProgram {
  path: string;
  entityIds: readonly string[];
}

interface Owner {
  entity: OwningEntity;
  /** Owner of the home with the evidence; null: the machine. */
  owner: string | null;
}

/** A correlator that has seen neither a scan nor a process map yet. */
export function createCorrelator(
  platform: Platform,
  packages: PackageOwners,
  homes: readonly Home[] = [],
  scripts: ScriptPaths = openScriptPaths(openMountProbe()),
  cgroupOf: (pid: number) => string | null = readCgroup,
): Correlator {
  let byExecutable = new Map<string, Owner[]>();
  let bySandbox = new Map<string, Owner[]>();
  let byId = new Map<string, OwningEntity>();
  let launches: (Owned<Launch> & { entity: OwningEntity })[] = [];
  let mappings: readonly ProcessMapping[] = [];
  const shorten = (path: string) => shortenHome(path, homes);
  const keyOf = (path: string) => comparablePath(path, platform);

  const sandboxOwners = (path: string, { pid }: RunningProcess): Owner[] => {
    const sandbox = bySandbox.size === 0 ? null : sandboxAt(path, () => cgroupOf(pid));
    return sandbox === null ? [] : (bySandbox.get(sandbox) ?? []);
  };

  const ownersOf = (
    path: string,
    packageOwners: readonly PackageOwner[],
    process: RunningProcess,
  ): OwningEntity[] => [
    ...[...(byExecutable.get(keyOf(path)) ?? []), ...sandboxOwners(path, process)]
      .filter(({ owner }) => mayClaim({ owner, path, packageOwners, process, homes }))
      .map(({ entity }) => entity),
    ...packageOwners.map((owner) => owner.entity),
  ];

  return {
    applyScan(entities, quarantined = []) {
      byExecutable = new Map();
      bySandbox = new Map();
      byId = new Map();
      launches = [];
      for (const scanned of entities) {
        const entity = toOwner(scanned.wire);
        byId.set(entity.entity_id, entity);
        launches.push(...scanned.launches.map((launch) => ({ ...launch, entity })));
        const owners = scanned.owners.map((owner) => ({ entity, owner }));
        const sandbox = sandboxOf(scanned);
        if (sandbox !== null) append(bySandbox, sandbox, owners);
        // Packages are looked up on demand, with all their files.
        if (scanned.wire.source === 'dpkg') continue;
        for (const { path, owner } of scanned.executables) {
          append(byExecutable, keyOf(path), [{ entity, owner }]);
        }
        // The program may be put back before the next scan: it belongs to the same entity then.
        const own = quarantined.filter(({ entityIds }) => entityIds.includes(entity.entity_id));
        for (const { path } of own) appendUnlessOwned(byExecutable, keyOf(path), owners);
      }
    },
    applyProcessMap(learned) {
      mappings = learned;
    },
    correlate(processes) {
      const commands = processes.map((process) => readCommand(process, launches, scripts));
      const paths = processes.flatMap((process, at) => [
        ...(process.executablePath === null ? [] : [process.executablePath]),
        ...(commands[at]?.script == null ? [] : [commands[at].script]),
      ]);
      const packageOwners = packages.find([...new Set(paths)]);
      const ownersKnown = packages.readable();
      return processes.map((process, at) => {
        const command = commands[at] ?? NOTHING;
        const mapping = findMapping(mappings, platform, process.name);
        const running = { ...command, name: process.name, owner: ownerOf(process) };
        const candidates = command.words.length === 0 ? [] : launches;
        const launched = candidates.filter((launch) =>
          isLaunchedAs(launch, running, shorten, platform),
        );
        return correlateProcess(process, {
          ...{ command, mapping, ownersKnown, packageOwners, ownersOf },
          launched: launched.map((launch) => launch.entity),
          mapped: mappedEntity(mapping, byId),
        });
      });
    },
  };
}

/**
 * Returns whether an owner may claim a program. A user's settings can name any program: they claim programs without a
 * package, and outside of their own home only in processes of their own.
 */
function mayClaim(claim: {
  owner: string | null;
  path: string;
  packageOwners: readonly PackageOwner[];
  process: RunningProcess;
  homes: readonly Home[];
}): boolean {
  const { owner, path } = claim;
  if (owner === null) return true;
  if (claim.packageOwners.length > 0) return false;
  if (owner === ownerOf(claim.process)) return true;
  return claim.homes.some((home) => home.owner === owner && isWithin(home.path, path));
}

/** Joins what is known of a process: owners of its files, launches, and the process map. */
function correlateProcess(
  process: RunningProcess,
  known: {
    command: Command;
    mapping: ProcessMapping | null;
    ownersKnown: boolean;
    packageOwners: ReadonlyMap<string, readonly PackageOwner[]>;
    ownersOf: (
      path: string,
      packageOwners: readonly PackageOwner[],
      process: RunningProcess,
    ) => OwningEntity[];
    launched: readonly OwningEntity[];
    mapped: readonly OwningEntity[];
  },
): CorrelatedProcess {
  const { mapping, mapped, ownersOf } = known;
  const { words, script } = known.command;
  const path = process.executablePath;
  const packagesOf = (file: string | null) =>
    file === null ? [] : (known.packageOwners.get(file) ?? []);
  const scriptOwners = script === null ? [] : ownersOf(script, packagesOf(script), process);
  const owners = [
    ...scriptOwners,
    ...known.launched,
    ...(path === null ? [] : ownersOf(path, packagesOf(path), process)),
  ];
  const entities = distinct([...owners, ...mapped]);
  const isMappedOwner = owners.some((owner) => owner.entity_id === mapping?.entity_id);
  const toOwnedFile = (file: string | null): OwnedFile | null =>
    file === null ? null : { path: file, listed: packagesOf(file)[0]?.listed ?? null };
  const isAssistant = entities.some((entity) => entity.kind === 'ai_tool');
  return {
    process,
    entities,
    mapping,
    vital: [...packagesOf(path), ...packagesOf(script)].some((owner) => owner.vital),
    ownersKnown: known.ownersKnown,
    executable: toOwnedFile(path),
    script: toOwnedFile(script),
    mappedOnly: isMappedOwner ? null : (mapped[0]?.entity_id ?? null),
    scriptEntities: new Set(scriptOwners.map((owner) => owner.entity_id)),
    switches: isAssistant ? unguardedSwitches(words.length > 0 ? words : wordsOf(process)) : [],
  };
}

/** The command line of a process, as far as it is read. */
interface Command {
  words: string[];
  script: string | null;
  directory: string | null;
}

const NOTHING: Command = { words: [], script: null, directory: null };

function wordsOf({ pid }: RunningProcess): string[] {
  return readArguments(pid);
}

/** Arguments are read only where they identify something: of interpreters, and of commands in configurations. */
function readCommand(
  { kernelThread, name, pid }: RunningProcess,
  launches: readonly Launch[],
  scripts: ScriptPaths,
): Command {
  if (kernelThread) return NOTHING;
  if (!isInterpreter(name) && !launches.some((launch) => launch.command === commandName(name))) {
    return NOTHING;
  }
  const words = readArguments(pid);
  const isAsked = launches.some((launch) => launch.directory != null);
  return {
    words,
    script: scriptOf(name, pid, words, scripts),
    directory: isAsked ? readFolder(pid) : null,
  };
}

/** An entity that a mapping names counts as an owner of the executable. */
function mappedEntity(
  mapping: ProcessMapping | null,
  byId: ReadonlyMap<string, OwningEntity>,
): OwningEntity[] {
  if (mapping === null || mapping.entity_id === null) return [];
  const known = byId.get(mapping.entity_id);
  if (known !== undefined) return [known];
  return [
    {
      entity_id: mapping.entity_id,
      kind: 'application',
      name: mapping.application_name,
      version: null,
      publisher: null,
    },
  ];
}

/** How the decision knows an entity of a scan. */
export function toOwner(wire: ScannedEntity['wire']): OwningEntity {
  const { entity_id, kind, name, version, publisher } = wire;
  return { entity_id, kind, name, version: version ?? null, publisher: publisher ?? null };
}

function distinct(entities: readonly OwningEntity[]): OwningEntity[] {
  return [...new Map(entities.map((entity) => [entity.entity_id, entity])).values()];
}

/** The name a person knows the process's application by, or null. */
export function applicationName(correlated: CorrelatedProcess): string | null {
  return correlated.mapping?.application_name ?? correlated.entities[0]?.name ?? null;
}

function append<K, V>(lists: Map<K, V[]>, key: K, added: readonly V[]): void {
  lists.set(key, [...(lists.get(key) ?? []), ...added]);
}

/** Adds the owners of an entity unless the path belongs to it already. */
function appendUnlessOwned(
  lists: Map<string, Owner[]>,
  path: string,
  owners: readonly Owner[],
): void {
  const isOwned = lists
    .get(path)
    ?.some(({ entity }) => entity.entity_id === owners[0]?.entity.entity_id);
  if (isOwned !== true) append(lists, path, owners);
}
