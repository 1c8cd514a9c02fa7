// Every call an agent may make, in one constant: the hub's routes, the agent's client and the tests are derived from it.
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
    summary: 'Enrol a device: it gets a token of its own',
    request: EnrollRequest,
    answer: EnrollAnswer,
    status: 201,
  },
  discoveredApps: {
    method: 'POST',
    path: SYNC_PATHS.discoveredApps,
    summary: 'A batch of what a scan found',
    request: DiscoveredAppsRequest,
    answer: DiscoveredAppsAnswer,
    status: 202,
  },
  unknownProcesses: {
    method: 'POST',
    path: SYNC_PATHS.unknownProcesses,
    summary: 'Processes that no mapping and no application owns',
    request: UnknownProcessesRequest,
    answer: UnknownProcessesAnswer,
    status: 202,
  },
  runningProcesses: {
    method: 'POST',
    path: SYNC_PATHS.runningProcesses,
    summary: 'How many processes of each application run now',
    request: RunningProcessesRequest,
    answer: RunningProcessesAnswer,
    status: 202,
  },
  activity: {
    method: 'POST',
    path: SYNC_PATHS.activity,
    summary: 'What the agent did and saw',
    request: ActivityRequest,
    answer: ActivityAnswer,
    status: 202,
  },
  alerts: {
    method: 'POST',
    path: SYNC_PATHS.alerts,
    summary: 'Critical alerts, stored once',
    request: AlertsRequest,
    answer: AlertsAnswer,
    status: 202,
  },
  accessRequests: {
    method: 'POST',
    path: SYNC_PATHS.accessRequests,
    summary: "What the device's person asks to be let use",
    request: AccessRequestsRequest,
    answer: AccessRequestsAnswer,
    status: 202,
  },
  delta: {
    method: 'GET',
    path: SYNC_PATHS.delta,
    summary: 'Decisions that changed since the cursor',
    query: DeltaQuery,
    answer: DeltaAnswer,
    status: 200,
  },
  processMap: {
    method: 'GET',
    path: SYNC_PATHS.processMap,
    summary: 'The names that people gave to processes, all of them at once',
    answer: ProcessMapAnswer,
    status: 200,
  },
  mcpOffer: {
    method: 'GET',
    path: SYNC_PATHS.mcpOffer,
    summary: "The MCP servers that the gateway offers to the device's person",
    answer: McpOfferAnswer,
    status: 200,
  },
  update: {
    method: 'GET',
    path: SYNC_PATHS.update,
    summary: 'The signed manifest of the release that this device should run',
    query: UpdateQuery,
    answer: UpdateAnswer,
    status: 200,
  },
} as const;
