// What stands in the form of a route, what is wrong with it, and what is sent of it. Pure.
import {
  CHAT_FORMATS,
  type ChatFormat,
  deriveChatFormat,
} from '@gatewarden/shared/wire/chat-formats.ts';
import type {
  AlertRoute,
  AlertRouteInput,
  AlertRoutePatch,
} from '@gatewarden/shared/wire/console/alert-routes.ts';
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { texts } from '../texts.ts';

export interface RouteValues {
  kind: AlertRoute['kind'];
  /** The chat system; '' takes the system that the URL names. */
  format: ChatFormat | '';
  /** PagerDuty's integration key; '' keeps a stored one. */
  routingKey: string;
  name: string;
  url: string;
  /** Addresses, one on each line or with commas between. */
  to: string;
  severity: Severity;
  /** The id of a group; '' for all devices. */
  group: string;
  /** '' never gathers alerts. */
  digest: string;
  requests: boolean;
}

/** What each kind does unless somebody says otherwise: people are spared a flood. */
export const USUAL_DIGEST: Record<RouteValues['kind'], string> = {
  webhook: '',
  chat: '20',
  email: '20',
};

export const EMPTY_ROUTE: RouteValues = {
  kind: 'webhook',
  format: '',
  routingKey: '',
  name: '',
  url: '',
  to: '',
  severity: 'high',
  group: '',
  digest: USUAL_DIGEST.webhook,
  requests: false,
};

export function valuesOf(route: AlertRoute): RouteValues {
  return {
    kind: route.kind,
    // A hub of the release before knows no formats.
    format: route.format ?? '',
    routingKey: '',
    name: route.name,
    // The hub never says it again.
    url: '',
    to: (route.to ?? []).join('\n'),
    severity: route.min_severity,
    group: route.group_id ?? '',
    digest: route.digest_after === null ? '' : String(route.digest_after),
    requests: route.access_requests === true,
  };
}

const DIGEST_MAX = 1000;

/** `original`: null for a new route. An empty URL keeps the one that is stored. */
export function routeErrors(
  values: RouteValues,
  original: AlertRoute | null,
): Partial<Record<keyof RouteValues, string>> {
  const errors: Partial<Record<keyof RouteValues, string>> = {};
  if (values.name.trim() === '') errors.name = texts.routes.needName;
  if (values.kind === 'email') {
    const to = addressesOf(values.to);
    if (to.length === 0) errors.to = texts.routes.needAddress;
    else if (to.length > 20) errors.to = texts.routes.tooManyAddresses;
    else if (!to.every((item) => /^[^\s<>@]+@[^\s<>@]+$/.test(item))) {
      errors.to = texts.routes.badAddress;
    }
  } else if (values.url.trim() === '') {
    if (original === null) errors.url = texts.routes.needUrl;
  } else if (!URL.canParse(values.url.trim())) errors.url = texts.routes.badUrl;
  if (isPagerDuty(values)) {
    const isKept = original !== null && values.url.trim() === '';
    const key = values.routingKey.trim();
    if (!(/^[A-Za-z0-9]{32}$/.test(key) || (key === '' && isKept))) {
      errors.routingKey = texts.routes.badRoutingKey;
    }
  }
  const digest = digestOf(values);
  if (digest !== null && !(Number.isInteger(digest) && digest >= 1 && digest <= DIGEST_MAX)) {
    errors.digest = texts.routes.badDigest;
  }
  return errors;
}

/** Returns whether messages go to PagerDuty, which needs an integration key. */
export function isPagerDuty({ kind, format, url }: RouteValues): boolean {
  if (kind !== 'chat') return false;
  if (format !== '') return format === 'pagerduty';
  return URL.canParse(url.trim()) && deriveChatFormat(new URL(url.trim())) === 'pagerduty';
}

export const FORMAT_CHOICES = ['', ...CHAT_FORMATS] as const;

export function inputOf(values: RouteValues): AlertRouteInput {
  const common = {
    name: values.name.trim(),
    min_severity: values.severity,
    group_id: values.group === '' ? null : values.group,
    digest_after: digestOf(values),
    // A hub of the release before knows no such field; where nothing is wanted of it, nothing is said.
    ...(values.requests ? { access_requests: true } : {}),
  };
  const url = values.url.trim();
  if (values.kind === 'email') return { kind: 'email', ...common, to: addressesOf(values.to) };
  if (values.kind === 'webhook') return { kind: 'webhook', ...common, url };
  const key = values.routingKey.trim();
  return {
    ...{ kind: 'chat', ...common, url },
    ...(values.format === '' ? {} : { format: values.format }),
    ...(isPagerDuty(values) && key !== '' ? { routing_key: key } : {}),
  };
}

export function patchOf(values: RouteValues, original: AlertRoute): AlertRoutePatch {
  const { kind: _kind, ...all } = inputOf(values);
  const input = withFormat(all, values, original);
  const isEnded = original.access_requests === true && !values.requests;
  const patch = isEnded ? { ...input, access_requests: false } : input;
  if (!('url' in patch) || patch.url !== '') return patch;
  const { url: _url, ...rest } = patch;
  return rest;
}

/** An unchanged format stays as it is: chosen, or named by the URL. */
function withFormat(
  input: Omit<AlertRouteInput, 'kind'>,
  values: RouteValues,
  original: AlertRoute,
): AlertRoutePatch {
  const { format: _format, ...rest } = input as AlertRoutePatch;
  const isChanged = values.kind === 'chat' && values.format !== (original.format ?? '');
  return isChanged ? { ...rest, format: values.format === '' ? null : values.format } : rest;
}

export function addressesOf(text: string): string[] {
  const all = text.split(/[\s,;]+/).filter((item) => item !== '');
  return [...new Set(all)];
}

/** Null: each alert by itself. */
function digestOf({ digest }: RouteValues): number | null {
  return digest.trim() === '' ? null : Number(digest);
}
