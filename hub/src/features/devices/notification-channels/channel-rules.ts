// Validates routes and their changes, decides which alerts a route takes, and describes routes to people. No SQL, no
// network.
import { isDeepStrictEqual } from 'node:util';
import { type ChatFormat, deriveChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
import type {
  AlertDelivery,
  AlertRoute,
  AlertRouteInput,
  AlertRoutePatch,
  RouteHealth,
} from '@gatewarden/shared/wire/console/alert-routes.ts';
import { SEVERITIES, type Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { ROUTING_KEY } from '../../../platform/delivery/chat/format.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { isoOrNull } from '../../../platform/http/lists/console-lists.ts';
import { OutboundRefused } from '../../../platform/http/outbound/outbound.ts';
import { etagOf, parseIfMatch } from '../../../platform/http/server/etag.ts';
import type { RouteSecrets } from './channel-secrets.ts';
import type { DeliveryRecord } from './delivery-store.ts';
import { USUAL_DIGEST_AFTER } from './digests.ts';
import type { NewRoute, RouteConfig, RouteRecord, RoutingRoute } from './store.ts';

/** The parts of the hub that the rules use. */
export interface RouteTools {
  secrets: RouteSecrets;
  /** Throws OutboundRefused. */
  checkUrl(url: string): URL;
  hasMail: boolean;
}

export interface By {
  tenantId: string;
  routeId: string;
  email: string;
  now: Date;
}

/** A new route as it is stored, and its signing secret for the one time that it is shown. Throws 4xx. */
export function newRoute(
  input: AlertRouteInput,
  by: By,
  tools: RouteTools,
): { route: NewRoute; secret: string | null } {
  const secret = input.kind === 'webhook' ? tools.secrets.make() : null;
  const place = { tenantId: by.tenantId, routeId: by.routeId };
  const route: NewRoute = {
    route_id: by.routeId,
    kind: input.kind,
    format: input.kind === 'chat' ? (input.format ?? null) : null,
    name: input.name.trim(),
    ...(input.kind === 'email' ? NO_URL : sealedUrl(targetOf(input, tools), by, tools)),
    recipients: input.kind === 'email' ? checkedRecipients(input.to, tools) : null,
    secret_sealed: secret === null ? null : tools.secrets.seal(secret, place, 'secret'),
    previous_secret_sealed: null,
    previous_secret_until: null,
    rotation_id: null,
    min_severity: input.min_severity ?? 'low',
    group_id: input.group_id?.toLowerCase() ?? null,
    digest_after: input.digest_after === undefined ? usualDigest(input.kind) : input.digest_after,
    access_requests: input.access_requests ?? false,
    enabled: input.enabled ?? true,
    created_at: by.now,
    created_by: by.email,
    updated_at: by.now,
    updated_by: by.email,
  };
  return { route, secret };
}

export interface RouteChange {
  after: RouteConfig;
  /** The target is another one, or the route is enabled again: what was wrong before is forgotten. */
  freshStart: boolean;
}

/** Applies a patch; returns null if nothing changes. Throws 4xx. */
export function patchedRoute(
  before: RouteRecord,
  patch: AlertRoutePatch,
  by: By,
  tools: RouteTools,
): RouteChange | null {
  checkFieldsOfKind(before, patch);
  if (before.kind === 'email' && patch.enabled === true && !before.enabled) requireMail(tools);
  const format = patch.format === undefined ? before.format : patch.format;
  const storedUrl = urlOf(before, by, tools);
  const target = patchedTarget(storedUrl, { ...patch, kind: before.kind, format }, tools);
  const isNewUrl = target !== null && target.href !== storedUrl;
  const same = configOf(before);
  const after: RouteConfig = {
    ...same,
    ...(isNewUrl ? sealedUrl(target, by, tools) : {}),
    format,
    recipients: patch.to === undefined ? before.recipients : checkedRecipients(patch.to, tools),
    name: patch.name?.trim() ?? before.name,
    min_severity: patch.min_severity ?? before.min_severity,
    group_id:
      patch.group_id === undefined ? before.group_id : (patch.group_id?.toLowerCase() ?? null),
    digest_after: patch.digest_after === undefined ? before.digest_after : patch.digest_after,
    access_requests: patch.access_requests ?? before.access_requests,
    enabled: patch.enabled ?? before.enabled,
  };
  if (isDeepStrictEqual(after, same)) return null;
  const isNewTarget =
    isNewUrl || format !== before.format || !isDeepStrictEqual(after.recipients, before.recipients);
  return {
    after: { ...after, updated_at: by.now, updated_by: by.email },
    freshStart: isNewTarget || (after.enabled && !before.enabled),
  };
}

/** Throws 400 for a field of another type of channel. */
function checkFieldsOfKind({ kind }: RouteRecord, patch: AlertRoutePatch): void {
  if (kind === 'email' && patch.url !== undefined) {
    throw new HubError('invalid_request', '/url is not a field of e-mail channels');
  }
  if (kind !== 'email' && patch.to !== undefined) {
    throw new HubError('invalid_request', '/to is a field of e-mail channels only');
  }
  for (const field of ['format', 'routing_key'] as const) {
    if (kind !== 'chat' && patch[field] !== undefined) {
      throw new HubError('invalid_request', `/${field} is a field of chat channels only`);
    }
  }
}

/** How long a rotation can be asked for again, as creations can. */
const REPEATABLE_MS = 24 * 3_600_000;

/**
 * The secret of this very rotation, where it was made already and nothing was changed since; null where it was not. Throws
 * 428, 400 and 412 as its first answer would.
 */
export function repeatedRotation(
  record: RouteRecord,
  rotationId: string,
  ifMatch: string | undefined,
  by: By,
  secrets: RouteSecrets,
): string | null {
  if (record.rotation_id !== rotationId.toLowerCase()) return null;
  if (record.secret_sealed === null) return null;
  if (by.now.getTime() - record.updated_at.getTime() > REPEATABLE_MS) return null;
  // Whoever has no answer names the version before it; a page that heard of the change names its own.
  const versions = parseIfMatch(ifMatch);
  const isNamed = versions.includes(record.version) || versions.includes(record.version - 1);
  if (!isNamed) throw new HubError('precondition_failed');
  return secrets.unseal(record.secret_sealed, by, 'secret');
}

/** A new secret; the present one signs beside it until `overlapHours` have passed. */
export function rotatedSecret(
  before: RouteRecord,
  { overlapHours, rotationId }: { overlapHours: number; rotationId: string | undefined },
  by: By,
  secrets: RouteSecrets,
): { change: RouteChange; secret: string } {
  if (before.secret_sealed === null) {
    throw new HubError('invalid_request', '/ only webhook channels have a secret');
  }
  const secret = secrets.make();
  const former = secrets.unseal(before.secret_sealed, by, 'secret');
  const until = new Date(by.now.getTime() + overlapHours * 3_600_000);
  const after: RouteConfig = {
    ...configOf(before),
    secret_sealed: secrets.seal(secret, by, 'secret'),
    previous_secret_sealed: overlapHours === 0 ? null : secrets.seal(former, by, 'previous_secret'),
    previous_secret_until: overlapHours === 0 ? null : until,
    rotation_id: rotationId?.toLowerCase() ?? null,
    updated_at: by.now,
    updated_by: by.email,
  };
  return { change: { after, freshStart: false }, secret };
}

/** Whether an alert of this severity, from a device in these groups, goes to the route. */
export function takesAlert(
  route: RoutingRoute,
  severity: Severity,
  groups: readonly string[],
): boolean {
  const isSevere = SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(route.min_severity);
  return isSevere && (route.group_id === null || groups.includes(route.group_id));
}

/** Returns the format of a chat route's messages; null for other kinds, and where the URL cannot be opened. */
export function formatOf(
  record: Pick<RouteRecord, 'route_id' | 'kind' | 'format' | 'url_sealed'>,
  tenantId: string,
  secrets: RouteSecrets,
): ChatFormat | null {
  if (record.kind !== 'chat' || record.format !== null) return record.format;
  const url = urlOf(record, { tenantId, routeId: record.route_id }, { secrets });
  return url === null ? null : deriveChatFormat(new URL(url));
}

/** Describes a route without its secrets. `format`: see `formatOf`. */
export function routeRow(record: RouteRecord, format: ChatFormat | null): AlertRoute {
  return {
    route_id: record.route_id,
    version: etagOf(record.version),
    kind: record.kind,
    format,
    name: record.name,
    url_hint: record.url_hint,
    to: record.recipients,
    min_severity: record.min_severity,
    group_id: record.group_id,
    digest_after: record.digest_after,
    access_requests: record.access_requests,
    enabled: record.enabled,
    health: {
      state: healthOf(record),
      failing_since: isoOrNull(record.failing_since),
      last_attempt_at: isoOrNull(record.last_attempt_at),
      last_delivered_at: isoOrNull(record.last_delivered_at),
      last_status: record.last_status,
      last_error: record.last_error,
    },
    previous_secret_until: isoOrNull(record.previous_secret_until),
    created_at: record.created_at.toISOString(),
    created_by: record.created_by,
    updated_at: record.updated_at.toISOString(),
    updated_by: record.updated_by,
  };
}

/** `testNote`: what a test by its route shows. */
export function deliveryRow(record: DeliveryRecord, testNote: string): AlertDelivery {
  const isRequest = record.about === 'access_request';
  const isOfDevice =
    !record.is_test && record.digest_alerts === null && record.about !== 'budget_notice';
  return {
    delivery_id: record.delivery_id,
    is_test: record.is_test,
    test_note: record.is_test ? testNote : null,
    alert_id: isOfDevice && !isRequest ? record.alert_id : null,
    access_request_id: isRequest ? record.alert_id : null,
    device_id: isOfDevice ? record.device_id : null,
    severity: record.severity,
    digest_alerts: record.digest_alerts,
    digest_id: record.digest_id,
    state: record.state,
    attempts: record.attempts,
    last_status: record.last_status,
    last_error: record.last_error,
    created_at: record.created_at.toISOString(),
    last_attempt_at: isoOrNull(record.last_attempt_at),
    next_attempt_at: isoOrNull(record.next_attempt_at),
    delivered_at: isoOrNull(record.delivered_at),
  };
}

function healthOf(record: RouteRecord): RouteHealth {
  if (record.gone) return 'gone';
  if (record.gave_up_at !== null) return 'failing';
  if (record.failing_since !== null) return 'retrying';
  return record.last_delivered_at === null ? 'untried' : 'ok';
}

function configOf(record: RouteRecord): RouteConfig {
  const {
    route_id: _id,
    version: _version,
    gone: _gone,
    last_attempt_at: _attempt,
    last_delivered_at: _delivered,
    last_status: _status,
    last_error: _error,
    failing_since: _failing,
    gave_up_at: _gaveUp,
    created_at: _at,
    created_by: _by,
    ...config
  } = record;
  return config;
}

const NO_URL = { url_sealed: null, url_hint: null };

/** Returns the checked URL of a webhook or chat route, with PagerDuty's routing key. Throws 400. */
function targetOf(
  input: { kind: string; url: string; format?: ChatFormat | null; routing_key?: string },
  tools: Pick<RouteTools, 'checkUrl'>,
): URL {
  const url = new URL(checkedUrl(input.url, tools));
  if (input.kind !== 'chat') return url;
  const format = input.format ?? deriveChatFormat(url);
  const { routing_key: routingKey } = input;
  if (format !== 'pagerduty' && routingKey !== undefined) {
    throw new HubError('invalid_request', '/routing_key is a field of PagerDuty channels only');
  }
  if (routingKey !== undefined) url.searchParams.set(ROUTING_KEY, routingKey);
  if (
    format === 'pagerduty' &&
    !/^[A-Za-z0-9]{32}$/.test(url.searchParams.get(ROUTING_KEY) ?? '')
  ) {
    throw new HubError(
      'invalid_request',
      '/routing_key must be a PagerDuty integration key with 32 letters and digits',
    );
  }
  return url;
}

/** Returns the URL after a patch; null where neither the URL, its format nor its key is in the patch. Throws 400. */
function patchedTarget(
  storedUrl: string | null,
  patch: Pick<AlertRoutePatch, 'url' | 'format' | 'routing_key'> & { kind: RouteConfig['kind'] },
  tools: RouteTools,
): URL | null {
  const url = patch.url ?? (patch.kind === 'chat' ? storedUrl : null);
  if (url !== null) return targetOf({ ...patch, url }, tools);
  if (patch.routing_key === undefined) return null;
  throw new HubError('invalid_request', "/url is required: the stored URL can't be decrypted");
}

function sealedUrl(url: URL, by: By, { secrets }: RouteTools) {
  return { url_sealed: secrets.seal(url.href, by, 'url'), url_hint: url.origin };
}

function checkedUrl(text: string, { checkUrl }: Pick<RouteTools, 'checkUrl'>): string {
  try {
    return checkUrl(text).href;
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error;
    throw new HubError('url_not_allowed', `/url ${error.message}`);
  }
}

/** Null where the master key that sealed it is lost: any new URL is then another one. */
function urlOf(
  before: Pick<RouteRecord, 'url_sealed'>,
  by: Pick<By, 'tenantId' | 'routeId'>,
  { secrets }: Pick<RouteTools, 'secrets'>,
): string | null {
  if (before.url_sealed === null) return null;
  try {
    return secrets.unseal(before.url_sealed, by, 'url');
  } catch {
    return null;
  }
}

/** People are spared a flood; programs get each alert by itself. */
function usualDigest(kind: RouteConfig['kind']): number | null {
  return kind === 'webhook' ? null : USUAL_DIGEST_AFTER;
}

function checkedRecipients(to: string[], tools: RouteTools): string[] {
  requireMail(tools);
  return to;
}

function requireMail({ hasMail }: RouteTools): void {
  if (!hasMail) throw new HubError('mail_not_configured');
}
