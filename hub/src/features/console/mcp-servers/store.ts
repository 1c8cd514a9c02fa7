// SQL of MCP servers on devices, of their users, and of users who call tools through the gateway.
import { type RawBuilder, sql } from 'kysely';
import { type Db, row, rows } from '../../../platform/db/database.ts';

export interface DiscoveredProduct {
  product_id: string;
  product_key: string;
  name: string;
  vendor: string | null;
  risk_hints: string[];
  device_count: number;
  user_count: number;
  linux_devices: number;
  darwin_devices: number;
  win32_devices: number;
  last_seen_at: Date;
}

const DISCOVERED = (tenantId: string) => sql`
  tenant_id = ${tenantId} AND category = 'mcp_server' AND device_count > 0`;

/** Returns a page of MCP servers that devices have, those that most devices have first. */
export function selectDiscoveredProducts(
  db: Db,
  tenantId: string,
  after: readonly string[] | undefined,
  limit: number,
): Promise<DiscoveredProduct[]> {
  const beyond =
    after === undefined
      ? sql`true`
      : sql`(device_count < ${after[0]}::integer OR (device_count = ${after[0]}::integer
          AND product_id > decode(${after[1]}, 'hex')))`;
  return rows(
    db,
    sql<DiscoveredProduct>`
      SELECT encode(product_id, 'hex') AS product_id, product_key, name, vendor, risk_hints,
        device_count, user_count, linux_devices, darwin_devices, win32_devices, last_seen_at
      FROM inventory_products WHERE ${DISCOVERED(tenantId)} AND ${beyond}
      ORDER BY device_count DESC, product_id LIMIT ${limit}`,
  );
}

/** Returns the number of MCP servers that devices have. */
export async function countDiscoveredProducts(db: Db, tenantId: string): Promise<number> {
  const counted = await row(
    db,
    sql<{ total: number }>`
      SELECT count(*)::integer AS total FROM inventory_products WHERE ${DISCOVERED(tenantId)}`,
  );
  return counted?.total ?? 0;
}

/** The case of an address is folded as the index of owners folds it. */
const fold = (column: RawBuilder<unknown>) => sql`(lower(${column} COLLATE "C") COLLATE "default")`;

/** Returns the users of devices that have the products now, in folded form, by product id. */
export async function selectDirectUsers(
  db: Db,
  tenantId: string,
  productIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (productIds.length === 0) return new Map();
  const found = await rows(
    db,
    sql<{ product_id: string; users: string[] }>`
      SELECT encode(p.product_id, 'hex') AS product_id,
        array_agg(DISTINCT ${fold(sql`d.subscriber_id`)}) AS users
      FROM products p
      JOIN entities e ON e.tenant_id = p.tenant_id AND e.entity_id = p.entity_id
        AND e.removed_at IS NULL
      JOIN devices d ON d.tenant_id = e.tenant_id AND d.device_id = e.device_id
        AND d.retired_at IS NULL AND d.subscriber_id <> ''
      WHERE p.tenant_id = ${tenantId} AND p.device_count > 0
        AND p.product_id = ANY (${productIds.map((id) => Buffer.from(id, 'hex'))}::bytea[])
      GROUP BY p.product_id`,
  );
  return new Map(found.map(({ product_id: id, users }) => [id, users]));
}

/** Returns the users who called a tool of the servers in the last 30 days, in folded form, by server id. */
export async function selectGatewayUsers(
  db: Db,
  tenantId: string,
  backendIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (backendIds.length === 0) return new Map();
  const found = await rows(
    db,
    sql<{ backend_id: string; users: string[] }>`
      SELECT backend_id, array_agg(DISTINCT ${fold(sql`user_email`)}) AS users
      FROM mcp_tool_calls
      WHERE tenant_id = ${tenantId} AND at > now() - interval '30 days'
        AND backend_id = ANY (${[...backendIds]}::uuid[]) AND user_email IS NOT NULL
      GROUP BY backend_id`,
  );
  return new Map(found.map(({ backend_id: id, users }) => [id, users]));
}
