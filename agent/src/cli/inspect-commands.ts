// The commands that look: processes, status, queue.

import type { AgentStatus, ListedProcess } from '@gatewarden/shared/wire/local/service.ts';
import type { EnforcementLimit } from '@gatewarden/shared/wire/vocabulary.ts';
import { currentPlatform } from '../config/device-identity.ts';
import { findHomes } from '../discovery/homes/home-finder.ts';
import { createEnforcementView } from '../enforcement/enforcement-view.ts';
import { describeProcesses } from '../enforcement/process-view.ts';
import { readSystemContext } from '../enforcement/system-context.ts';
import { askService, NotAllowed, requireOwnFolder } from '../local-api/socket-client.ts';
import { readOwnKey } from '../local-api/user-keys.ts';
import { openPackageOwners } from '../processes/package-owners.ts';
import { createCorrelator } from '../processes/process-correlator.ts';
import { listProcesses } from '../processes/process-list.ts';
import { Unreachable } from '../runtime/errors.ts';
import { listAlerts, type WaitingAlert } from '../store/alert-store.ts';
import { openStoreForReading } from '../store/store-database.ts';
import { openContextForAnybody, print, singleLine } from './command-context.ts';
import type { GlobalOptions } from './config-locator.ts';
import { scanHere } from './scan-command.ts';

export interface ProcessesOptions extends GlobalOptions {
  /** Show threads of the kernel, too. */
  all?: boolean;
}

const PROCESS_COLUMNS = {
  pid: (row: ListedProcess) => row.pid,
  process: (row: ListedProcess) => row.name,
  application: (row: ListedProcess) => row.application_name,
  policy: (row: ListedProcess) => row.decision,
  protection: (row: ListedProcess) => row.protected,
  path: (row: ListedProcess) => row.executable_path,
};

/** The protection rule of threads of the kernel: no policy can apply to them. */
const KERNEL_THREAD = 'kernel_thread';

/** Prints the running processes, from the service, or without a service as this account sees them. */
export async function showProcesses(
  options: ProcessesOptions,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { config, dataDir, json } = openContextForAnybody(options, env);
  const answer = await askForProcesses(dataDir);
  const processes = answer?.processes ?? (await seeProcesses(dataDir, config.sources, env));
  const { renderTable } = await import('@gatewarden/shared/cli/table.ts');
  print(json, { processes }, () => {
    const shown = processes.filter((p) => options.all === true || p.protected !== KERNEL_THREAD);
    return [renderTable(PROCESS_COLUMNS, shown)];
  });
}

/** All, for whom the service's own account is; for others, theirs. Null where no service runs. */
export async function askForProcesses(
  dataDir: string,
): Promise<{ processes: ListedProcess[] } | null> {
  try {
    return await askService(dataDir, 'control', 'GET', '/processes');
  } catch (error) {
    if (!(error instanceof NotAllowed)) throw error;
    return askService(dataDir, 'status', 'GET', '/processes', readOwnKey(dataDir));
  }
}

async function seeProcesses(
  dataDir: string,
  sources: readonly string[] | null,
  env: NodeJS.ProcessEnv,
): Promise<ListedProcess[]> {
  const platform = currentPlatform();
  const db = openStoreForReading(dataDir);
  const found = await findHomes();
  const homes = found?.homes;
  const correlator = createCorrelator(platform, openPackageOwners(), homes);
  const view = createEnforcementView(db, platform);
  correlator.applyProcessMap(view.mappings);
  correlator.applyScan((await scanHere(sources, dataDir, env)).entities);
  const running = correlator.correlate(listProcesses());
  const rows = await describeProcesses(running, view, await readSystemContext());
  db?.close();
  return rows;
}

