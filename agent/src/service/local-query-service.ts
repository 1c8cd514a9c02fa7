// Answers questions of the command line and the tray about this device. A user sees their own processes and homes
// only; the key of a request identifies the user.
import type {
  AgentStatus,
  ListedProcess,
  Notice,
  OwnServer,
  PolicyDecision,
  Seen,
  Why,
} from '@gatewarden/shared/wire/local/service.ts';
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { Platform } from '@gatewarden/shared/wire/vocabulary.ts';
import type { ScanResult } from '../discovery/scan/entity-assembler.ts';
import type { Enforcer } from '../enforcement/enforcement-pipeline.ts';
import { describeProcesses } from '../enforcement/process-view.ts';
import type { Quarantine, QuarantinedThing } from '../enforcement/quarantine/index.ts';
import { readSystemContext } from '../enforcement/system-context.ts';
import type { Notices } from '../enforcement/user-notices.ts';
import { chainOf, isKnownHere } from '../local-api/decision-chain.ts';
import type { UserKeys } from '../local-api/user-keys.ts';
import { decisionsFor, entitiesVisibleTo, serversFor } from '../local-api/user-view.ts';
import type { Correlator } from '../processes/process-correlator.ts';
import type { ProcessWatch } from '../processes/process-watcher.ts';
import type { RunningProcess } from '../processes/running-process.ts';
import type { WaitingAlert } from '../store/alert-store.ts';
import type { Backend } from '../sync/backend.ts';
import { AGENT_VERSION } from '../version.ts';
import type { ModeController } from './mode-controller.ts';

export interface LocalQueries {
  status(): Omit<AgentStatus, 'update'>;
  listProcesses(): Promise<ListedProcess[]>;
  /** The processes of the user whose key it is; so for the next three. */
  listOwnProcesses(key: string | null): Promise<ListedProcess[]>;
  listNotices(key: string | null): { notices: Notice[] };
  listDecisions(key: string | null): { decisions: PolicyDecision[]; more: number };
  listServers(key: string | null): { servers: OwnServer[] };
  listAlerts(): { alerts: WaitingAlert[] };
  listQuarantine(): { quarantined: QuarantinedThing[] };
  /** Returns the owner of a key as discovery names home owners; null for an unknown key. */
  ownerOf(key: string | null): string | null;
  /** Returns what is sent about this device. */
  listSeen(key: string | null): Seen;
  /** Returns the chain of a decision; `whose` limits its processes. */
  why(key: string | null, asked: string, whose: 'all' | 'own'): Promise<Why>;
  /** Returns whether a process, a quarantined program or an entity of this device has this name. */
  isKnown(name: string): Promise<boolean>;
}

interface QueryParts {
  baseUrl: string;
  platform: Platform;
  backend: Backend;
  userKeys: UserKeys;
  modes: ModeController;
  watch: ProcessWatch;
  correlator: Correlator;
  enforcer: Enforcer;
  quarantine: Quarantine;
  notices: Notices;
  unsupportedOverrides: { count(): number };
  overrides: () => readonly WireOverride[];
  /** The last scan; null before the first. */
  latestScan: () => ScanResult | null;
}

/** Creates the queries over the parts of a running agent. */
export function createLocalQueries(parts: QueryParts): LocalQueries {
  const { backend, userKeys, watch, notices, quarantine } = parts;
  const ownerOf = (key: string | null) => userKeys.uidOf(key)?.toString() ?? null;
  const describe = async (processes: readonly RunningProcess[]) =>
    describeProcesses(
      parts.correlator.correlate(processes),
      parts.enforcer,
      await readSystemContext(),
    );
  const listProcesses = () => describe(watch.current());
  const listOwnProcesses = async (key: string | null) => {
    const uid = userKeys.uidOf(key);
    return uid === null ? [] : describe(watch.current().filter((process) => process.uid === uid));
  };
  const facts = () => ({
    overrides: parts.overrides(),
    scan: parts.latestScan(),
    platform: parts.platform,
    takenOut: quarantine.takenOut(),
    hubNowMs: backend.clock.now(),
  });
  return {
    status: () => readStatus(parts),
    listProcesses,
    listOwnProcesses,
    listAlerts: () => ({ alerts: backend.alertStore.list(1000) }),
    listQuarantine: () => ({ quarantined: quarantine.list() }),
    listNotices: (key) => ({ notices: notices.listFor(key) }),
    listDecisions: (key) => decisionsFor(facts(), ownerOf(key)),
    listServers: (key) => serversFor(facts(), ownerOf(key)),
    ownerOf,
    listSeen: (key) => entitiesVisibleTo(parts.latestScan(), backend.client.device, ownerOf(key)),
    why: async (key, asked, whose) =>
      chainOf(asked, {
        enforcement: parts.modes.mode(),
        processes: await (whose === 'all' ? listProcesses() : listOwnProcesses(key)),
        notices: notices.listFor(key),
        ...serversFor(facts(), ownerOf(key)),
        ...decisionsFor(facts(), ownerOf(key)),
      }),
    isKnown: async (name) =>
      isKnownHere(
        name,
        parts.latestScan()?.entities ?? [],
        await listProcesses(),
        notices.listAll(),
      ),
  };
}

function readStatus(parts: QueryParts): Omit<AgentStatus, 'update'> {
  const { backend, modes } = parts;
  const { state } = backend;
  const { contact } = backend.client;
  return {
    device_id: backend.client.device.device_id,
    agent_version: AGENT_VERSION,
    enforcement: modes.mode(),
    limited_by: modes.limitedBy(),
    hub: {
      url: parts.baseUrl,
      reachable: contact.reachable ?? false,
      last_contact_at: contact.lastContactAt?.toISOString() ?? null,
      last_error: contact.lastError,
    },
    overrides: backend.overrides.count(),
    overrides_not_understood: parts.unsupportedOverrides.count(),
    alerts_queued: backend.alertStore.count() + backend.alerts.unwritten(),
    alerts_dropped: state.get('alerts_dropped') ?? 0,
    requests_queued: state.get('access_requests')?.length ?? 0,
    inventory_queued: backend.pusher.waiting(),
    cursor: state.get('cursor'),
    last_scan: state.get('last_scan'),
    breaker: modes.breaker.state(),
    pause: modes.pause(),
    contact: state.get('tray')?.contact ?? null,
  };
}
