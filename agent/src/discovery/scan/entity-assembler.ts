// Assembles entities of the wire from reports of sources: sightings of a product become an entity, in a fixed order.
// Pure.
import { entityId } from '@gatewarden/shared/identity.ts';
import { compareVersions } from '@gatewarden/shared/names.ts';
import type {
  WireCoverage,
  WireEntity,
  WireInstance,
} from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { DETAILS_MAX_BYTES } from '@gatewarden/shared/wire/sync/limits.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import { type Home, namesOf, shortenHome, withoutHomes } from '../homes/home-list.ts';
import { shownVersion } from '../redaction/version-shape.ts';
import { toMachinePath } from '../scoped-fs/machine-path.ts';
import type { ConfigEntry, Discovered, Launch, Problem, Report } from '../source-contract.ts';

export interface ScannedEntity {
  wire: WireEntity;
  /** Owners in the terms of coverage; null is the machine. */
  owners: (string | null)[];
  /** Its key of the source, which stays on the device like all below. */
  key: string;
  /** All real paths, for the correlator, with the owner of the home that names them (null: the machine). */
  executables: Owned<{ path: string }>[];
  /** How its instances are started, for telling their processes. */
  launches: Owned<Launch>[];
  /** Configurations that contain the entity. */
  entries: Owned<ConfigEntry>[];
}

export type Owned<T> = T & { owner: string | null };

export interface ScanResult {
  startedAt: Date;
  durationMs: number;
  entities: ScannedEntity[];
  coverage: WireCoverage[];
  problems: Problem[];
}

type KnownHome = Pick<Home, 'path' | 'alias'> & Partial<Pick<Home, 'owner'>>;
type Sighting = { owner: string | null; source: string; found: Discovered };

const MAX_EXECUTABLES = 64;
const MAX_INSTANCES = 32;
const MAX_PERMISSIONS = 256;
const MAX_PATH = 4096;
const MAX_TEXT = 512;
const MAX_COVERAGE = 4096;
/** Fifty entities of the largest kind stay below the hub's limit for a body. */
const MAX_LIST_BYTES = 28 * 1024;
const MAX_PERMISSION_BYTES = 12 * 1024;
const DETAILS_ROOM = DETAILS_MAX_BYTES - 64;
const MAX_CUTS = 100;
/** UTF-8 bytes of a UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3;

/** Assembles the reports of a scan. */
export function assemble(
  reports: readonly Report[],
  scan: {
    platform: Platform;
    root: string;
    homes: readonly KnownHome[];
    startedAt: Date;
    durationMs: number;
  },
): ScanResult {
  const onMachine = (path: string) => toMachinePath(scan.platform, scan.root, path);
  const homes = scan.homes.map((home) => ({
    ...home,
    path: onMachine(home.path),
    ...(home.alias === undefined ? {} : { alias: onMachine(home.alias) }),
  }));
  const sightings = new Map<string, Sighting[]>();
  for (const { source, owner, found } of reports) {
    for (const sighting of found) {
      const id = entityId(scan.platform, sighting.kind, source, sighting.key);
      const before = sightings.get(id);
      if (before === undefined) sightings.set(id, [{ owner, source, found: sighting }]);
      else before.push({ owner, source, found: sighting });
    }
  }
  return {
    startedAt: scan.startedAt,
    durationMs: scan.durationMs,
    entities: [...sightings]
      .map(([id, seen]) => merge(id, seen, homes))
      .sort((a, b) => (a.wire.entity_id < b.wire.entity_id ? -1 : 1)),
    coverage: coverageOf(reports),
    problems: reports.flatMap(({ source, problems }) =>
      problems.map(({ path, reason }) => ({
        source,
        path: wellFormed(shortenHome(path, homes)),
        reason: wellFormed(reason),
      })),
    ),
  };
}

/**
 * Returns a row for each source and owner. Of too many rows the absent are dropped first: nothing is inferred from
 * them.
 */
