// The endpoints of the sync protocol. The hub's routes, the agent's client and the tests are derived from this
// constant.
import { AccessRequestsAnswer, AccessRequestsRequest } from './access-requests.ts';
import { ActivityAnswer, ActivityRequest } from './activity.ts';
import { AlertsAnswer, AlertsRequest } from './alerts.ts';
import { DeltaAnswer, DeltaQuery } from './delta.ts';
import { DiscoveredAppsAnswer, DiscoveredAppsRequest } from './discovered-apps.ts';
import { EnrollAnswer, EnrollRequest } from './enroll.ts';
import { SYNC_PATHS } from './limits.ts';
import { McpOfferAnswer } from './mcp-offer.ts';
import { ProcessMapAnswer } from './process-map.ts';
import { RunningProcessesAnswer, RunningProcessesRequest } from './running-processes.ts';
import { UnknownProcessesAnswer, UnknownProcessesRequest } from './unknown-processes.ts';
import { UpdateAnswer, UpdateQuery } from './updates.ts';

export const SYNC_ENDPOINTS = {
  enroll: {
    method: 'POST',
    path: SYNC_PATHS.enroll,
    summary: 'Enroll a device and issue its token',
    request: EnrollRequest,
    answer: EnrollAnswer,
    status: 201,
  },
  discoveredApps: {
    method: 'POST',
    path: SYNC_PATHS.discoveredApps,
    summary: 'Push a batch of discovered entities',
    request: DiscoveredAppsRequest,
    answer: DiscoveredAppsAnswer,
    status: 202,
  },
  unknownProcesses: {
    method: 'POST',
    path: SYNC_PATHS.unknownProcesses,
    summary: 'Push processes that no app and no mapping covers',
    request: UnknownProcessesRequest,
    answer: UnknownProcessesAnswer,
    status: 202,
  },
  runningProcesses: {
    method: 'POST',
    path: SYNC_PATHS.runningProcesses,
    summary: 'Push the counts of running processes per app',
    request: RunningProcessesRequest,
    answer: RunningProcessesAnswer,
    status: 202,
  },
  activity: {
    method: 'POST',
    path: SYNC_PATHS.activity,
    summary: 'Push activity events',
    request: ActivityRequest,
    answer: ActivityAnswer,
    status: 202,
  },
  alerts: {
    method: 'POST',
    path: SYNC_PATHS.alerts,
    summary: 'Push critical alerts; a repeated alert is stored once',
    request: AlertsRequest,
    answer: AlertsAnswer,
    status: 202,
  },
  accessRequests: {
    method: 'POST',
    path: SYNC_PATHS.accessRequests,
    summary: 'Push access requests of the device user',
    request: AccessRequestsRequest,
    answer: AccessRequestsAnswer,
    status: 202,
  },
  delta: {
    method: 'GET',
    path: SYNC_PATHS.delta,
    summary: 'List the policies that changed since the cursor',
    query: DeltaQuery,
    answer: DeltaAnswer,
    status: 200,
  },
  processMap: {
    method: 'GET',
    path: SYNC_PATHS.processMap,
    summary: 'Get the complete process map',
    answer: ProcessMapAnswer,
    status: 200,
  },
  mcpOffer: {
    method: 'GET',
    path: SYNC_PATHS.mcpOffer,
    summary: 'List the MCP servers that the gateway offers to the device user',
    answer: McpOfferAnswer,
    status: 200,
  },
  update: {
    method: 'GET',
    path: SYNC_PATHS.update,
    summary: 'Get the signed manifest of the release for this device',
    query: UpdateQuery,
    answer: UpdateAnswer,
    status: 200,
  },
} as const;
