// All SQL of what approvals were given for: the forms in which an approved product was seen, and those on devices.
import { sql } from 'kysely';
import { row, rows, type Tx } from '../../../platform/db/database.ts';
import { ANY } from '../../../platform/http/lists/console-lists.ts';
import type { DriftedEntity } from './drift-store.ts';
import type { ToldLaunch } from './fingerprint.ts';

export interface SeenRow {
  entity_id: string;
  form: string;
}

/** Ways of being told that are read of one product at once. */
const TOLD_MAX = 5_000;

/** Of these products those of these forms that were seen. */
export async function selectSeen(
  tx: Tx,
  tenantId: string,
  entityIds: readonly string[],
  forms: readonly string[],
): Promise<Map<string, Set<string>>> {
  const records = await rows(
    tx,
    sql<{ entity_id: string; form: string }>`
      SELECT encode(entity_id, 'hex') AS entity_id, encode(form, 'hex') AS form FROM seen_launches
      WHERE tenant_id = ${tenantId} AND entity_id = ANY (${bytes(entityIds)})
        AND form = ANY (${bytes(forms)})`,
  );
  const seen = new Map<string, Set<string>>();
  for (const { entity_id: id, form } of records) {
    seen.set(id, (seen.get(id) ?? new Set()).add(form));
  }
  return seen;
}

/** Those that are there already stay. */
export async function insertSeen(
  tx: Tx,
  tenantId: string,
  seen: readonly SeenRow[],
): Promise<void> {
  if (seen.length === 0) return;
  await sql`
    INSERT INTO seen_launches (tenant_id, entity_id, form)
    SELECT ${tenantId}::uuid, s.entity_id, s.form
    FROM unnest(${bytes(seen.map((record) => record.entity_id))}::bytea[],
      ${bytes(seen.map((record) => record.form))}::bytea[]) AS s(entity_id, form)
    ORDER BY s.entity_id, s.form
    ON CONFLICT (tenant_id, entity_id, form) DO NOTHING`.execute(tx);
}

/** Where nothing approves the product any more: who approves it again looks anew. */
export async function deleteSeen(tx: Tx, tenantId: string, entityId: string): Promise<void> {
  await sql`
    DELETE FROM seen_launches
    WHERE tenant_id = ${tenantId} AND entity_id = decode(${entityId}, 'hex')`.execute(tx);
}

/** Null where no device has it; else whether a device may say of it how it is launched or what it may do. */
export async function selectMayDrift(
  tx: Tx,
  tenantId: string,
  entityId: string,
): Promise<boolean | null> {
  const record = await row(
    tx,
    sql<{ may_drift: boolean }>`
      SELECT coalesce(may_drift, true) AS may_drift FROM products
      WHERE tenant_id = ${tenantId} AND entity_id = decode(${entityId}, 'hex')
        AND device_count > 0`,
  );
  return record?.may_drift ?? null;
}

/** What an entity says of its launches, in as many words as make its forms. */
interface ToldRow {
  source: string;
  hashes: string[];
  permissions: string[];
  configured: unknown;
  cut: unknown;
}

const TOLD = sql`e.source, e.details -> 'configured' AS configured, e.details -> 'cut' AS cut,
  jsonb_path_query_array(e.instances, '$[*].permissions[*] ? (@.type() == "string")') AS permissions,
  jsonb_path_query_array(e.instances, '$[*].launch_hash ? (@.type() == "string")')
    || CASE WHEN e.launch_hash IS NULL THEN '[]'::jsonb ELSE to_jsonb(e.launch_hash) END AS hashes`;

const toldOf = ({ source, hashes, permissions, configured, cut }: ToldRow): ToldLaunch => ({
  source,
  instances: [...hashes.map((launch_hash) => ({ launch_hash })), { permissions }],
  details: { configured, cut },
});

