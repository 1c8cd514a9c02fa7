// The search parameters of each page. Unknown and empty parameters are dropped.
import { POLICY_STEPS, type PolicyStep } from '@gatewarden/shared/policy-scale.ts';
import {
  DEVICE_SORTS,
  DEVICE_STATES,
  type DeviceRow,
  type DeviceSort,
  type DeviceState,
  GOVERNANCE_STATES,
} from '@gatewarden/shared/wire/console/devices.ts';
import {
  OVERRIDE_SORTS,
  OVERRIDE_STATES,
  type OverrideSort,
  type OverrideState,
} from '@gatewarden/shared/wire/console/overrides.ts';
import { ROLLOUT_STATES, type Rollout } from '@gatewarden/shared/wire/console/rollouts.ts';
import {
  ACTIVITY_SORTS,
  type ActivitySort,
  TIME_SORTS,
  type TimeSort,
} from '@gatewarden/shared/wire/console/time-sorts.ts';
import {
  ALERT_ACTIONS,
  APPROVAL_STATUSES,
  type ApprovalStatus,
  ENTITY_KINDS,
  type EntityKind,
  EXECUTION_POLICIES,
  type ExecutionPolicy,
  PLATFORMS,
  type Platform,
  ROLES,
  type Role,
  SEVERITIES,
  type Severity,
} from '@gatewarden/shared/wire/vocabulary.ts';
import { type RangeSearch, rangeSearch } from '../activity-shell/time-range.ts';
import { ALERT_ASSIGNED, ALERT_STATE_FILTERS } from '../alerts/states.ts';
import { oneOf, searchText } from '../api/query-string.ts';
import { APPLICATION_SORTS } from '../applications/sorts.ts';
import { APP_TABS } from '../gateway/tabs.ts';
import { CALL_VERDICTS, LLM_STATUSES } from '../logs/log-states.ts';
import { type UsageChoices, usageChoices } from '../logs/usage-choices.ts';
import { PRODUCT_SORTS } from '../products/sorts.ts';
import { IDENTITY_KINDS, IDENTITY_SORTS, USER_STATES } from '../settings/user-states.ts';

/** Optional everywhere, so that a link to a page need not name its filters. */
type Optional<T> = { [K in keyof T]?: T[K] | undefined };
type Raw = Record<string, unknown>;

const DRIFTED = ['true', 'false'] as const;
const FRESH = ['week'] as const;
const SEEN = ['today'] as const;
const COVERAGE = ['gaps'] as const;

const timeSort = (value: unknown): TimeSort | undefined => oneOf(TIME_SORTS, value);

/** `why`: the trace that is open over the page. */
export const whySearch = (raw: Raw): Optional<{ why: string }> => ({ why: searchText(raw.why) });

export const applicationsSearch = (
  raw: Raw,
): Optional<{
  query: string;
  kind: EntityKind;
  approval_status: ApprovalStatus;
  policy_step: PolicyStep;
  drifted: (typeof DRIFTED)[number];
  fresh: 'week';
  /** The user of the devices with the apps. */
  subscriber_id: string;
  sort: (typeof APPLICATION_SORTS)[number];
}> => ({
  query: searchText(raw.query),
  subscriber_id: searchText(raw.subscriber_id),
  kind: oneOf(ENTITY_KINDS, raw.kind),
  approval_status: oneOf(APPROVAL_STATUSES, raw.approval_status),
  policy_step: oneOf(POLICY_STEPS, raw.policy_step),
  drifted: oneOf(DRIFTED, raw.drifted),
  fresh: oneOf(FRESH, raw.fresh),
  sort: oneOf(APPLICATION_SORTS, raw.sort),
});

export const productsSearch = (
  raw: Raw,
): Optional<{
  query: string;
  platform: Platform;
  approval_status: ApprovalStatus;
  drifted: (typeof DRIFTED)[number];
  fresh: 'week';
  sort: (typeof PRODUCT_SORTS)[number];
}> => ({
  query: searchText(raw.query),
  platform: oneOf(PLATFORMS, raw.platform),
  approval_status: oneOf(APPROVAL_STATUSES, raw.approval_status),
  drifted: oneOf(DRIFTED, raw.drifted),
  fresh: oneOf(FRESH, raw.fresh),
  sort: oneOf(PRODUCT_SORTS, raw.sort),
});

export const devicesSearch = (
  raw: Raw,
): Optional<{
  query: string;
  platform: Platform;
  governance: DeviceRow['governance']['state'];
  state: DeviceState;
  seen: 'today';
  coverage: 'gaps';
  sort: DeviceSort;
}> => ({
  query: searchText(raw.query),
  platform: oneOf(PLATFORMS, raw.platform),
  governance: oneOf(GOVERNANCE_STATES, raw.governance),
  state: oneOf(DEVICE_STATES, raw.state),
  seen: oneOf(SEEN, raw.seen),
  coverage: oneOf(COVERAGE, raw.coverage),
  sort: oneOf(DEVICE_SORTS, raw.sort),
});

