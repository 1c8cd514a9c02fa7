// Validates channels and their changes, matches alerts, and formats channels and deliveries for responses. No SQL, no
// network.
import { isDeepStrictEqual } from 'node:util';
import { type ChatFormat, deriveChatFormat } from '@gatewarden/shared/wire/chat-formats.ts';
import type {
  ChannelHealth,
  NotificationChannel,
  NotificationChannelInput,
  NotificationChannelPatch,
  NotificationDelivery,
} from '@gatewarden/shared/wire/console/notification-channels.ts';
import { SEVERITIES, type Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { ROUTING_KEY } from '../../../platform/delivery/chat/format.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { isoOrNull } from '../../../platform/http/lists/console-lists.ts';
import { OutboundRefused } from '../../../platform/http/outbound/outbound.ts';
import { etagOf, parseIfMatch } from '../../../platform/http/server/etag.ts';
import type { ChannelSecrets } from './channel-secrets.ts';
import type { ChannelConfig, ChannelFilter, ChannelRecord, NewChannel } from './channel-store.ts';
import type { DeliveryRecord } from './delivery-store.ts';
import { DEFAULT_DIGEST_AFTER } from './digests.ts';

/** The dependencies of the rules. */
export interface ChannelTools {
  secrets: ChannelSecrets;
  /** Throws OutboundRefused. */
  checkUrl(url: string): URL;
  hasMail: boolean;
}

/** The author and time of a change. */
export interface By {
  tenantId: string;
  channelId: string;
  email: string;
  now: Date;
}

/** Returns a new channel as it is stored, and the signing secret of a webhook. Throws 4xx. */
export function createChannel(
  input: NotificationChannelInput,
  by: By,
  tools: ChannelTools,
): { channel: NewChannel; secret: string | null } {
  const secret = input.kind === 'webhook' ? tools.secrets.generate() : null;
  const place = { tenantId: by.tenantId, channelId: by.channelId };
  const channel: NewChannel = {
    channel_id: by.channelId,
    kind: input.kind,
    format: input.kind === 'chat' ? (input.format ?? null) : null,
    name: input.name.trim(),
    ...(input.kind === 'email' ? NO_URL : sealUrl(validateTarget(input, tools), by, tools)),
    recipients: input.kind === 'email' ? validateRecipients(input.to, tools) : null,
    secret_sealed: secret === null ? null : tools.secrets.seal(secret, place, 'secret'),
    previous_secret_sealed: null,
    previous_secret_until: null,
    rotation_id: null,
    min_severity: input.min_severity ?? 'low',
    group_id: input.group_id?.toLowerCase() ?? null,
    digest_after: input.digest_after === undefined ? defaultDigest(input.kind) : input.digest_after,
    access_requests: input.access_requests ?? false,
    enabled: input.enabled ?? true,
    created_at: by.now,
    created_by: by.email,
    updated_at: by.now,
    updated_by: by.email,
  };
  return { channel, secret };
}

export interface ChannelChange {
  after: ChannelConfig;
  /** The target changed, or the channel is enabled again: the earlier failure does not apply. */
  resetHealth: boolean;
}

/** Applies a patch; returns null if nothing changes. Throws 4xx. */
export function applyChannelPatch(
  before: ChannelRecord,
  patch: NotificationChannelPatch,
  by: By,
  tools: ChannelTools,
): ChannelChange | null {
  rejectFieldsOfOtherKinds(before, patch);
  if (before.kind === 'email' && patch.enabled === true && !before.enabled) requireMail(tools);
  const format = patch.format === undefined ? before.format : patch.format;
  const storedUrl = unsealUrl(before, by, tools);
  const target = applyTargetPatch(storedUrl, { ...patch, kind: before.kind, format }, tools);
  const isNewUrl = target !== null && target.href !== storedUrl;
  const current = configOf(before);
  const after: ChannelConfig = {
    ...current,
    ...(isNewUrl ? sealUrl(target, by, tools) : {}),
    format,
    recipients: patch.to === undefined ? before.recipients : validateRecipients(patch.to, tools),
    name: patch.name?.trim() ?? before.name,
    min_severity: patch.min_severity ?? before.min_severity,
    group_id:
      patch.group_id === undefined ? before.group_id : (patch.group_id?.toLowerCase() ?? null),
    digest_after: patch.digest_after === undefined ? before.digest_after : patch.digest_after,
    access_requests: patch.access_requests ?? before.access_requests,
    enabled: patch.enabled ?? before.enabled,
  };
  if (isDeepStrictEqual(after, current)) return null;
  const isNewTarget =
    isNewUrl || format !== before.format || !isDeepStrictEqual(after.recipients, before.recipients);
  return {
    after: { ...after, updated_at: by.now, updated_by: by.email },
    resetHealth: isNewTarget || (after.enabled && !before.enabled),
  };
}

/** Throws 400 for a field of another type of channel. */
function rejectFieldsOfOtherKinds({ kind }: ChannelRecord, patch: NotificationChannelPatch): void {
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

/** A request can be repeated for a day, as the creation of a channel can. */
const REPEATABLE_MS = 24 * 3_600_000;

/**
 * Returns the secret of a rotation that was completed before, if the channel did not change since; null for a new
 * rotation. Throws 428, 400 and 412 like the first request.
 */
export function findRepeatedRotation(
  record: ChannelRecord,
  rotationId: string,
  ifMatch: string | undefined,
  by: By,
  secrets: ChannelSecrets,
): string | null {
  if (record.rotation_id !== rotationId.toLowerCase()) return null;
  if (record.secret_sealed === null) return null;
  if (by.now.getTime() - record.updated_at.getTime() > REPEATABLE_MS) return null;
  // A client that lost the response sends the previous version; a page that received the change sends the current version.
  const versions = parseIfMatch(ifMatch);
  const matches = versions.includes(record.version) || versions.includes(record.version - 1);
  if (!matches) throw new HubError('precondition_failed');
  return secrets.unseal(record.secret_sealed, by, 'secret');
}

/** Returns a change with a new secret. The previous secret signs, too, for `overlapHours`. Throws 400 for other types. */
export function rotateSecret(
  before: ChannelRecord,
  { overlapHours, rotationId }: { overlapHours: number; rotationId: string | undefined },
  by: By,
  secrets: ChannelSecrets,
): { change: ChannelChange; secret: string } {
  if (before.secret_sealed === null) {
    throw new HubError('invalid_request', '/ only webhook channels have a secret');
  }
  const secret = secrets.generate();
  const previous = secrets.unseal(before.secret_sealed, by, 'secret');
  const until = new Date(by.now.getTime() + overlapHours * 3_600_000);
  const after: ChannelConfig = {
    ...configOf(before),
    secret_sealed: secrets.seal(secret, by, 'secret'),
    previous_secret_sealed:
      overlapHours === 0 ? null : secrets.seal(previous, by, 'previous_secret'),
    previous_secret_until: overlapHours === 0 ? null : until,
    rotation_id: rotationId?.toLowerCase() ?? null,
    updated_at: by.now,
    updated_by: by.email,
  };
  return { change: { after, resetHealth: false }, secret };
}

/** Returns whether a channel sends alerts of this severity from a device in these groups. */
export function matchesAlert(
  channel: ChannelFilter,
  severity: Severity,
  groups: readonly string[],
): boolean {
  const isSevere = SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(channel.min_severity);
  return isSevere && (channel.group_id === null || groups.includes(channel.group_id));
}

/** Returns the format of a chat channel; null for other types, and if the URL cannot be decrypted. */
export function resolveChatFormat(
  record: Pick<ChannelRecord, 'channel_id' | 'kind' | 'format' | 'url_sealed'>,
  tenantId: string,
  secrets: ChannelSecrets,
): ChatFormat | null {
  if (record.kind !== 'chat' || record.format !== null) return record.format;
  const url = unsealUrl(record, { tenantId, channelId: record.channel_id }, { secrets });
  return url === null ? null : deriveChatFormat(new URL(url));
}

/** Returns a channel for a response, without its secrets. `channel_id` is `route_id` on the wire. */
export function toChannelAnswer(
  record: ChannelRecord,
  format: ChatFormat | null,
): NotificationChannel {
  return {
    route_id: record.channel_id,
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

/** Returns a delivery for a response. `testNote`: the text of the channel that describes a test. */
export function toDeliveryAnswer(record: DeliveryRecord, testNote: string): NotificationDelivery {
  const isRequest = record.subject === 'access_request';
  const isOfDevice =
    !record.is_test && record.digest_alerts === null && record.subject !== 'budget_notice';
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

function healthOf(record: ChannelRecord): ChannelHealth {
  if (record.gone) return 'gone';
  if (record.gave_up_at !== null) return 'failing';
  if (record.failing_since !== null) return 'retrying';
  return record.last_delivered_at === null ? 'untried' : 'ok';
}

function configOf(record: ChannelRecord): ChannelConfig {
  const {
    channel_id: _id,
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

/** Returns the checked URL of a webhook or chat channel, with PagerDuty's routing key. Throws 400. */
function validateTarget(
  input: { kind: string; url: string; format?: ChatFormat | null; routing_key?: string },
  tools: Pick<ChannelTools, 'checkUrl'>,
): URL {
  const url = new URL(validateUrl(input.url, tools));
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

/** Returns the URL after a patch; null if the patch changes neither the URL nor its format or key. Throws 400. */
function applyTargetPatch(
  storedUrl: string | null,
  patch: Pick<NotificationChannelPatch, 'url' | 'format' | 'routing_key'> & {
    kind: ChannelConfig['kind'];
  },
  tools: ChannelTools,
): URL | null {
  const url = patch.url ?? (patch.kind === 'chat' ? storedUrl : null);
  if (url !== null) return validateTarget({ ...patch, url }, tools);
  if (patch.routing_key === undefined) return null;
  throw new HubError('invalid_request', "/url is required: the stored URL can't be decrypted");
}

function sealUrl(url: URL, by: By, { secrets }: ChannelTools) {
  return { url_sealed: secrets.seal(url.href, by, 'url'), url_hint: url.origin };
}

function validateUrl(text: string, { checkUrl }: Pick<ChannelTools, 'checkUrl'>): string {
  try {
    return checkUrl(text).href;
  } catch (error) {
    if (!(error instanceof OutboundRefused)) throw error;
    throw new HubError('url_not_allowed', `/url ${error.message}`);
  }
}

/** Returns the stored URL; null if it cannot be decrypted, so that every new URL is a change. */
function unsealUrl(
  before: Pick<ChannelRecord, 'url_sealed'>,
  by: Pick<By, 'tenantId' | 'channelId'>,
  { secrets }: Pick<ChannelTools, 'secrets'>,
): string | null {
  if (before.url_sealed === null) return null;
  try {
    return secrets.unseal(before.url_sealed, by, 'url');
  } catch {
    return null;
  }
}

/** Returns the default digest limit: channels for people avoid a flood of messages. */
function defaultDigest(kind: ChannelConfig['kind']): number | null {
  return kind === 'webhook' ? null : DEFAULT_DIGEST_AFTER;
}

function validateRecipients(to: string[], tools: ChannelTools): string[] {
  requireMail(tools);
  return to;
}

function requireMail({ hasMail }: ChannelTools): void {
  if (!hasMail) throw new HubError('mail_not_configured');
}
