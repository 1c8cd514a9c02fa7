// Descriptions of operations: what their configuration requires, as sentences, and notes on limits and side effects.
import { BODY_LIMIT_BYTES, INFLATED_LIMIT_BYTES } from '@gatewarden/shared/wire/sync/limits.ts';

/** The parts of a route that its description depends on. */
export interface DescribedRoute {
  operationId: string;
  /** The route's own description. */
  description?: string | undefined;
  sync?: 'enroll' | 'get' | 'post' | undefined;
  access?: string | undefined;
  caller?: keyof typeof CALLERS | undefined;
  management?: { family: string; scopes: readonly string[]; idempotent?: boolean } | undefined;
  /** Requires `If-Match`. */
  changes: boolean;
  /** Has the query parameter `cursor`. */
  isPaged: boolean;
}

const CALLERS = {
  node: 'Requires a node token.',
  collector: 'Requires a log-export key.',
  session: 'Requires a session in the console.',
  directory: 'Requires a SCIM token.',
};

const MIB = 2 ** 20;

/** Limits and side effects, by the id of an operation. A test rejects ids that do not exist. */
export const OPERATION_NOTES: Readonly<Record<string, string>> = {
  enrollDevice:
    'The device sends its own enrollment key, so that a lost answer can be requested again. A device that is enrolled needs an administrator before it gets another token.',
  pushDiscoveredApps:
    'A batch has at most 50 entities. A batch that arrives again with the same `batch_id` is stored once; another body under that id is rejected.',
  pushUnidentifiedProcesses: 'A batch has at most 50 processes.',
  pushRunningProcesses: 'The report replaces the previous report of the device.',
  pushActivity: 'A batch has at most 50 events. An event that arrives again is stored once.',
  pushAlerts:
    'A batch has at most 50 alerts. A new alert is delivered to the notification channels that match it.',
  pushAccessRequests: 'A device has at most 20 open requests and 50 in 24 hours.',
  listPolicyChanges:
    'Without a cursor all policies of the device are returned. A cursor that is too old, or from another server, is answered with 410; then pull again without a cursor.',
  getProcessMap: 'Send the `ETag` as `If-None-Match`; an unchanged map is answered with 304.',
  ingestNodeLlmRequests:
    'A batch has 1 to 1,000 lines and at most 8 MiB, as sent and inflated. One invalid line rejects the batch with its number. Secrets are redacted before rows are stored.',
  ingestNodeMcpToolCalls:
    'A batch has 1 to 1,000 lines and at most 8 MiB, as sent and inflated. One invalid line rejects the batch with its number. Secrets are redacted before rows are stored.',
  listNodeConfigChanges:
    'With `wait` the answer is delayed until something changes, for at most 60 seconds.',
  exportLlmLogs:
    'Rows appear 15 minutes after their timestamp, in its order. The last line of a complete page is a checkpoint with `next_cursor`; a page without it must be requested again.',
  exportMcpLogs:
    'Rows appear 15 minutes after their timestamp, in its order. The last line of a complete page is a checkpoint with `next_cursor`; a page without it must be requested again.',
  changeSessionPassword: 'Ends all other sessions of the user.',
  scanDevice: 'The device scans everything after its next poll.',
  moveDevice: 'The agent must be configured for the new user, otherwise the hub refuses it.',
  retireDevice:
    "Revokes the device's token and removes it from lists. It cannot enroll again until it is readmitted.",
  eraseUser:
    'Deletes devices, log rows, connections and sessions of the user, and replaces the e-mail address in the audit log. This cannot be undone.',
  createPolicy:
    'Devices apply the policy after their next poll. Use `previewPolicy` before, to see affected devices, users and programs.',
  updatePolicy: 'Devices apply the change after their next poll.',
  deletePolicy: 'Devices remove the policy after their next poll and release what it quarantined.',
  previewPolicy: 'Nothing is changed.',
  previewBulkPolicies: 'Nothing is changed. A request has at most 100 apps.',
  createBulkPolicies:
    'A request has at most 100 apps. Each app has a result of its own, so that some can fail. The policy that an app has for the same scope is changed instead, unless the new policy is rolled out in stages.',
  previewProductPolicy: 'Nothing is changed.',
  previewDefaultPolicy: 'Nothing is changed.',
  previewDeviceGroup: 'Nothing is changed.',
  previewProcessMapping: 'Nothing is changed.',
  createProductPolicy: 'Applies to all apps of the product, also to those that are found later.',
  setEmergencyStop:
    'Applies to all agents of the tenant after their next poll. Programs in quarantine are released.',
  updateDriftPolicy: 'Applies to changes that are found from then on.',
  startPolicyRollout: 'The policy applies to a growing percentage of the devices in its scope.',
  revertPolicyRollout: 'Removes the policy from all devices of the rollout.',
  reviewDiscoveredApp: 'Releases the app on devices where it was restricted after a change.',
  grantAccessRequest: 'Creates a policy for the device that expires automatically.',
  replayNotificationChannel: 'At most 1,000 messages are sent, oldest first.',
  rotateNotificationChannelSecret: 'The old secret remains valid for 24 hours.',
  updateUser: 'A disabled user loses sessions, tokens and connections at once.',
  endSession: 'The session ends with its next request.',
  findLeakedKeys: 'The text is not stored.',
  revokeLeakedKeys: 'Revokes every working key of this tenant in the text. The text is not stored.',
  createEnrollmentToken: 'The token is returned once.',
  createScimToken: 'The token is returned once.',
  revokeEnrollmentToken: 'Devices that enrolled with it keep their own tokens.',
  updateLogSettings:
    'A shorter retention deletes older rows within the hour. Without stored payloads, texts of new rows are dropped.',
  createLogExportKey: 'The key is returned, and can be revealed later.',
  revokeLogExportKey:
    'Refused from the next request on; a page that is being sent ends with an error.',
  revealLogExportKey: 'Recorded in the audit log.',
  revealAppKey: 'Recorded in the audit log.',
  deleteMcpServer: 'Ends all connections, tokens and rules of the server.',
  pinMcpServerTools: 'Tools with another definition are not offered until they are approved.',
  createMcpServerApiToken: 'The token is returned once.',
  startMcpGrant: 'Open the returned address in a browser within 10 minutes.',
  grantMcpApproval: 'The client can repeat the call once.',
  testProvider: 'Sends a short request to the provider, which can cost money.',
  issueAppKey: 'The key is returned, and can be revealed later.',
  issueManagementKey: 'The key is returned once.',
  revokeAppKey: 'Revocation is final. Gateway nodes follow within seconds.',
  revokeManagementKey: 'Refused from the next request on.',
  detachAppProvider: 'The last provider of an app cannot be detached.',
  recoverOperation: 'Use it if the connection was lost while a write was in progress.',
  streamEvents: 'Server-sent events. A user has at most 16 streams; the oldest ends above it.',
  streamOwnEvents: 'Server-sent events. A user has at most 16 streams; the oldest ends above it.',
  createScimUser: 'A user of another tenant is invited, and joins at the next sign-in.',
  deleteScimUser: 'Ends sessions, tokens and connections of the user in this tenant.',
};

