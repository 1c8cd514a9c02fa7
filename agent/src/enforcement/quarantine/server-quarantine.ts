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
import type { MountProbe } from '../../runtime/mount-probe.ts';
import type { NewAlert } from '../../store/alert-store.ts';
import type { BlastRadiusGuard } from '../blast-radius-guard.ts';
import type { KillBreaker } from '../kill-breaker.ts';
import type { QuarantineRecord } from './quarantine-records.ts';
import type { QuarantineTransactions, TransactionOutcome } from './quarantine-transaction.ts';

/** So long after what could not be taken out it is tried again. */
const RETRY_MS = 5 * 60_000;

export interface ServerQuarantine {
  applyScan(entities: readonly ScannedEntity[]): void;
  /** Takes out what is to be out. */
  consider(): Promise<void>;
  /**
   * Takes out the entries of a single server, whose process was just ended; true where an entry of it is quarantined
   * now.
   */
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
  breaker: KillBreaker;
  blastRadius: BlastRadiusGuard;
  monotonicMs: () => number;
  transactions: QuarantineTransactions;
  mountProbe: MountProbe;
  raiseAlert: (alert: NewAlert) => void;
  sendActivity: (event: ActivityEvent) => void;
  log: (fields: object, message: string) => void;
}

interface Server {
  entity: OwningEntity;
  entries: Owned<ConfigEntry>[];
}

type Due = Decision<WireOverride> & { override: WireOverride };

/** Why and when an entry that could not be taken out is tried again. */
interface Failure {
  againAtMs: number;
  /** True once the breaker counted it: a read-only file must not open the breaker again and again. */
  isCounted: boolean;
}

/** State of the entries of configuration files, by `entryKey`. */
interface EntryStates {
  /** Signature of each entry's file when the entry was last absent from it. */
  signatures: Map<string, string>;
  failures: Map<string, Failure>;
  /** Keys of what was reported already. */
  reported: Set<string>;
}

/** Creates the quarantine of MCP servers; it knows no server before the first scan. */
export function createServerQuarantine(parts: ServerQuarantineParts): ServerQuarantine {
  let servers: Server[] = [];
  const states: EntryStates = { signatures: new Map(), failures: new Map(), reported: new Set() };

  /** Drops the failures of a server without a decision, so that the next decision tries at once. */
  const forgetFailures = (server: Server) => {
    for (const entry of server.entries) {
      const key = entryKey(server, entry);
      if (states.failures.delete(key)) states.signatures.delete(key);
    }
  };

  return {
    applyScan(entities) {
      servers = entities
        .filter(({ wire, entries }) => wire.kind === 'mcp_server' && entries.length > 0)
        .map(({ wire, entries }) => ({ entity: toOwner(wire), entries }));
      addQuarantinedEntries(servers, parts.transactions.list());
    },
    async consider() {
      for (const server of servers) {
        const due = decideAbout(parts, server);
        if (due === null) forgetFailures(server);
        else if (parts.mode() !== 'off') await takeServer(parts, states, server, due);
      }
    },
    async takeOut(entityId) {
      const server = servers.find((candidate) => candidate.entity.entity_id === entityId);
      const due = server === undefined ? null : decideAbout(parts, server);
      if (server === undefined || due === null) return false;
      await takeServer(parts, states, server, due);
      return parts.transactions
        .list()
        .some((record) => record.item.is === 'entry' && record.entityId === entityId);
    },
    async isDisturbed() {
      for (const server of servers) {
        for (const entry of server.entries) {
          const key = entryKey(server, entry);
          const before = states.signatures.get(key);
          if (before === undefined) continue;
          if (parts.mode() === 'enforce' && isRetryDue(parts, states, key)) return true;
          const now = await readSignature(parts, entry.file);
          if (now !== null && now !== before) return true;
        }
      }
      return false;
    },
  };
}

const entryKey = (server: Server, { file, container, key }: ConfigEntry): string =>
  JSON.stringify([server.entity.entity_id, file, container, key]);

const isRetryDue = (parts: ServerQuarantineParts, states: EntryStates, key: string): boolean =>
  parts.monotonicMs() >= (states.failures.get(key)?.againAtMs ?? Infinity);

/** Adds quarantined entries, which no scan finds: they must be recognized when they come back. */
function addQuarantinedEntries(servers: Server[], records: readonly QuarantineRecord[]): void {
  for (const { path: file, item, facts } of records) {
    const [entity] = facts.entities;
    if (item.is !== 'entry' || entity === undefined) continue;
    const { owner, container, key } = item;
    const entry = { owner, container, file, key };
    const known = servers.find((server) => server.entity.entity_id === entity.entity_id);
    if (known === undefined) servers.push({ entity, entries: [entry] });
    else if (!known.entries.some((own) => entryKey(known, own) === entryKey(known, entry))) {
      known.entries.push(entry);
    }
  }
}

