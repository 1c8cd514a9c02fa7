// How a product is launched and what it may do, as devices told it: only what is known of such facts is shown on. Pure.
import { redactText } from '@gatewarden/shared/redaction/text.ts';
import type { Facets, ServerLaunch } from '@gatewarden/shared/wire/console/applications.ts';
import type { WireInstance } from '@gatewarden/shared/wire/sync/discovered-apps.ts';

/** What a device told of an entity; `details` is any JSON. */
export interface ReportedEntity {
  details: unknown;
  instances: readonly Pick<WireInstance, 'permissions'>[];
}

const LAUNCHES_MAX = 32;
const TEXT_MAX = 512;
const LIST_MAX = 64;

/** What the device cut out stays cut; what looks like a credential all the same is cut here. */
export function facetsOf(told: ReportedEntity): Facets {
  const { configured } = asFields(told.details);
  const launches = Array.isArray(configured) ? configured.slice(0, LAUNCHES_MAX) : [];
  const permissions = told.instances.flatMap((instance) => instance.permissions ?? []);
  return {
    launches: launches.map(launchOf),
    permissions: [...new Set(permissions)].sort(),
  };
}

/** As people are shown it. */
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

const asFields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? redactText(value).slice(0, TEXT_MAX) : null;

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, LIST_MAX).flatMap((item) => textOf(item) ?? []) : [];
