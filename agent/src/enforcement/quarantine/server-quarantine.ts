// MCP servers under `quarantine`: their entries are taken out of every configuration that a scan found them in, and again
// where they come back. A server elsewhere has no process here that could be ended: its entry is all there is.
import { lstatSync } from 'node:fs';
import {
  type Decision,
  decide,
  type OwningEntity,
  type ProcessFacts,
} from '@gatewarden/shared/policy.ts';
import type { ActivityEvent } from '@gatewarden/shared/wire/sync/activity.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { EnforcementMode } from '../../config/agent-config.ts';
import { type Home, shortenHome } from '../../discovery/homes/home-list.ts';
import type { Owned, ScannedEntity } from '../../discovery/scan/entity-assembler.ts';
import type { ConfigEntry } from '../../discovery/source-contract.ts';
import { toOwner } from '../../processes/process-correlator.ts';
import type { Reach } from '../../runtime/mount-probe.ts';
import type { NewAlert } from '../../store/alert-store.ts';
import type { BreadthGuard } from '../blast-radius-guard.ts';
import type { Breaker } from '../kill-breaker.ts';
import type { Keeper } from './quarantine-transaction.ts';

/** So long after what could not be taken out it is tried again. */
const RETRY_MS = 5 * 60_000;

export interface ServerQuarantine {
  learnScan(entities: readonly ScannedEntity[]): void;
  /** Takes out what is to be out. */
  consider(): Promise<void>;
  /** The same for one server, whose process was just ended; true where an entry of it is held now. */
  takeOut(entityId: string): Promise<boolean>;
  /** True where a configuration that was looked at has changed since: something may have come back. */
  isDisturbed(): Promise<boolean>;
}

export interface ServerQuarantineParts {
  platform: Platform;
  homes: readonly Home[];
  overrides: () => readonly WireOverride[];
  hubNow: () => number;
  now: () => number;
  makeId: () => string;
  mode: () => EnforcementMode;
  breaker: Breaker;
  breadth: BreadthGuard;
  monotonicMs: () => number;
  keeper: Keeper;
  reach: Reach;
  raise: (alert: NewAlert) => void;
  activity: (event: ActivityEvent) => void;
  log: (fields: object, message: string) => void;
}

interface Server {
  entity: OwningEntity;
  entries: Owned<ConfigEntry>[];
}

type Due = Decision<WireOverride> & { override: WireOverride };