export const decisionsSearch = (
  raw: Raw,
): Optional<{
  state: OverrideState;
  rollout: Rollout['state'];
  entity_id: string;
  override_id: string;
  sort: OverrideSort;
  why: string;
}> => ({
  ...whySearch(raw),
  override_id: searchText(raw.override_id),
  sort: oneOf(OVERRIDE_SORTS, raw.sort),
  state: oneOf(OVERRIDE_STATES, raw.state),
  rollout: oneOf(ROLLOUT_STATES, raw.rollout),
  entity_id: searchText(raw.entity_id),
});

export const rolloutsSearch = (raw: Raw): Optional<{ rollout: Rollout['state']; why: string }> => ({
  ...whySearch(raw),
  rollout: oneOf(ROLLOUT_STATES, raw.rollout),
});

export const auditSearch = (
  raw: Raw,
): Optional<{
  actor: string;
  operation: string;
  resource_kind: string;
  resource_id: string;
  event: string;
  sort: TimeSort;
}> &
  RangeSearch => ({
  ...rangeSearch(raw),
  actor: searchText(raw.actor),
  operation: searchText(raw.operation),
  resource_kind: searchText(raw.resource_kind),
  resource_id: searchText(raw.resource_id),
  event: searchText(raw.event),
  sort: timeSort(raw.sort),
});

export const gatewayAuditSearch = (raw: Raw): Optional<{ event: string }> => ({
  event: searchText(raw.event),
});

export const referenceSearch = (raw: Raw): Optional<{ query: string; tag: string }> => ({
  query: searchText(raw.query),
  tag: searchText(raw.tag),
});

export const errorCodesSearch = (raw: Raw): Optional<{ status: string }> => ({
  status: searchText(raw.status),
});

export const groupsSearch = (raw: Raw): Optional<{ query: string }> => ({
  query: searchText(raw.query),
});

export const deviceSearch = (
  raw: Raw,
): Optional<{ query: string; removed: 'true'; why: string }> => ({
  ...whySearch(raw),
  query: searchText(raw.query),
  removed: oneOf(['true'] as const, raw.removed),
});

export const myDeviceSearch = (raw: Raw): Optional<{ query: string; why: string }> => ({
  ...whySearch(raw),
  query: searchText(raw.query),
});

export const processesSearch = (raw: Raw): Optional<{ query: string }> => ({
  query: searchText(raw.query),
});

export const alertsSearch = (
  raw: Raw,
): Optional<{
  state: (typeof ALERT_STATE_FILTERS)[number];
  sort: TimeSort;
  severity: Severity;
  action: (typeof ALERT_ACTIONS)[number];
  app: string;
  assigned: (typeof ALERT_ASSIGNED)[number];
  device_id: string;
  /** The user of the devices. */
  subscriber_id: string;
  group: string;
  day: string;
  /** Clusters instead of single alerts. */
  view: 'groups';
  /** The opened alert: `<alert_id>.<device_id>`. */
  alert: string;
  why: string;
}> &
  RangeSearch => ({
  ...whySearch(raw),
  ...rangeSearch(raw),
  action: oneOf(ALERT_ACTIONS, raw.action),
  app: searchText(raw.app),
  device_id: searchText(raw.device_id),
  subscriber_id: searchText(raw.subscriber_id),
  group: searchText(raw.group),
  day: searchText(raw.day),
  view: oneOf(['groups'] as const, raw.view),
  alert: searchText(raw.alert),
  assigned: oneOf(ALERT_ASSIGNED, raw.assigned),
  state: oneOf(ALERT_STATE_FILTERS, raw.state),
  sort: timeSort(raw.sort),
  severity: oneOf(SEVERITIES, raw.severity),
});

export const activitySearch = (
  raw: Raw,
): Optional<{
  query: string;
  device_id: string;
  entity_id: string;
  decision: ExecutionPolicy;
  app: string;
  platform: Platform;
  sort: ActivitySort;
  /** The opened event: `<activity_id>.<device_id>`. */
  row: string;
  why: string;
}> &
  RangeSearch => ({
  ...whySearch(raw),
  ...rangeSearch(raw),
  decision: oneOf(EXECUTION_POLICIES, raw.decision),
  app: searchText(raw.app),
  platform: oneOf(PLATFORMS, raw.platform),
  row: searchText(raw.row),
  query: searchText(raw.query),
  device_id: searchText(raw.device_id),
  entity_id: searchText(raw.entity_id),
  sort: oneOf(ACTIVITY_SORTS, raw.sort),
});