function coverageOf(reports: readonly Report[]): WireCoverage[] {
  const rows = reports.map(
    ({ source, owner, state, reason, found }): WireCoverage => ({
      source,
      owner,
      state,
      entities: new Set(found.map((sighting) => `${sighting.kind}\0${sighting.key}`)).size,
      reason: reason === null ? null : cut(wellFormed(reason), 1024),
    }),
  );
  if (rows.length <= MAX_COVERAGE) return rows;
  const telling = rows.filter((row) => row.state !== 'absent');
  const absent = rows.filter((row) => row.state === 'absent');
  return [...telling, ...absent].slice(0, MAX_COVERAGE);
}

function merge(
  id: string,
  sightings: readonly Sighting[],
  homes: readonly KnownHome[],
): ScannedEntity {
  const ordered = sightings.toSorted(
    (a, b) =>
      compareOwners(a.owner, b.owner) || compareTexts(a.found.path ?? '', b.found.path ?? ''),
  );
  const newest = ordered.reduce((best, candidate) =>
    compareVersions(candidate.found.version ?? '', best.found.version ?? '') > 0 ? candidate : best,
  );
  const executables = [...new Set(ordered.flatMap((s) => s.found.executables ?? []))].sort(byBytes);
  const owners = [...new Set(ordered.map((s) => s.owner))];
  const show = (path: string | null | undefined) =>
    path == null ? null : shortenHome(path, homes).slice(0, MAX_PATH);
  const instances = ordered.map((sighting) => toInstance(sighting, show));
  const isMoreSpecific =
    instances.length > 1 ||
    instances.some(
      (instance) => instance.owner !== null || instance.permissions || instance.launch_hash,
    );
  // The machine's name of a product precedes that of a home, which may contain anything.
  const named = ordered[0]?.found ?? newest.found;
  const { found } = newest;
  const hashes = instances.flatMap((instance) => instance.launch_hash ?? []).sort();
  const details = nameless(joinDetails(ordered.map((s) => s.found.details ?? {})), homes);
  const wire: WireEntity = {
    entity_id: id,
    kind: named.kind,
    source: newest.source,
    name: cut(named.name, MAX_TEXT) || '?',
    version: versionOf(newest),
    publisher: cutOrNull(named.publisher),
    install_path: show(found.path),
    executables: withinBytes(
      [...new Set(executables.map((path) => shortenHome(path, homes)))]
        .filter((path) => path.length <= MAX_PATH)
        .sort(byBytes)
        .slice(0, MAX_EXECUTABLES),
      MAX_LIST_BYTES,
    ),
    ...(isMoreSpecific
      ? { instances: withinBytes(instances.slice(0, MAX_INSTANCES), MAX_LIST_BYTES) }
      : {}),
    installed_at: found.installedAt ?? null,
    launch_hash: hashes[0] ?? null,
    ...(details === null ? {} : { details }),
  };
  const owned = <T>(of: (found: Discovered) => readonly T[]): Owned<T>[] =>
    distinct(
      ordered.flatMap(({ owner, found }) => of(found).map((property) => ({ ...property, owner }))),
    );
  return {
    wire: wellFormed(wire),
    owners,
    key: named.key,
    executables: owned((sighting) => (sighting.executables ?? []).map((path) => ({ path }))),
    launches: owned((sighting) => (sighting.launch ? [sighting.launch] : [])),
    entries: owned((sighting) => (sighting.entry ? [sighting.entry] : [])),
  };
}

