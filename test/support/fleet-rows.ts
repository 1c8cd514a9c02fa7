// A fleet made in SQL: as many devices as a test or a benchmark wants, in seconds, with the shapes that syncing leaves.
import type pg from 'pg';

export interface FleetSize {
  devices: number;
  products: number;
  /** Entity rows of each device; 0 leaves them out. */
  perDevice: number;
  /** Alerts, activity and unknown processes, each; 0 leaves them out. */
  events: number;
}

/**
 * The common products are on every device, the others are the long tail; 2 % are MCP servers. Device N is called
 * `host-00000N`, product N `product-N`.
 */
export async function fillFleet(
  client: Pick<pg.Client, 'query'>,
  tenantId: string,
  size: FleetSize,
): Promise<void> {
  const common = Math.min(800, Math.floor(size.products / 2));
  const productOf = `CASE WHEN k < ${common} THEN k ELSE ${common} + (d * 7919 + k * 31) % ${size.products - common} END`;
  const idOf = (n: string) => `sha256(('product ' || (${n}))::bytea)`;
  const kindOf = (n: string) => `CASE WHEN (${n}) % 50 = 0 THEN 'mcp_server' ELSE 'package' END`;
  const deviceOf = (n: string) => `md5($1::text || (${n}))::uuid`;
  await client.query(
    `INSERT INTO devices (tenant_id, device_id, subscriber_id, hostname, platform, os_version, arch,
       agent_version, first_seen_at, last_seen_at, inventory_hash, entity_count, last_scan_at, governance_state)
     SELECT $1::uuid, ${deviceOf('d')}, 'person-' || d, 'host-' || lpad(d::text, 6, '0'),
       CASE WHEN d % 3 = 0 THEN 'darwin' ELSE 'linux' END, '12', 'x64', '0.1.0', now() - make_interval(mins => d),
       now() - make_interval(mins => d % 2000), sha256('x'), $3, now(),
       CASE WHEN d % 20 = 0 THEN 'diverged' ELSE 'applied' END
     FROM generate_series(1, $2::integer) d`,
    [tenantId, size.devices, size.perDevice],
  );
  await client.query(
    `INSERT INTO products (tenant_id, entity_id, kind, source, platform, name, name_folded, publisher,
       device_count, first_seen_at, last_seen_at)
     SELECT $1::uuid, ${idOf('n')}, ${kindOf('n')}, 'dpkg', 'linux', 'product-' || n, 'product-' || n,
       'Publisher ' || n % 500, CASE WHEN n < ${common} THEN ${size.devices} ELSE 1 + n % 40 END,
       now() - make_interval(mins => n % 100000), now()
     FROM generate_series(0, $2::integer - 1) n`,
    [tenantId, size.products],
  );
  await client.query(
    `INSERT INTO product_versions (tenant_id, entity_id, version, device_count)
     SELECT $1::uuid, ${idOf('n')}, '1.' || v, 1 FROM generate_series(0, $2::integer - 1) n, generate_series(1, 2) v`,
    [tenantId, size.products],
  );
  for (let from = 1; size.perDevice > 0 && from <= size.devices; from += 500) {
    await client.query(
      `INSERT INTO entities (tenant_id, device_id, entity_id, kind, source, name, version, executables,
         instances, content_hash, scan_seq, first_seen_at, last_seen_at)
       SELECT $1::uuid, ${deviceOf('d')}, ${idOf(productOf)}, ${kindOf(productOf)}, 'dpkg',
         'product-' || (${productOf}), '1.1', '["/usr/bin/x"]', '[]', sha256('y'), 1, now(), now()
       FROM generate_series($2::integer, $3::integer) d, generate_series(0, $4::integer - 1) k
       ON CONFLICT DO NOTHING`,
      [tenantId, from, Math.min(from + 499, size.devices), size.perDevice],
    );
  }
  if (size.events > 0) await fillEvents(client, tenantId, size);
}

async function fillEvents(
  client: Pick<pg.Client, 'query'>,
  tenantId: string,
  { devices, events }: FleetSize,
): Promise<void> {
  const device = `md5($1::text || (1 + n % ${devices}))::uuid`;
  const event = (kind: string) => `md5('${kind}' || $1::text || n)::uuid`;
  const process = `jsonb_build_object('name', 'process-' || n, 'executable_path', '/opt/process-' || n,
    'pid', n, 'started_at', '2026-11-20T10:00:00.000Z')`;
  const at = 'now() - make_interval(secs => n)';
  await client.query(
    `WITH made AS (
       INSERT INTO alerts (tenant_id, received_on, alert_id, device_id, received_at, occurred_at, severity,
         action, application_name, process, outcome, message, queued, acknowledged_at)
       SELECT $1::uuid, ((${at}) AT TIME ZONE 'UTC')::date, ${event('alert')}, ${device}, ${at}, ${at},
         (ARRAY['low', 'medium', 'high', 'critical'])[1 + n % 4], 'block', 'application-' || n, ${process},
         'terminated', 'process-' || n || ' was ended', false, CASE WHEN n % 2 = 0 THEN now() END
       FROM generate_series(1, $2::integer) n RETURNING tenant_id, alert_id, device_id, received_on)
     INSERT INTO alert_ids (tenant_id, alert_id, device_id, received_on)
     SELECT tenant_id, alert_id, device_id, received_on FROM made`,
    [tenantId, events],
  );
  await client.query(
    `INSERT INTO activity (tenant_id, received_on, activity_id, device_id, received_at, decided_at, process,
       process_name_folded, decision, enforced, outcome)
     SELECT $1::uuid, ((${at}) AT TIME ZONE 'UTC')::date, ${event('activity')}, ${device}, ${at}, ${at},
       ${process}, 'process-' || n, 'block', true, 'terminated'
     FROM generate_series(1, $2::integer) n`,
    [tenantId, events],
  );
  await client.query(
    `INSERT INTO unknown_processes (tenant_id, process_id, name, name_folded, executable_path, platform,
       device_count, first_seen_at, last_seen_at)
     SELECT $1::uuid, sha256(('process ' || n)::bytea), 'process-' || n, 'process-' || n,
       '/opt/process-' || n, 'linux', 1 + n % 40, now(), now()
     FROM generate_series(1, $2::integer) n`,
    [tenantId, events],
  );
  await client.query(
    `INSERT INTO members (tenant_id, user_id, email, email_folded, role)
     SELECT $1::uuid, ${event('user')}, 'person-' || n || '@example.com', 'person-' || n || '@example.com',
       CASE WHEN n % 10 = 0 THEN 'Reviewer' ELSE 'Member' END
     FROM generate_series(1, $2::integer) n`,
    [tenantId, events],
  );
}