/** Returns the description of an operation: sentences separated by spaces. */
export function describeOperation(route: DescribedRoute): string {
  const { operationId, description, changes, isPaged, management } = route;
  const note = OPERATION_NOTES[operationId] ?? OPERATION_NOTES[operationId.replace('Gateway', '')];
  return [
    ...(description === undefined ? [] : [asSentence(description)]),
    ...(note === undefined ? [] : [note]),
    ...(isPaged
      ? [
          'Returns a page. Send `next_cursor` as `cursor`, with the same filters, for the next page.',
        ]
      : []),
    ...(route.sync === 'post'
      ? [
          `The body is JSON, compressed with gzip: at most ${BODY_LIMIT_BYTES / MIB} MiB, inflated at most ${INFLATED_LIMIT_BYTES / MIB} MiB.`,
        ]
      : []),
    requirementOf(route),
    ...(changes
      ? [
          'Send the `ETag` that you read as `If-Match`: without it the answer is 428, and 412 if the resource has changed.',
        ]
      : []),
    ...(management?.idempotent === true
      ? ['Repeat a request with the same `Idempotency-Key` within 24 hours to get the same answer.']
      : []),
  ].join(' ');
}

const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

function requirementOf({ sync, access, caller, management }: DescribedRoute): string {
  if (caller !== undefined) return CALLERS[caller];
  if (sync === 'enroll') return 'Requires an agent token.';
  if (sync !== undefined)
    return "Requires the device's token, or the agent token of its enrollment.";
  if (access !== undefined) {
    return access === 'Admin'
      ? 'Requires the role Admin.'
      : `Requires the role ${access} or a stronger role.`;
  }
  if (management === undefined) return 'Requires no authentication.';
  if (management.family === 'admin') return "Requires an administrator's token of the tenant.";
  const scopes = management.scopes.map((scope) => `\`${scope}\``).join(' and ');
  return scopes === ''
    ? 'Requires a management key.'
    : `Requires a management key with the scope ${scopes}.`;
}