export const peopleSearch = (
  raw: Raw,
): Optional<{
  query: string;
  kind: (typeof IDENTITY_KINDS)[number];
  role: Role;
  state: (typeof USER_STATES)[number];
  sort: (typeof IDENTITY_SORTS)[number];
}> => ({
  kind: oneOf(IDENTITY_KINDS, raw.kind),
  sort: oneOf(IDENTITY_SORTS, raw.sort),
  query: searchText(raw.query),
  role: oneOf(ROLES, raw.role),
  state: oneOf(USER_STATES, raw.state),
});

const ACCESS_STATES = ['open', 'granted', 'declined', 'withdrawn'] as const;
const FLAGS = ['true', 'false'] as const;
type Flag = (typeof FLAGS)[number];
const flag = (value: unknown): Flag | undefined => oneOf(FLAGS, value);

export const gatewayAppsSearch = (
  raw: Raw,
): Optional<{ name: string; tag: string; enabled: Flag }> => ({
  name: searchText(raw.name),
  tag: searchText(raw.tag),
  enabled: flag(raw.enabled),
});

export const gatewayAppSearch = (
  raw: Raw,
): Optional<{
  tab: (typeof APP_TABS)[number];
  /** The id of the opened version. */
  version: string;
}> => ({
  version: searchText(raw.version),
  tab: oneOf(APP_TABS, raw.tab),
});

export const requestsSearch = (
  raw: Raw,
): Optional<{
  request_id: string;
  user: string;
  app: string;
  model: string;
  provider: string;
  conversation_id: string;
  blocked: Flag;
  failed: Flag;
  status: (typeof LLM_STATUSES)[number];
  guardrail: string;
  /** The id of the opened request. */
  row: string;
  why: string;
  sort: TimeSort;
}> &
  RangeSearch => ({
  ...whySearch(raw),
  ...rangeSearch(raw),
  status: oneOf(LLM_STATUSES, raw.status),
  guardrail: searchText(raw.guardrail),
  row: searchText(raw.row),
  request_id: searchText(raw.request_id),
  user: searchText(raw.user),
  app: searchText(raw.app),
  model: searchText(raw.model),
  provider: searchText(raw.provider),
  conversation_id: searchText(raw.conversation_id),
  blocked: flag(raw.blocked),
  failed: flag(raw.failed),
  sort: timeSort(raw.sort),
});

export const toolCallsSearch = (
  raw: Raw,
): Optional<{
  request_id: string;
  user: string;
  conversation_id: string;
  backend: string;
  tool: string;
  blocked: Flag;
  failed: Flag;
  verdict: (typeof CALL_VERDICTS)[number];
  /** The opened call by its number in the log. */
  row: string;
  why: string;
  sort: TimeSort;
}> &
  RangeSearch => ({
  ...whySearch(raw),
  ...rangeSearch(raw),
  verdict: oneOf(CALL_VERDICTS, raw.verdict),
  row: searchText(raw.row),
  request_id: searchText(raw.request_id),
  user: searchText(raw.user),
  conversation_id: searchText(raw.conversation_id),
  backend: searchText(raw.backend),
  tool: searchText(raw.tool),
  blocked: flag(raw.blocked),
  failed: flag(raw.failed),
  sort: timeSort(raw.sort),
});

export const usageSearch = (
  raw: Raw,
): Optional<{ from: string; to: string; by: string }> & UsageChoices => ({
  ...usageChoices(raw),
  from: searchText(raw.from),
  to: searchText(raw.to),
  by: searchText(raw.by),
});

export const metricsSearch = (raw: Raw): Optional<{ days: '1' | '7' | '14' }> => ({
  days: oneOf(['1', '7', '14'] as const, String(raw.days)),
});

/** `connect`: the server that a call waits for; `connected`: the server whose sign-in the user returns from. */
export const connectionsSearch = (raw: Raw): Optional<{ connect: string; connected: string }> => ({
  connect: searchText(raw.connect),
  connected: searchText(raw.connected),
});

export const mcpRulesSearch = (raw: Raw): Optional<{ email: string }> => ({
  email: searchText(raw.email),
});

/** Filters of a user's own calls and LLM requests. */
export const ownLogSearch = (raw: Raw): Optional<{ blocked: Flag; why: string }> => ({
  ...whySearch(raw),
  blocked: oneOf(['true', 'false'] as const, raw.blocked),
});

export const accessRequestsSearch = (
  raw: Raw,
): Optional<{
  state: (typeof ACCESS_STATES)[number];
  device_id: string;
  /** The user who sent the request. */
  subscriber_id: string;
}> => ({
  state: oneOf(ACCESS_STATES, raw.state),
  device_id: searchText(raw.device_id),
  subscriber_id: searchText(raw.subscriber_id),
});
