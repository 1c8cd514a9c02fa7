// Data that a user of this device may see: policies for their things, and what is sent about them. Pure.
import { decide, type OwningEntity } from '@gatewarden/shared/policy.ts';
import type {
  OwnServer,
  PolicyDecision,
  Seen,
  SeenEntity,
} from '@gatewarden/shared/wire/local/service.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { WireDevice } from '@gatewarden/shared/wire/sync/device.ts';
import type { WireEntity } from '@gatewarden/shared/wire/sync/discovered-apps.ts';
import { EXECUTION_POLICIES, type Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { ScannedEntity, ScanResult } from '../discovery/scan/entity-assembler.ts';
import { serverFacts } from '../enforcement/quarantine/server-quarantine.ts';
import { toOwner } from '../processes/process-correlator.ts';

const DECISIONS_MAX = 500;

type Scan = Pick<ScanResult, 'entities' | 'coverage' | 'startedAt'>;

/** An MCP server that was taken out of a configuration: no scan finds it there any more. */
export interface TakenOut {
  /** Owner of the configuration; null: the machine. */
  owner: string | null;
  entity: OwningEntity;
}

/** Facts about all users. */
export interface Known {
  overrides: readonly WireOverride[];
  scan: Scan | null;
  takenOut: readonly TakenOut[];
  platform: Platform;
  hubNowMs: number;
}

/**
 * Returns what is sent about this device, without the contents of other users' homes. `owner` null: an unknown user.
 */
export function entitiesVisibleTo(
  scan: Scan | null,
  device: WireDevice,
  owner: string | null,
): Seen {
  return {
    device,
    scanned_at: scan?.startedAt.toISOString() ?? null,
    entities: partsOf(scan, owner),
    coverage: (scan?.coverage ?? []).filter((row) => row.owner === null || row.owner === owner),
  };
}

/**
 * Returns policies for what this user has here, and policies without a single subject; the strictest first. Policies
 * for other things would reveal what is in other users' homes.
 */
export function decisionsFor(
  { overrides, scan, takenOut, hubNowMs }: Known,
  owner: string | null,
): { decisions: PolicyDecision[]; more: number } {
  const names = new Map([
    ...takenFrom(takenOut, owner).map((server) => [server.entity_id, server.name] as const),
    ...partsOf(scan, owner).map(({ wire }) => [wire.entity_id, wire.name] as const),
  ]);
  const rows = overrides
    .filter(({ match }) => match.entity_id === undefined || names.has(match.entity_id))
    .map((override) =>
      describeOverride(override, names.get(override.match.entity_id ?? '') ?? null, hubNowMs),
    )
    .sort((a, b) => strictness(b) - strictness(a) || (a.override_id < b.override_id ? -1 : 1));
  return {
    decisions: rows.slice(0, DECISIONS_MAX),
    more: Math.max(0, rows.length - DECISIONS_MAX),
  };
}

/** The MCP servers of this person and of the machine, by name; those that were taken out are among them. */
export function serversFor(
  { overrides, scan, takenOut, platform, hubNowMs }: Known,
  owner: string | null,
): { servers: OwnServer[] } {
  const taken = takenFrom(takenOut, owner);
  const isTaken = new Set(taken.map((server) => server.entity_id));
  const exact = new Map(
    (scan?.entities ?? []).map(({ wire }) => [wire.entity_id, toOwner(wire)] as const),
  );
  const found = partsOf(scan, owner)
    .map((part) => part.wire)
    .filter((wire) => wire.kind === 'mcp_server');
  const shown = new Map<string, Pick<OwnServer, 'name' | 'version' | 'clients'>>();
  for (const server of taken) shown.set(server.entity_id, { ...server, clients: [] });
  for (const wire of found) {
    const { name, version = null } = wire;
    shown.set(wire.entity_id, { name, version, clients: clientsOf(wire) });
  }
  const servers = [...shown].map(([id, { name, version, clients }]): OwnServer => {
    // Decided as the agent does, who knows the server whole.
    const entity = exact.get(id) ?? taken.find((server) => server.entity_id === id);
    const { policy, override } =
      entity === undefined
        ? { policy: 'allow' as const, override: null }
        : decide({ platform }, serverFacts(entity), overrides, hubNowMs);
    return {
      ...{ entity_id: id, name, version, clients, decision: policy },
      override: override === null ? null : describeOverride(override, name, hubNowMs),
      taken_out: isTaken.has(id),
    };
  });
  return { servers: servers.sort((a, b) => a.name.localeCompare(b.name, 'en')) };
}

const takenFrom = (takenOut: readonly TakenOut[], owner: string | null): OwningEntity[] =>
  takenOut
    .filter((record) => record.owner === null || record.owner === owner)
    .map((record) => record.entity);

function clientsOf({ details }: WireEntity): string[] {
  const { configured } = (details ?? {}) as { configured?: unknown };
  if (!Array.isArray(configured)) return [];
  const clients = configured.map((server: { client?: unknown } | null) => server?.client);
  return [...new Set(clients.filter((client) => typeof client === 'string'))].sort();
}

function describeOverride(
  override: WireOverride,
  matchedName: string | null,
  hubNowMs: number,
): PolicyDecision {
  const { deleted: _deleted, ...shown } = override;
  const { effective_at: from, expires_at: until } = override;
  return {
    ...shown,
    entity_name: override.match.entity_id === undefined ? null : matchedName,
    in_force:
      (from === null || Date.parse(from) <= hubNowMs) &&
      (until === null || Date.parse(until) > hubNowMs),
  };
}

const strictness = ({ execution_policy }: PolicyDecision): number =>
  EXECUTION_POLICIES.indexOf(execution_policy);

function partsOf(scan: Scan | null, owner: string | null): SeenEntity[] {
  const isTheirs = (candidate: string | null) => candidate === null || candidate === owner;
  return (scan?.entities ?? []).flatMap((entity) => partOf(entity, isTheirs) ?? []);
}

/** Returns null for an entity in other users' homes only. */
function partOf(
  { wire, owners }: ScannedEntity,
  isTheirs: (owner: string | null) => boolean,
): SeenEntity | null {
  const theirs = owners.filter(isTheirs);
  if (theirs.length === 0) return null;
  if (theirs.length === owners.length) return { wire, shared_with_others: false };
  // Values joined over all homes cannot be separated any more: only those of the user's own rows stay.
  const instances = (wire.instances ?? []).filter((instance) => isTheirs(instance.owner ?? null));
  const [first] = instances;
  const left: WireEntity = {
    entity_id: wire.entity_id,
    kind: wire.kind,
    source: wire.source,
    name: first?.name || '?',
    version: first?.version ?? null,
    install_path: first?.path ?? null,
    instances,
  };
  return { wire: left, shared_with_others: true };
}
