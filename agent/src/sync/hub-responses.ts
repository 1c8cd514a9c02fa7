// Validates answers of the hub against checks that `npm run dump` derives from the shared schemas, so that the
// service need not load them.
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import type { ReleaseManifest } from '@gatewarden/shared/wire/sync/updates.ts';
import type { Static } from 'typebox';
import { type Check, type JsonSchema, makeCheck } from '../runtime/json-schema-checker.ts';
import { HubUnreachable } from './backoff.ts';
import SCHEMAS from './hub-responses.json' with { type: 'json' };

export type Endpoint = keyof typeof SYNC_ENDPOINTS;
export type Answer<E extends Endpoint> = Static<(typeof SYNC_ENDPOINTS)[E]['answer']>;

/** Fields of an override that every version of the hub sends; others may be newer than this agent. */
export interface RawOverride {
  override_id: string;
  revision: number;
  deleted: boolean;
}

/** A page of the delta; fields that an older hub does not send are optional. */
export type DeltaPage = Partial<Omit<Answer<'delta'>, keyof DeltaNeeds | 'enforcement_ceiling'>> &
  DeltaNeeds & { enforcement_ceiling?: unknown };

interface DeltaNeeds {
  overrides: RawOverride[];
  next_cursor: string;
  has_more: boolean;
  server_time: string;
}

const RAW_OVERRIDE_FIELDS = ['override_id', 'revision', 'deleted'];

/** Fields of a page beside its overrides are validated separately. */
const BESIDES = ['poll_after_seconds', 'inventory_epoch', 'inventory_confirmed'] as const;
const OF_TRAY = ['pause_minutes', 'contact'] as const;

/** Overrides are not validated here: an override that is newer than this agent must not invalidate the others. */
function deltaPageSchema(): JsonSchema {
  const { next_cursor, has_more, server_time }: Record<string, JsonSchema> =
    SCHEMAS.delta.properties;
  const raw = SCHEMAS.delta.properties.overrides.items as JsonSchema;
  const fields = Object.entries(raw.properties ?? {});
  return {
    type: 'object',
    required: ['overrides', 'next_cursor', 'has_more', 'server_time'],
    properties: {
      ...{ next_cursor, has_more, server_time },
      overrides: {
        type: 'array',
        items: {
          type: 'object',
          required: RAW_OVERRIDE_FIELDS,
          properties: Object.fromEntries(fields.filter(([f]) => RAW_OVERRIDE_FIELDS.includes(f))),
        },
      },
    },
  };
}

/** Mappings are taken as they come, too. */
function mapPageSchema(): JsonSchema {
  const { required, properties } = SCHEMAS.processMap;
  return { type: 'object', required, properties: { ...properties, mappings: { type: 'array' } } };
}

type Besides = (typeof BESIDES)[number];
type OfTray = (typeof OF_TRAY)[number];
type Kind =
  | Endpoint
  | Besides
  | OfTray
  | 'deltaPage'
  | 'mapPage'
  | 'mapping'
  | 'override'
  | 'releaseManifest';

const MAKERS: Record<Kind, () => JsonSchema> = {
  enroll: () => SCHEMAS.enroll,
  discoveredApps: () => SCHEMAS.discoveredApps,
  unknownProcesses: () => SCHEMAS.unknownProcesses,
  runningProcesses: () => SCHEMAS.runningProcesses,
  activity: () => SCHEMAS.activity,
  alerts: () => SCHEMAS.alerts,
  accessRequests: () => SCHEMAS.accessRequests,
  delta: () => SCHEMAS.delta,
  processMap: () => SCHEMAS.processMap,
  mcpOffer: () => SCHEMAS.mcpOffer,
  update: () => SCHEMAS.update,
  releaseManifest: () => SCHEMAS.releaseManifest,
  deltaPage: deltaPageSchema,
  override: () => SCHEMAS.delta.properties.overrides.items,
  mapPage: mapPageSchema,
  mapping: () => SCHEMAS.processMap.properties.mappings.items,
  poll_after_seconds: () => SCHEMAS.delta.properties.poll_after_seconds,
  inventory_epoch: () => SCHEMAS.delta.properties.inventory_epoch,
  inventory_confirmed: () => SCHEMAS.delta.properties.inventory_confirmed,
  pause_minutes: () => SCHEMAS.delta.properties.tray.properties.pause_minutes,
  contact: () => SCHEMAS.delta.properties.tray.properties.contact,
};

