// What the hub may answer: checked by what `npm run dump` derives from the shared schemas, so that the service need not load them.
import type { WireOverride } from '@gatewarden/shared/wire/sync/delta.ts';
import type { SYNC_ENDPOINTS } from '@gatewarden/shared/wire/sync/endpoints.ts';
import type { ReleaseManifest } from '@gatewarden/shared/wire/sync/updates.ts';
import type { Static } from 'typebox';
import { type Check, type JsonSchema, makeCheck } from '../check.ts';
import SCHEMAS from './answers.json' with { type: 'json' };
import { HubUnreachable } from './retry.ts';

export type Endpoint = keyof typeof SYNC_ENDPOINTS;
export type Answer<E extends Endpoint> = Static<(typeof SYNC_ENDPOINTS)[E]['answer']>;

/** What every version of the hub says of an override; the rest may be newer than this agent. */
export interface RawOverride {
  override_id: string;
  revision: number;
  deleted: boolean;
}

/** A page of the delta: what an older hub does not say yet may be missing. */
export type DeltaPage = Partial<Omit<Answer<'delta'>, keyof DeltaNeeds | 'enforcement_ceiling'>> &
  DeltaNeeds & { enforcement_ceiling?: string };

interface DeltaNeeds {
  overrides: RawOverride[];
  next_cursor: string;
  has_more: boolean;
  server_time: string;
}

const RAW_OVERRIDE_FIELDS = ['override_id', 'revision', 'deleted'];

/** Overrides and ceiling are taken as they come: one that is newer than this agent must not cost the others. */
function deltaPageSchema(): JsonSchema {
  const { properties }: JsonSchema = SCHEMAS.delta;
  const raw = SCHEMAS.delta.properties.overrides.items as JsonSchema;
  const fields = Object.entries(raw.properties ?? {});
  return {
    type: 'object',
    required: ['overrides', 'next_cursor', 'has_more', 'server_time'],
    properties: {
      ...properties,
      enforcement_ceiling: { type: 'string' },
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

const MAKERS: Record<Endpoint | 'deltaPage' | 'override' | 'releaseManifest', () => JsonSchema> = {
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
};

const checks = new Map<string, Check>();

function checkOf(name: keyof typeof MAKERS): Check {
  const made = checks.get(name) ?? makeCheck(MAKERS[name]());
  checks.set(name, made);
  return made;
}

/** An answer in the agreed form; a page of a captive portal counts as no contact. Unknown fields are ignored. */
export function readAnswer<E extends Endpoint>(endpoint: E, body: string): Answer<E> {
  return read(endpoint, body) as Answer<E>;
}

/** The same for a page of the delta. */
export function readDeltaPage(body: string): DeltaPage {
  return read('deltaPage', body) as DeltaPage;
}

function read(name: keyof typeof MAKERS, body: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    // What the parser says quotes the answer, in which a token may stand.
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