/** `status`: of the running service. */
export async function showStatus(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const { dataDir, json } = openContextForAnybody(options, env);
  const status = await askService<AgentStatus>(dataDir, 'status', 'GET', '/status');
  if (status === null) throw new Unreachable(`no agent runs on ${dataDir}`);
  print(json, status, () => [
    `Device        ${status.device_id} (agent ${status.agent_version})`,
    `Enforcement   ${describeEnforcement(status)}`,
    ...(status.pause.until === null ? [] : [`Paused        until ${status.pause.until}`]),
    `Hub           ${status.hub.url}, ${formatContact(status.hub)}`,
    ...(status.hub.last_error === null
      ? []
      : [`Last error    ${singleLine(status.hub.last_error)}`]),
    `Overrides     ${status.overrides}${describeNotUnderstood(status)}`,
    `Alerts        ${status.alerts_queued} wait, ${status.alerts_dropped} dropped`,
    `Updates       ${describeUpdates(status)}`,
    `Last scan     ${status.last_scan === null ? 'none' : `${status.last_scan.at}, ${status.last_scan.entities} entities in ${status.last_scan.duration_ms} ms`}`,
  ]);
}

function describeNotUnderstood({ overrides_not_understood: count = 0 }: AgentStatus): string {
  return count === 0 ? '' : `, ${count} of them newer than this agent, and not carried out`;
}

const LIMITS: Record<EnforcementLimit, string> = {
  configuration: 'set by agent.enforcement',
  hub: 'the company limits all devices there',
  kill_switch: 'turned off on this device, "gatewarden on" ends it',
  breaker: 'it ended too many programs in a minute, for ten minutes',
  crash_loop: 'the agent ended unexpectedly again and again, until it has run for ten minutes',
  pause: 'paused by the person here',
  untested_platform: 'nobody has tried enforcing on this system, see agent.allow_untested_platform',
};

/** Describes the mode with all its limits. */
export function describeEnforcement({
  enforcement,
  limited_by,
}: Pick<AgentStatus, 'enforcement' | 'limited_by'>): string {
  const why = limited_by.map((limit) => LIMITS[limit]).join('; ');
  return why === '' ? enforcement : `${enforcement} (${why})`;
}

function describeUpdates({ update }: AgentStatus): string {
  if (update.off !== null) return `off: ${update.off}`;
  const refused = update.refused === null ? [] : [singleLine(update.refused)];
  const failed = update.failed == null ? [] : [`tried again: ${singleLine(update.failed)}`];
  const bad = update.bad.map(
    (failure) => `${failure.version} did not work: ${singleLine(failure.reason)}`,
  );
  return [
    `channel ${update.channel}, asked ${update.last_asked_at ?? 'never'}`,
    ...refused,
    ...failed,
    ...bad,
  ].join('; ');
}

/** Before the first question nothing is known: that is no hub that is away. */
function formatContact({ reachable, last_contact_at, last_error }: AgentStatus['hub']): string {
  if (!reachable && last_error === null) return 'not asked yet since the start';
  const since = `last contact ${last_contact_at ?? 'never'}`;
  return `${reachable ? 'reachable' : 'not reachable'}, ${since}`;
}

const ALERT_COLUMNS = {
  occurred: ({ alert }: WaitingAlert) => alert.occurred_at,
  severity: ({ alert }: WaitingAlert) => alert.severity,
  message: ({ alert }: WaitingAlert) => alert.message,
  refused: ({ refused }: WaitingAlert) => refused,
};

/** `queue`: the alerts that wait, from the service or straight from the store. */
export async function showQueue(options: GlobalOptions, env: NodeJS.ProcessEnv): Promise<void> {
  const { dataDir, json } = openContextForAnybody(options, env);
  const answer = await askService<{ alerts: WaitingAlert[] }>(dataDir, 'control', 'GET', '/queue');
  const alerts = answer?.alerts ?? readQueue(dataDir);
  const { renderTable } = await import('@gatewarden/shared/cli/table.ts');
  print(json, { alerts }, () => [
    ...(alerts.length === 0 ? [] : [renderTable(ALERT_COLUMNS, alerts)]),
    `${alerts.length} alerts wait`,
  ]);
}

function readQueue(dataDir: string): WaitingAlert[] {
  requireOwnFolder(dataDir);
  const db = openStoreForReading(dataDir);
  if (db === null) return [];
  try {
    return listAlerts(db, 1000);
  } finally {
    db.close();
  }
}