const waits = (tenantId: string) => sql`EXISTS (SELECT 1 FROM product_drifts p
  WHERE p.tenant_id = ${tenantId} AND p.entity_id = e.entity_id AND p.device_id = e.device_id)`;

/** How a product stands on devices on which it does not wait for a review, but those; null where that is too much to read. */
export async function selectToldLaunches(
  tx: Tx,
  tenantId: string,
  entityId: string,
  but: readonly string[],
): Promise<ToldLaunch[] | null> {
  const records = await rows(
    tx,
    sql<ToldRow>`
      SELECT DISTINCT ${TOLD} FROM entities e
      WHERE e.tenant_id = ${tenantId} AND e.entity_id = decode(${entityId}, 'hex')
        AND e.removed_at IS NULL AND NOT e.device_id = ANY (${but}::uuid[])
        AND NOT ${waits(tenantId)}
      LIMIT ${TOLD_MAX + 1}`,
  );
  return records.length > TOLD_MAX ? null : records.map(toldOf);
}

/** Of all devices that have a product; what is left out narrows nothing. */
export interface Present {
  only?: readonly string[] | null;
  /** Of those only that said something new of it from then on. */
  since?: Date | null;
  /** Those, too, on which it waits for a review. */
  alsoWaiting?: boolean;
}

export interface PresentProduct {
  found: DriftedEntity;
  told: ToldLaunch;
  waits: boolean;
}

const PAGE = 1_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** By pages, in the order of their ids, the devices that have a product, and how. */
export async function* presentPages(
  tx: Tx,
  tenantId: string,
  entityId: string,
  which: Present,
): AsyncGenerator<PresentProduct[]> {
  const { only } = which;
  if (only != null) {
    // By pages of their own: very many ids are not sent with each of very many pages.
    const ids = [...new Set(only)].sort();
    for (let at = 0; at < ids.length; at += PAGE) {
      const some = { ...which, only: ids.slice(at, at + PAGE), after: BEFORE_ALL };
      const page = await selectPresent(tx, tenantId, entityId, some);
      if (page.length > 0) yield page;
    }
    return;
  }
  let after = BEFORE_ALL;
  for (;;) {
    const page = await selectPresent(tx, tenantId, entityId, { ...which, after });
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    if (page.length < PAGE) return;
    after = last.found.device_id;
  }
}

async function selectPresent(
  tx: Tx,
  tenantId: string,
  entityId: string,
  { after, only = null, since = null, alsoWaiting = false }: Present & { after: string },
): Promise<PresentProduct[]> {
  const records = await rows(
    tx,
    sql<DriftedEntity & ToldRow & { waits: boolean }>`
      SELECT e.device_id, d.platform, d.subscriber_id, encode(e.entity_id, 'hex') AS entity_id,
        e.kind, e.name, e.version, e.publisher, ${TOLD},
        ${waits(tenantId)} AS waits
      FROM entities e
      JOIN devices d ON d.tenant_id = e.tenant_id AND d.device_id = e.device_id
      WHERE e.tenant_id = ${tenantId} AND e.entity_id = decode(${entityId}, 'hex')
        AND e.device_id > ${after}::uuid AND e.removed_at IS NULL AND d.retired_at IS NULL
        AND ${since === null ? ANY : sql`e.last_seen_at >= ${since}`}
        AND ${only === null ? ANY : sql`e.device_id = ANY (${only}::uuid[])`}
        AND ${alsoWaiting ? ANY : sql`NOT ${waits(tenantId)}`}
      ORDER BY e.device_id LIMIT ${PAGE}`,
  );
  return records.map((record) => {
    const { hashes: _hashes, permissions: _all, configured: _shown, cut: _cut, ...rest } = record;
    const { source: _source, waits: isWaiting, ...entity } = rest;
    return { found: entity, told: toldOf(record), waits: isWaiting };
  });
}

const bytes = (hex: readonly string[]): Buffer[] => hex.map((text) => Buffer.from(text, 'hex'));
