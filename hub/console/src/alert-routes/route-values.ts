// What stands in the form of a route, what is wrong with it, and what is sent of it. Pure.
import type {
  AlertRoute,
  AlertRouteInput,
  AlertRoutePatch,
} from '@gatewarden/shared/wire/console/alert-routes.ts';
import type { Severity } from '@gatewarden/shared/wire/vocabulary.ts';
import { texts } from '../texts.ts';

export interface RouteValues {
  kind: AlertRoute['kind'];
  name: string;
  url: string;
  /** Addresses, one on each line or with commas between. */
  to: string;
  severity: Severity;
  group: string;
}

export const EMPTY_ROUTE: RouteValues = {
  kind: 'webhook',
  name: '',
  url: '',
  to: '',
  severity: 'high',
  group: '',
};

export function valuesOf(route: AlertRoute): RouteValues {
  return {
    kind: route.kind,
    name: route.name,
    // The hub never says it again.
    url: '',
    to: (route.to ?? []).join('\n'),
    severity: route.min_severity,
    group: route.group_id ?? '',
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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
    else if (!to.every((one) => /^[^\s<>@]+@[^\s<>@]+$/.test(one))) {
      errors.to = texts.routes.badAddress;
    }
  } else if (values.url.trim() === '') {
    if (original === null) errors.url = texts.routes.needUrl;
  } else if (!URL.canParse(values.url.trim())) errors.url = texts.routes.badUrl;
  if (values.group.trim() !== '' && !UUID.test(values.group.trim())) {
    errors.group = texts.routes.badGroup;
  }
  return errors;
}

export function inputOf(values: RouteValues): AlertRouteInput {
  const common = {
    name: values.name.trim(),
    min_severity: values.severity,
    group_id: groupOf(values),
  };
  return values.kind === 'email'
    ? { kind: 'email', ...common, to: addressesOf(values.to) }
    : { kind: values.kind, ...common, url: values.url.trim() };
}

export function patchOf(values: RouteValues): AlertRoutePatch {
  const { kind: _kind, ...input } = inputOf(values);
  if (!('url' in input) || input.url !== '') return input;
  const { url: _url, ...rest } = input;
  return rest;
}

export function addressesOf(text: string): string[] {
  const all = text.split(/[\s,;]+/).filter((one) => one !== '');
  return [...new Set(all)];
}

function groupOf({ group }: RouteValues): string | null {
  return group.trim() === '' ? null : group.trim();
}
