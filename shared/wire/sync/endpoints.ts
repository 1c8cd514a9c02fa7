// Every call an agent may make, in one constant: the hub's routes, the agent's client and the tests are derived from it.
import { ActivityAnswer, ActivityRequest } from './activity.ts';
import { AlertsAnswer, AlertsRequest } from './alerts.ts';
import { DeltaAnswer, DeltaQuery } from './delta.ts';
import { DiscoveredAppsAnswer, DiscoveredAppsRequest } from './discovered-apps.ts';
import { EnrollAnswer, EnrollRequest } from './enroll.ts';
import { ProcessMapAnswer } from './process-map.ts';
import { RunningProcessesAnswer, RunningProcessesRequest } from './running-processes.ts';
import { UnknownProcessesAnswer, UnknownProcessesRequest } from './unknown-processes.ts';

export const SYNC_ENDPOINTS = {
  enroll: {
    method: 'POST',
    path: '/ea/v1/enroll',
    request: EnrollRequest,
    answer: EnrollAnswer,
    status: 201,
  },
  discoveredApps: {
    method: 'POST',
    path: '/ea/v1/sync/discovered-apps',
    request: DiscoveredAppsRequest,
    answer: DiscoveredAppsAnswer,
    status: 202,
  },
  unknownProcesses: {
    method: 'POST',
    path: '/ea/v1/sync/unknown-processes',
    request: UnknownProcessesRequest,
    answer: UnknownProcessesAnswer,
    status: 202,
  },
  runningProcesses: {
    method: 'POST',
    path: '/ea/v1/sync/running-processes',
    request: RunningProcessesRequest,
    answer: RunningProcessesAnswer,
    status: 202,
  },
  activity: {
    method: 'POST',
    path: '/ea/v1/sync/activity',
    request: ActivityRequest,
    answer: ActivityAnswer,
    status: 202,
  },
  alerts: {
    method: 'POST',
    path: '/ea/v1/sync/alerts',
    request: AlertsRequest,
    answer: AlertsAnswer,
    status: 202,
  },
  delta: {
    method: 'GET',
    path: '/ea/v1/sync/delta',
    query: DeltaQuery,
    answer: DeltaAnswer,
    status: 200,
  },
  processMap: {
    method: 'GET',
    path: '/ea/v1/sync/process-map',
    answer: ProcessMapAnswer,
    status: 200,
  },
} as const;

/** As sent and inflated; the inflated limit is what stops a gzip bomb. */
export const BODY_LIMIT_BYTES = 1024 * 1024;
export const INFLATED_LIMIT_BYTES = 4 * 1024 * 1024;
