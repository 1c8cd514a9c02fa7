// Launches and permissions of an app as the console shows them: known fields only, limited in size, without secrets. Pure.
import { redactText } from '@gatewarden/shared/redaction/text.ts';
import type { Facets, ServerLaunch } from '@gatewarden/shared/wire/console/applications.ts';
import type { WireInstance } from '@gatewarden/shared/wire/sync/discovered-apps.ts';

/** An app as a device reported it; `details` is any JSON. */
export interface ReportedEntity {
  details: unknown;
  instances: readonly Pick<WireInstance, 'permissions'>[];
}

const LAUNCHES_MAX = 32;
const TEXT_MAX = 512;
const LIST_MAX = 64;

/** Returns launches and permissions. The device redacts secrets; text that still looks like a credential is redacted here. */
export function facetsOf(reported: ReportedEntity): Facets {
  const { configured } = asFields(reported.details);
  const launches = Array.isArray(configured) ? configured.slice(0, LAUNCHES_MAX) : [];
  const permissions = reported.instances.flatMap((instance) => instance.permissions ?? []);
  return {
    launches: launches.map(launchOf),
    permissions: [...new Set(permissions)].sort(),
  };
}

/** Returns a reported launch as the console shows it. */
export function launchOf(raw: unknown): ServerLaunch {
  const fields = asFields(raw);
  return {
    client: textOf(fields.client),
    scope: textOf(fields.scope),
    transport: textOf(fields.transport),
    command: textOf(fields.command),
    args: textsOf(fields.args),
    url: textOf(fields.url),
    env: textsOf(fields.env),
    headers: textsOf(fields.headers),
    disabled: fields.disabled === true,
    unpinned: fields.unpinned === true,
  };
}

/** Returns the properties of an object; none for any other value. */
export const asFields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? redactText(value).slice(0, TEXT_MAX) : null;

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, LIST_MAX).flatMap((item) => textOf(item) ?? []) : [];