/**
 * Returns a signature of a file (inode, size, time), which differs after a change; null where it does not respond.
 */
async function readSignature(parts: ServerQuarantineParts, file: string): Promise<string | null> {
  if (!(await parts.mountProbe.answers(file))) return null;
  try {
    const { ino, size, mtimeMs } = lstatSync(file);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    // A missing file has a signature, too.
    return 'absent';
  }
}

function decideAbout(parts: ServerQuarantineParts, server: Server): Due | null {
  const facts = serverFacts(server.entity);
  const { override, ...rest } = decide(
    { platform: parts.platform },
    facts,
    parts.overrides(),
    parts.hubNow(),
  );
  if (override === null || rest.policy !== 'quarantine') return null;
  return { override, ...rest };
}

/** Takes the entries of a server out; entries whose files did not change since the last attempt are skipped. */
async function takeServer(
  parts: ServerQuarantineParts,
  states: EntryStates,
  server: Server,
  due: Due,
): Promise<void> {
  const open = await selectChangedEntries(parts, states, server);
  if (open.length === 0) return;
  const { override } = due;
  const reportKey = `${server.entity.entity_id}:${override.override_id}:${override.revision}`;
  const reportAll = (outcome: string) => {
    if (states.reported.has(reportKey)) return;
    states.reported.add(reportKey);
    for (const entry of open) parts.sendActivity(describe(parts, server, entry, due, outcome));
  };
  if (parts.mode() !== 'enforce') return reportAll('reported');
  parts.blastRadius.note(override, server.entity.entity_id);
  if (parts.blastRadius.refusal(override) !== null) return reportAll('refused');
  for (const entry of open) {
    const outcome = await takeEntry(parts, states, server, { entry, due });
    if (outcome === 'withdrawn') return;
    if (outcome === 'quarantined') {
      parts.sendActivity(describe(parts, server, entry, due, 'quarantined'));
    }
    const failureKey = `${reportKey}:${entry.file}`;
    if (outcome !== 'failed' || states.reported.has(failureKey)) continue;
    states.reported.add(failureKey);
    parts.sendActivity(describe(parts, server, entry, due, 'failed'));
    parts.raiseAlert(alertAbout(parts, server, entry, due, 'failed'));
  }
}

async function selectChangedEntries(
  parts: ServerQuarantineParts,
  { signatures, failures }: EntryStates,
  server: Server,
): Promise<Server['entries']> {
  const open: Server['entries'] = [];
  for (const entry of server.entries) {
    const signature = await readSignature(parts, entry.file);
    const key = entryKey(server, entry);
    const failure = failures.get(key);
    const isChanged = signatures.get(key) !== signature;
    const isDue = parts.monotonicMs() >= (failure?.againAtMs ?? Infinity);
    if (signature === null || !(isChanged || isDue)) continue;
    if (isChanged) failures.delete(key);
    // The next attempt is scheduled before this attempt: whatever its outcome, it is not repeated earlier.
    else if (failure !== undefined) failure.againAtMs = parts.monotonicMs() + RETRY_MS;
    open.push(entry);
  }
  return open;
}

async function takeEntry(
  parts: ServerQuarantineParts,
  { signatures, failures }: EntryStates,
  server: Server,
  { entry, due }: { entry: Owned<ConfigEntry>; due: Due },
): Promise<TransactionOutcome> {
  const { entity } = server;
  const key = entryKey(server, entry);
  let isCounted = failures.get(key)?.isCounted ?? false;
  const admit = (): boolean => {
    if (parts.mode() !== 'enforce') return false;
    if (isCounted) return parts.breaker.state() === 'closed';
    isCounted = parts.breaker.admit();
    return isCounted;
  };
  const subject = {
    name: entity.name,
    overrideId: due.override.override_id,
    entityId: entity.entity_id,
    facts: serverFacts(entity),
    alert: alertAbout(parts, server, entry, due, 'quarantined'),
  };
  const outcome = await parts.transactions.takeEntry(entry, subject, admit);
  if (outcome === 'withdrawn') return outcome;
  const signature = await readSignature(parts, entry.file);
  if (signature !== null) signatures.set(key, signature);
  if (outcome === 'failed') {
    failures.set(key, { againAtMs: parts.monotonicMs() + RETRY_MS, isCounted });
  } else failures.delete(key);
  return outcome;
}

/** Returns the facts of a server, by which it is decided about without a process. */
export function serverFacts(entity: OwningEntity): ProcessFacts {
  return {
    name: entity.name,
    application_name: null,
    publisher: null,
    sha256: null,
    entities: [entity],
  };
}

/** Builds the activity event of a server without a process: it names the server and its file. */
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