export function createServerQuarantine(parts: ServerQuarantineParts): ServerQuarantine {
  let servers: Server[] = [];
  /** What each entry's file looked like when it was last found without the entry. */
  const settled = new Map<string, string>();
  const told = new Set<string>();
  /**
   * What could not be taken out: when it is tried again, for a right that is given back leaves the file as it was, and
   * whether the breaker counted it. It does so once: a file that nobody may change for days would open it again and again.
   */
  const failures = new Map<string, { againAtMs: number; isCounted: boolean }>();
  const placeOf = (server: Server, { file, container, key }: ConfigEntry) =>
    JSON.stringify([server.entity.entity_id, file, container, key]);

  const isDueAgain = (place: string) =>
    parts.monotonicMs() >= (failures.get(place)?.againAtMs ?? Infinity);

  /** For what is not decided any more: decided anew it is tried anew. */
  const forgetFailures = (server: Server) => {
    for (const entry of server.entries) {
      const place = placeOf(server, entry);
      if (failures.delete(place)) settled.delete(place);
    }
  };

  /** Only whether it changed is asked; the file is read by its owner's process alone. Null: it does not answer. */
  const signatureOf = async (file: string): Promise<string | null> => {
    if (!(await parts.reach.answers(file))) return null;
    try {
      const { ino, size, mtimeMs } = lstatSync(file);
      return `${ino}:${size}:${mtimeMs}`;
    } catch {
      // Not there: a state like any other.
      return 'absent';
    }
  };

  const decideAbout = (server: Server): Due | null => {
    const facts = serverFacts(server.entity);
    const { override, ...rest } = decide(
      { platform: parts.platform },
      facts,
      parts.overrides(),
      parts.hubNow(),
    );
    if (override === null || rest.policy !== 'quarantine') return null;
    return { override, ...rest };
  };

  const take = async (server: Server, due: Due): Promise<boolean> => {
    const { override } = due;
    const open: Server['entries'] = [];
    for (const entry of server.entries) {
      const now = await signatureOf(entry.file);
      const place = placeOf(server, entry);
      const isChanged = settled.get(place) !== now;
      if (now === null || !(isChanged || isDueAgain(place))) continue;
      const failure = failures.get(place);
      if (isChanged) failures.delete(place);
      // Whatever comes of it, the next look at it is not before its time.
      else if (failure !== undefined) failure.againAtMs = parts.monotonicMs() + RETRY_MS;
      open.push(entry);
    }
    if (open.length === 0) return false;
    const report = (entry: ConfigEntry, outcome: string) =>
      parts.activity(describe(parts, server, entry, due, outcome));
    const once = `${server.entity.entity_id}:${override.override_id}:${override.revision}`;
    if (parts.mode() !== 'enforce') {
      for (const entry of open) if (!told.has(once)) report(entry, 'reported');
      told.add(once);
      return false;
    }
    parts.breadth.note(override, server.entity.entity_id);
    if (parts.breadth.refusal(override) !== null) {
      for (const entry of open) if (!told.has(once)) report(entry, 'refused');
      told.add(once);
      return false;
    }
    let held = false;
    for (const entry of open) {
      const place = placeOf(server, entry);
      let isCounted = failures.get(place)?.isCounted ?? false;
      const admit = (): boolean => {
        if (parts.mode() !== 'enforce') return false;
        if (isCounted) return parts.breaker.state() === 'closed';
        isCounted = parts.breaker.admit();
        return isCounted;
      };
      const outcome = await parts.keeper.holdEntry(
        entry,
        {
          name: server.entity.name,
          overrideId: override.override_id,
          entityId: server.entity.entity_id,
          facts: serverFacts(server.entity),
          alert: alertAbout(parts, server, entry, due, 'quarantined'),
        },
        admit,
      );
      if (outcome === 'unwanted') return held;
      const now = await signatureOf(entry.file);
      if (now !== null) settled.set(place, now);
      if (outcome === 'failed') {
        failures.set(place, { againAtMs: parts.monotonicMs() + RETRY_MS, isCounted });
      } else failures.delete(place);
      if (outcome === 'none') continue;
      if (outcome === 'held') report(entry, 'quarantined');
      const thisFile = `${once}:${entry.file}`;
      if (outcome === 'failed' && !told.has(thisFile)) {
        told.add(thisFile);
        report(entry, 'failed');
        parts.raise(alertAbout(parts, server, entry, due, 'failed'));
      }
      held ||= outcome === 'held';
    }
    return held;
  };

  return {
    learnScan(entities) {
      servers = entities
        .filter(({ wire, entries }) => wire.kind === 'mcp_server' && entries.length > 0)
        .map(({ wire, entries }) => ({ entity: toOwner(wire), entries }));
      // What was taken out is not found any more, and must be found again when it comes back.
      for (const { path: file, held, facts } of parts.keeper.list()) {
        const [entity] = facts.entities;
        if (held.is !== 'entry' || entity === undefined) continue;
        const { owner, container, key } = held;
        const entry = { owner, container, file, key };
        const known = servers.find((server) => server.entity.entity_id === entity.entity_id);
        if (known === undefined) servers.push({ entity, entries: [entry] });
        else if (!known.entries.some((listed) => placeOf(known, listed) === placeOf(known, entry))) {
          known.entries.push(entry);
        }
      }
    },
    async consider() {
      for (const server of servers) {
        const due = decideAbout(server);
        if (due === null) forgetFailures(server);
        else if (parts.mode() !== 'off') await take(server, due);
      }
    },
    async takeOut(entityId) {
      const server = servers.find((server) => server.entity.entity_id === entityId);
      const due = server === undefined ? null : decideAbout(server);
      if (server === undefined || due === null) return false;
      await take(server, due);
      return parts.keeper
        .list()
        .some((record) => record.held.is === 'entry' && record.entityId === entityId);
    },
    async isDisturbed() {
      for (const server of servers) {
        for (const entry of server.entries) {
          const place = placeOf(server, entry);
          const before = settled.get(place);
          if (before === undefined) continue;
          if (parts.mode() === 'enforce' && isDueAgain(place)) return true;
          const now = await signatureOf(entry.file);
          if (now !== null && now !== before) return true;
        }
      }
      return false;
    },
  };
}

/** By what is decided about a server of which nothing has to run. */
export function serverFacts(entity: OwningEntity): ProcessFacts {
  return {
    name: entity.name,
    application_name: null,
    publisher: null,
    sha256: null,
    entities: [entity],
  };
}

/** No process is concerned: the activity names the server and the file that it stood in. */
function describe(
  parts: ServerQuarantineParts,
  { entity }: Server,
  { file }: ConfigEntry,
  { override, policy }: Due,
  outcome: string,
): ActivityEvent {
  return {
    activity_id: parts.makeId(),
    decided_at: new Date(parts.now()).toISOString(),
    process: {
      name: clean(entity.name).slice(0, 512) || '?',
      executable_path: clean(shortenHome(file, parts.homes)).slice(0, 4096),
      pid: 0,
      started_at: null,
    },
    application_name: clean(entity.name).slice(0, 512),
    entity_id: entity.entity_id,
    override_id: override.override_id,
    decision: policy,
    enforced: outcome === 'quarantined',
    outcome,
  };
}

function alertAbout(
  parts: ServerQuarantineParts,
  { entity }: Server,
  { file }: ConfigEntry,
  { override }: Due,
  outcome: 'quarantined' | 'failed',
): NewAlert {
  const why = override.reason === null ? '' : `: ${override.reason}`;
  const where = shortenHome(file, parts.homes);
  return {
    alert_id: parts.makeId(),
    occurred_at: new Date(parts.now()).toISOString(),
    severity: override.severity,
    action: 'quarantine',
    code: null,
    application_name: clean(entity.name).slice(0, 512),
    process: null,
    override_id: override.override_id,
    outcome,
    message: clean(
      `The MCP server ${entity.name} ${outcome === 'failed' ? 'could not be' : 'was'} taken out of ${where}${why}`,
    ).slice(0, 4096),
  };
}

const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd');
