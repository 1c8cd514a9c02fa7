// Baseline of the management API: a Fastify with a pool of the same size on the same database, an indexed
// query for a read, and for a change the same rows written by hand in a single transaction.
import { createHash, randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({
  ...(JSON.parse(process.env.BENCH_CONNECTION ?? '{}') as pg.PoolConfig),
  max: 20,
});
const tenantId = process.env.BENCH_TENANT ?? '';
const app = Fastify();

interface Row {
  version: number;
  config: { limits?: { timeout?: number } };
}

app.get<{ Params: { name: string } }>('/apps/:name', async (request) => {
  const found = await pool.query(
    `SELECT app_id, name, mode, enabled, provider_labels, tags, config, version, created_at, updated_at
     FROM apps WHERE tenant_id = $1 AND name_folded = $2`,
    [tenantId, request.params.name],
  );
  return { app: found.rows[0] };
});

app.patch<{ Params: { name: string }; Body: { limits: { timeout: number } } }>(
  '/apps/:name',
  async (request) => {
    const hash = createHash('sha256')
      .update(request.headers.authorization?.slice('Bearer '.length) ?? '')
      .digest();
    await pool.query('SELECT tenant_id, scopes FROM management_keys WHERE secret_hash = $1', [
      hash,
    ]);
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<Row & { app_id: string }>(
        `SELECT app_id, config, version FROM apps
         WHERE tenant_id = $1 AND name_folded = $2 FOR NO KEY UPDATE`,
        [tenantId, request.params.name],
      );
      const before = rows[0];
      if (before === undefined) throw new Error('no such app');
      const config = { ...before.config, limits: request.body.limits };
      const updated = await client.query<Row>(
        `UPDATE apps SET config = $3, version = version + 1, updated_at = now()
         WHERE tenant_id = $1 AND app_id = $2 AND version = $4 RETURNING *`,
        [tenantId, before.app_id, config, before.version],
      );
      await client.query(
        `INSERT INTO app_versions (tenant_id, app_id, app_version, version_id, actor, operation,
           changed, previous_config, new_config)
         VALUES ($1, $2, $3, $4, '{}', 'app.update', '["/limits/timeout"]', $5, $6)`,
        [tenantId, before.app_id, before.version + 1, randomUUID(), before.config, config],
      );
      await client.query(
        `INSERT INTO audit_events (tenant_id, event_id, at, actor, operation, resource, result,
           request_id, detail, management)
         VALUES ($1, $2, now(), '{}', 'app.update', '{}', 'succeeded', $3, '{}', true)`,
        [tenantId, randomUUID(), randomUUID()],
      );
      const { rows: moved } = await client.query<{ n: string }>(
        'UPDATE configuration_feed SET n = n + 1 WHERE one RETURNING n',
      );
      await client.query(
        `INSERT INTO configuration_items (tenant_id, kind, id, revision, deleted)
         VALUES ($1, 'app', $2, $3, false)
         ON CONFLICT (tenant_id, kind, id) DO UPDATE SET revision = excluded.revision`,
        [tenantId, before.app_id, moved[0]?.n],
      );
      await client.query(`SELECT pg_notify('bench', $1)`, [before.app_id]);
      await client.query('COMMIT');
      return { app: updated.rows[0] };
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  },
);

process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
