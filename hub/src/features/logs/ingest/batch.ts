// A batch of log lines on its way in: each line read, placed in its tenant, its time checked, made a row. Nothing is
// stored before all of them are good.
import { Readable } from 'node:stream';
import { LOG_BATCH_BYTES, LOG_BATCH_LINES } from '@gatewarden/shared/wire/nodes/logs.ts';
import type { FastifyRequest } from 'fastify';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { readLines } from '../../../platform/http/json/ndjson.ts';
import {
  LOG_DEFAULTS,
  type LogSettings,
  MICROS,
  type Micros,
  parseMicros,
} from '../events/index.ts';
import { badLine, type LineReader } from './line.ts';

/** A clock may be ahead; a row from the day after tomorrow is a mistake. */
const AHEAD: Micros = MICROS.day;
/** The export's own lag: what arrives later may be behind a collector already. */
export const LAG: Micros = 15 * MICROS.minute;

export interface PlacedLine<Line> {
  number: number;
  line: Line;
  tenantId: string;
  at: Micros;
}

export interface Surroundings {
  tokenTenantId: string | null;
  now: Micros;
}

interface AnyLine {
  tenant_id?: string;
}

/** Where a kind of line says when it happened, and to what it belongs. */
export interface LinePlace<Line> {
  time: string;
  timeOf(line: Line): string;
  /** A pointer, as `time` is. */
  owner: string;
  ownerOf(line: Line): { id?: string; name?: string };
}

/** Reads a whole body. Throws `invalid_request` with the number of the first bad line. */
export async function readBatch<Line extends AnyLine>(
  request: FastifyRequest,
  read: LineReader<Line>,
  place: LinePlace<Line> & Surroundings,
): Promise<PlacedLine<Line>[]> {
  const placed: PlacedLine<Line>[] = [];
  // Without a length and without a type there is no body at all.
  const body = (request.body ?? Readable.from([])) as Readable;
  const limits = { maxBytes: LOG_BATCH_BYTES, maxLines: LOG_BATCH_LINES };
  for await (const { number, bytes } of readLines(body, request, limits)) {
    const line = read(bytes, number);
    const tenantId = tenantOf(line, number, place.tokenTenantId);
    const owner = place.ownerOf(line);
    // What nobody knows is kept under the name it was sent with; without any it could never be found again.
    if (owner.id === undefined && (owner.name ?? '').trim() === '') {
      throw badLine(number, `${place.owner}/name`, 'is required if there is no id');
    }
    const at = parseMicros(place.timeOf(line));
    if (at === null) throw badLine(number, place.time, 'is not a valid time');
    if (at > place.now + AHEAD) throw badLine(number, place.time, 'is in the future');
    placed.push({ number, line, tenantId, at });
  }
  if (placed.length === 0) throw new HubError('invalid_request', '/ has no lines');
  return placed;
}

function tenantOf(line: AnyLine, number: number, ofToken: string | null): string {
  const said = line.tenant_id?.toLowerCase();
  if (ofToken === null) {
    if (said === undefined)
      throw badLine(number, '/tenant_id', 'is required, because the token is for all tenants');
    return said;
  }
  if (said !== undefined && said !== ofToken) {
    throw badLine(number, '/tenant_id', 'does not match the tenant of the token');
  }
  return ofToken;
}

/** Throws for the first line whose tenant is none. */
export function requireTenants(
  lines: readonly PlacedLine<AnyLine>[],
  known: ReadonlySet<string>,
): void {
  const bad = lines.find(({ tenantId }) => !known.has(tenantId));
  if (bad !== undefined) throw badLine(bad.number, '/tenant_id', 'is not a tenant of this server');
}

export type SettingsOf = (tenantId: string) => LogSettings;

export function settingsBy(found: readonly (LogSettings & { tenant_id: string })[]): SettingsOf {
  const byTenant = new Map(found.map((one) => [one.tenant_id, one]));
  return (tenantId) => byTenant.get(tenantId) ?? LOG_DEFAULTS;
}

/** What its tenant does not keep any more would be gone with the next look at the partitions. */
export function isPast(line: PlacedLine<unknown>, settingsOf: SettingsOf, now: Micros): boolean {
  return line.at < now - settingsOf(line.tenantId).retention_days * MICROS.day;
}

export function isLate(at: Micros, now: Micros): boolean {
  return at < now - LAG;
}
