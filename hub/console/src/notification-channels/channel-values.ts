// Values of the channel form: initial values, validation, and the bodies of requests. Pure.
import {
  CHAT_FORMATS,
  type ChatFormat,
  deriveChatFormat,
} from '@gatewarden/shared/wire/chat-formats.ts';
import type {
  NotificationChannel,
  NotificationChannelInput,
  NotificationChannelPatch,
} from '@gatewarden/shared/wire/console/notification-channels.ts';
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { texts } from '../texts.ts';

export interface ChannelValues {
  kind: NotificationChannel['kind'];
  /** The chat system; '' derives it from the URL. */
  format: ChatFormat | '';
  /** PagerDuty's integration key; '' keeps the stored key. */
  routingKey: string;
  name: string;
  url: string;
  /** Addresses, separated by line breaks or commas. */
  to: string;
  severity: Severity;
  /** The id of a group; '' for all devices. */
  group: string;
  /** The number of messages per minute before a digest; '' disables digests. */
  digest: string;
  requests: boolean;
}

/** The default digest limit of each type: channels for people avoid a flood of messages. */
export const DEFAULT_DIGEST: Record<ChannelValues['kind'], string> = {
  webhook: '',
  chat: '20',
  email: '20',
};

export const EMPTY_CHANNEL: ChannelValues = {
  kind: 'webhook',
  format: '',
  routingKey: '',
  name: '',
  url: '',
  to: '',
  severity: 'high',
  group: '',
  digest: DEFAULT_DIGEST.webhook,
  requests: false,
};

/** Returns the form's values of a stored channel. */
export function toValues(channel: NotificationChannel): ChannelValues {
  return {
    kind: channel.kind,
    // A hub of the previous release sends no format.
    format: channel.format ?? '',
    routingKey: '',
    name: channel.name,
    // The hub never returns the URL.
    url: '',
    to: (channel.to ?? []).join('\n'),
    severity: channel.min_severity,
    group: channel.group_id ?? '',
    digest: channel.digest_after === null ? '' : String(channel.digest_after),
    requests: channel.access_requests === true,
  };
}

const DIGEST_MAX = 1000;

type ChannelErrors = Partial<Record<keyof ChannelValues, string>>;

/** Returns an error text for each invalid field. `original`: null for a new channel. An empty URL keeps the stored URL. */
export function validateChannel(
  values: ChannelValues,
  original: NotificationChannel | null,
): ChannelErrors {
  const errors: ChannelErrors = {};
  if (values.name.trim() === '') errors.name = texts.channels.needName;
  const target =
    values.kind === 'email' ? validateAddresses(values) : validateUrl(values, original);
  const routingKey = validateRoutingKey(values, original);
  Object.assign(errors, target, routingKey);
  const digest = parseDigest(values);
  if (digest !== null && !(Number.isInteger(digest) && digest >= 1 && digest <= DIGEST_MAX)) {
    errors.digest = texts.channels.badDigest;
  }
  return errors;
}

function validateAddresses({ to }: ChannelValues): ChannelErrors {
  const addresses = parseAddresses(to);
  if (addresses.length === 0) return { to: texts.channels.needAddress };
  if (addresses.length > 20) return { to: texts.channels.tooManyAddresses };
  const areValid = addresses.every((address) => /^[^\s<>@]+@[^\s<>@]+$/.test(address));
  return areValid ? {} : { to: texts.channels.badAddress };
}

function validateUrl({ url }: ChannelValues, original: NotificationChannel | null): ChannelErrors {
  const text = url.trim();
  if (text === '') return original === null ? { url: texts.channels.needUrl } : {};
  return URL.canParse(text) ? {} : { url: texts.channels.badUrl };
}

/** An empty key keeps the stored key, unless the URL changes. */
function validateRoutingKey(
  values: ChannelValues,
  original: NotificationChannel | null,
): ChannelErrors {
  if (!isPagerDuty(values)) return {};
  const key = values.routingKey.trim();
  if (key === '' && original !== null && values.url.trim() === '') return {};
  return /^[A-Za-z0-9]{32}$/.test(key) ? {} : { routingKey: texts.channels.badRoutingKey };
}

/** Returns whether messages go to PagerDuty, which needs an integration key. */
export function isPagerDuty({ kind, format, url }: ChannelValues): boolean {
  if (kind !== 'chat') return false;
  if (format !== '') return format === 'pagerduty';
  return URL.canParse(url.trim()) && deriveChatFormat(new URL(url.trim())) === 'pagerduty';
}

export const FORMAT_CHOICES = ['', ...CHAT_FORMATS] as const;

/** Returns the body that creates a channel. */
export function toInput(values: ChannelValues): NotificationChannelInput {
  const common = {
    name: values.name.trim(),
    min_severity: values.severity,
    group_id: values.group === '' ? null : values.group,
    digest_after: parseDigest(values),
    // A hub of the previous release rejects the field, so the default is not sent.
    ...(values.requests ? { access_requests: true } : {}),
  };
  const url = values.url.trim();
  if (values.kind === 'email') return { kind: 'email', ...common, to: parseAddresses(values.to) };
  if (values.kind === 'webhook') return { kind: 'webhook', ...common, url };
  const key = values.routingKey.trim();
  return {
    ...{ kind: 'chat', ...common, url },
    ...(values.format === '' ? {} : { format: values.format }),
    ...(isPagerDuty(values) && key !== '' ? { routing_key: key } : {}),
  };
}

/** Returns the body that updates `original`. */
export function toPatch(
  values: ChannelValues,
  original: NotificationChannel,
): NotificationChannelPatch {
  const { kind: _kind, ...all } = toInput(values);
  const input = withFormat(all, values, original);
  const isDeselected = original.access_requests === true && !values.requests;
  const patch = isDeselected ? { ...input, access_requests: false } : input;
  if (!('url' in patch) || patch.url !== '') return patch;
  const { url: _url, ...rest } = patch;
  return rest;
}

/** Adds the format only if it changed. Otherwise the stored format remains: selected, or derived from the URL. */
function withFormat(
  input: Omit<NotificationChannelInput, 'kind'>,
  values: ChannelValues,
  original: NotificationChannel,
): NotificationChannelPatch {
  const { format: _format, ...rest } = input as NotificationChannelPatch;
  const isChanged = values.kind === 'chat' && values.format !== (original.format ?? '');
  return isChanged ? { ...rest, format: values.format === '' ? null : values.format } : rest;
}

/** Returns the distinct addresses of a text with white space, commas or semicolons as separators. */
export function parseAddresses(text: string): string[] {
  const all = text.split(/[\s,;]+/).filter((item) => item !== '');
  return [...new Set(all)];
}

/** Returns the digest limit, or null if every alert is sent separately. */
function parseDigest({ digest }: ChannelValues): number | null {
  return digest.trim() === '' ? null : Number(digest);
}