/** A pattern of addresses has no place for user info: any text there is a secret. */
const withoutUserInfo = (permission: string): string =>
  permission.replace(/^([a-z*][a-z0-9+.*-]{0,32}:\/\/)[^/?#]*@/i, '$1');

/** The database of a package manager is written by root; everything else may be written by anybody. */
const DATABASES = new Set([
  'dpkg',
  'rpm',
  'pacman',
  'apk',
  'nix',
  'snap',
  'registry_uninstall',
  'appx',
]);

function versionOf({ source, found }: Sighting): string | null {
  const version = cutOrNull(found.version);
  return version === null || DATABASES.has(source) ? version : shownVersion(version);
}

function toInstance(
  sighting: Sighting,
  show: (path: string | null | undefined) => string | null,
): WireInstance {
  const { owner, found } = sighting;
  return {
    owner,
    path: show(found.path),
    version: versionOf(sighting),
    name: cut(found.calledThere ?? found.name, MAX_TEXT),
    ...(found.permissions == null
      ? {}
      : {
          permissions: withinBytes(
            [
              ...new Set(
                found.permissions.map((permission) => cut(withoutUserInfo(permission), MAX_TEXT)),
              ),
            ]
              .sort()
              .slice(0, MAX_PERMISSIONS),
            MAX_PERMISSION_BYTES,
          ),
        }),
    ...(found.launchHash == null ? {} : { launch_hash: found.launchHash }),
  };
}

/** Joins lists over all sightings; of anything else the first counts. Cut to what the wire allows. */
function joinDetails(all: readonly Record<string, unknown>[]): Record<string, unknown> | null {
  const joined: Record<string, unknown> = {};
  for (const [key, value] of all.flatMap(Object.entries)) {
    const before = joined[key];
    if (before === undefined) joined[key] = Array.isArray(value) ? distinct(value) : value;
    else if (Array.isArray(before) && Array.isArray(value)) {
      joined[key] = distinct([...before, ...value]);
    }
  }
  if (Object.keys(joined).length === 0) return null;
  for (let tries = 0; Buffer.byteLength(JSON.stringify(joined)) > DETAILS_ROOM; tries++) {
    if (tries === MAX_CUTS) return { cut: true };
    cutLongest(joined);
  }
  return joined;
}

/** Halves the longest value, and marks the details as cut. */
function cutLongest(details: Record<string, unknown>): void {
  const keys = Object.keys(details).filter((key) => key !== 'cut');
  const longest = keys.toSorted((a, b) => sizeOf(details[b]) - sizeOf(details[a]))[0] ?? '';
  const value = details[longest];
  const isDivisible = typeof value === 'string' || Array.isArray(value);
  details[longest] =
    isDivisible && value.length > 1 ? value.slice(0, Math.floor(value.length / 2)) : null;
  details.cut = true;
}

/** Replaces the paths of homes of other users (the own is `~` already) by the user's number. */
function nameless<T>(details: T, homes: readonly KnownHome[]): T {
  const text = JSON.stringify(details).replaceAll('\\\\', '/');
  const named = homes.filter((home) =>
    namesOf(home).some((name) => text.includes(name.replaceAll('\\', '/'))),
  );
  return named.length === 0 ? details : withoutNames(details, named);
}

function withoutNames<T>(value: T, homes: readonly KnownHome[]): T {
  if (typeof value === 'string') {
    return homes.reduce<string>(
      (text, home) => withoutHomes(text, namesOf(home), `~${home.owner ?? ''}`),
      value,
    ) as T;
  }
  if (Array.isArray(value)) return value.map((item) => withoutNames(item, homes)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, nested]) => [key, withoutNames(nested, homes)]);
  return Object.fromEntries(entries) as T;
}

/** Returns the first items that fit. */
function withinBytes<T>(list: readonly T[], maxBytes: number): T[] {
  // Most lists are far below the limit: their text length shows that cheaper than the sizes of all items.
  if (list.length === 0 || JSON.stringify(list).length * MAX_BYTES_PER_UNIT <= maxBytes) {
    return [...list];
  }
  let bytes = 0;
  const beyond = list.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return bytes > maxBytes;
  });
  return beyond < 0 ? [...list] : list.slice(0, beyond);
}

function distinct<T>(values: readonly T[]): T[] {
  if (values.length < 2) return [...values];
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const cut = (text: string, length: number): string => text.slice(0, length);

function cutOrNull(text: string | null | undefined): string | null {
  return text == null || text === '' ? null : cut(text, MAX_TEXT);
}

function compareOwners(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return -1;
  return b === null || a > b ? 1 : -1;
}

function compareTexts(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** NUL and lone surrogates as JSON writes them. */
const MALFORMED = /\\u(?:0000|d[89a-f])/;

/** NUL and lone surrogates, which the hub refuses everywhere, become U+FFFD, so that the entity is accepted. */
function wellFormed<T>(value: T): T {
  return MALFORMED.test(JSON.stringify(value)) ? repaired(value) : value;
}

function repaired<T>(value: T): T {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd') as T;
  if (Array.isArray(value)) return value.map(repaired) as T;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, repaired(v)])) as T;
  }
  return value;
}