const checks = new Map<string, Check>();

function checkOf(name: Kind): Check {
  const made = checks.get(name) ?? makeCheck(withoutRequestId(MAKERS[name]()));
  checks.set(name, made);
  return made;
}

/** The field is shown to a user, who finds it in a header as well: a missing field is no error. */
function withoutRequestId(schema: JsonSchema): JsonSchema {
  const { required } = schema;
  if (required === undefined) return schema;
  return { ...schema, required: required.filter((name) => name !== 'request_id') };
}

/** An answer in the agreed form; a page of a captive portal counts as no contact. Unknown fields are ignored. */
export function readAnswer<E extends Endpoint>(endpoint: E, body: string): Answer<E> {
  return read(endpoint, body) as Answer<E>;
}

/**
 * Parses a page of the delta. An invalid field beside the overrides is dropped alone, because only a newer agent may
 * know its form: rejecting the page would cost withdrawals and an emergency stop.
 */
export function readDeltaPage(body: string): DeltaPage {
  const page = read('deltaPage', body) as DeltaPage & Record<string, unknown>;
  const { discovery, tray, ...rest } = page as Record<string, unknown>;
  const known = Object.entries(rest).filter(
    ([name, value]) => !isBesides(name) || checkOf(name)(value) === null,
  );
  return {
    ...(Object.fromEntries(known) as unknown as DeltaPage),
    ...(discovery === undefined ? {} : { discovery: scopeOf(discovery) }),
    ...(typeof tray === 'object' && tray !== null ? { tray: traySettingOf(tray) } : {}),
  };
}

const isBesides = (name: string): name is Besides => BESIDES.some((field) => field === name);

/** Returns the allowed discovery; an unknown value allows nothing. */
function scopeOf(value: unknown): NonNullable<DeltaPage['discovery']> {
  const members =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  const allows = (name: 'personal_homes' | 'browser_profiles') => {
    if (members === null) return { [name]: false };
    return members[name] === undefined ? {} : { [name]: members[name] === true };
  };
  return { ...allows('personal_homes'), ...allows('browser_profiles') };
}

/** Returns the allowed actions of users; an unknown value counts as absent. */
function traySettingOf(value: object): NonNullable<DeltaPage['tray']> {
  const members = value as Record<string, unknown>;
  const known = OF_TRAY.filter(
    (name) => members[name] !== undefined && checkOf(name)(members[name]) === null,
  );
  return Object.fromEntries(known.map((name) => [name, members[name]]));
}

/** The process map without the lines that only a newer agent understands; `isWhole`: there was none of those. */
export function readProcessMap(body: string): Answer<'processMap'> & { isWhole: boolean } {
  const page = read('mapPage', body) as Answer<'processMap'>;
  const isMapping = checkOf('mapping');
  const mappings = page.mappings.filter((mapping) => isMapping(mapping) === null);
  return { ...page, mappings, isWhole: mappings.length === page.mappings.length };
}

function read(name: Kind, body: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // The parser's message quotes the answer, which may contain a token.
    throw new HubUnreachable("the hub's answer cannot be read: it is no JSON");
  }
  const fault = checkOf(name)(value);
  if (fault === null) return value;
  throw new HubUnreachable(
    `the hub's answer cannot be read: ${fault.pointer || '/'} ${fault.reason}`,
  );
}

/** True for a manifest in the agreed form. */
export function isReleaseManifest(value: unknown): value is ReleaseManifest {
  return checkOf('releaseManifest')(value) === null;
}

/** True for an override that this version understands. */
export function isKnownOverride(value: unknown): value is WireOverride {
  return checkOf('override')(value) === null;
}
