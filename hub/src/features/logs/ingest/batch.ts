// A batch of log lines on its way in: each line is parsed, assigned to its tenant and its time validated. Nothing is
// stored before all lines are valid.
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

/** A clock may be ahead by a day; a later time is an error. */
const AHEAD: Micros = MICROS.day;
/** The lag of the export: a collector may be past rows that arrive later. */
export const LAG: Micros = 15 * MICROS.minute;

export interface BatchLine<Line> {
  number: number;
  line: Line;
  tenantId: string;
  at: Micros;
}

export interface BatchContext {
  tokenTenantId: string | null;
  now: Micros;
}

interface AnyLine {
  tenant_id?: string;
}

/** The fields of a line with its time and its owner. */
export interface LineFields<Line> {
  time: string;
  timeOf(line: Line): string;
  /** A JSON pointer, like `time`. */
  owner: string;
  ownerOf(line: Line): { id?: string; name?: string };
}

/** Reads a complete body. Throws `invalid_request` with the number of the first invalid line. */
export async function readBatch<Line extends AnyLine>(
  request: FastifyRequest,
  read: LineReader<Line>,
  fields: LineFields<Line> & BatchContext,
): Promise<BatchLine<Line>[]> {
  const parsed: BatchLine<Line>[] = [];
  // Without a length and without a type there is no body.
  const body = (request.body ?? Readable.from([])) as Readable;
  const limits = { maxBytes: LOG_BATCH_BYTES, maxLines: LOG_BATCH_LINES };
  for await (const { number, bytes } of readLines(body, request, limits)) {
    const line = read(bytes, number);
    const tenantId = tenantOf(line, number, fields.tokenTenantId);
    const owner = fields.ownerOf(line);
    // A row of an unknown owner is stored under the name that was sent; without a name it could never be selected.
    if (owner.id === undefined && (owner.name ?? '').trim() === '') {
      throw badLine(number, `${fields.owner}/name`, 'is required if there is no id');
    }
    const at = parseMicros(fields.timeOf(line));
    if (at === null) throw badLine(number, fields.time, 'is not a valid time');
    if (at > fields.now + AHEAD) throw badLine(number, fields.time, 'is in the future');
    parsed.push({ number, line, tenantId, at });
  }
  if (parsed.length === 0) throw new HubError('invalid_request', '/ has no lines');
  return parsed;
}

function tenantOf(line: AnyLine, number: number, ofToken: string | null): string {
  const sent = line.tenant_id?.toLowerCase();
  if (ofToken === null) {
    if (sent === undefined)
      throw badLine(number, '/tenant_id', 'is required, because the token is for all tenants');
    return sent;
  }
  if (sent !== undefined && sent !== ofToken) {
    throw badLine(number, '/tenant_id', 'does not match the tenant of the token');
  }
  return ofToken;
}

/** Throws for the first line of an unknown tenant. */
export function requireTenants(
  lines: readonly BatchLine<AnyLine>[],
  tenants: ReadonlySet<string>,
): void {
  const bad = lines.find(({ tenantId }) => !tenants.has(tenantId));
  if (bad !== undefined) throw badLine(bad.number, '/tenant_id', 'is not a tenant of this server');
}

export type SettingsOf = (tenantId: string) => LogSettings;

/** Returns a lookup of settings by tenant, with defaults for tenants without a row. */
export function settingsBy(stored: readonly (LogSettings & { tenant_id: string })[]): SettingsOf {
  const byTenant = new Map(stored.map((settings) => [settings.tenant_id, settings]));
  return (tenantId) => byTenant.get(tenantId) ?? LOG_DEFAULTS;
}

/** Returns whether the row is outside of its tenant's retention: the next maintenance of partitions would delete it. */
export function isExpired(line: BatchLine<unknown>, settingsOf: SettingsOf, now: Micros): boolean {
  return line.at < now - settingsOf(line.tenantId).retention_days * MICROS.day;
}

/** Returns whether a row arrived later than the lag of the export. */
export function isLate(at: Micros, now: Micros): boolean {
  return at < now - LAG;
}
