// A database server for tests: a single PostgreSQL, or a Citus cluster, whose nodes each have a part of a database
// under the same name. A part is cloned like any database, and all parts cloned together are a cluster again.
import pg from 'pg';

export interface Node {
  host: string;
  port: number;
  user: string;
}

/** The first node is the coordinator, or the only server. */
export interface Server {
  nodes: Node[];
  isCitus: boolean;
}

/** Few of them: tests have little data, and each is a table on a worker. */
const SHARDS = 2;

export async function onNode<T>(
  node: Node,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...node, database });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function nodesOf(url: string): Promise<{ nodes: Node[]; isCitus: boolean }> {
  const { hostname, port, username } = new URL(url);
  const first = { host: hostname, port: Number(port || 5432), user: username };
  return onNode(first, 'postgres', async (client) => {
    const { rows } = await client.query("SELECT 1 FROM pg_extension WHERE extname = 'citus'");
    if (rows.length === 0) return { nodes: [first], isCitus: false };
    const workers = await client.query<{ host: string; port: number }>(
      'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid > 0 ORDER BY groupid',
    );
    return {
      nodes: [first, ...workers.rows.map((row) => ({ ...row, user: first.user }))],
      isCitus: true,
    };
  });
}

export async function createOn(
  nodes: readonly Node[],
  name: string,
  template: string | null,
): Promise<void> {
  // Copied as files: through the log it takes twice the work.
  const from = template === null ? '' : `TEMPLATE ${template} STRATEGY file_copy`;
  await Promise.all(
    nodes.map((node) =>
      onNode(node, 'postgres', async (client) => {
        await client.query(`CREATE DATABASE ${name} ${from}`);
        // Means nothing without the extension; a clone does not take it over.
        await client.query(`ALTER DATABASE ${name} SET citus.shard_count = ${SHARDS}`);
      }),
    ),
  );
}

/** A database without tables whose coordinator knows its workers. */
export async function blankCitus(nodes: readonly Node[], name: string): Promise<void> {
  await createOn(nodes, name, null);
  for (const node of nodes) {
    await onNode(node, name, (client) => client.query('CREATE EXTENSION citus'));
  }
  const [coordinator, ...workers] = nodes as [Node, ...Node[]];
  await onNode(coordinator, name, async (client) => {
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [
      coordinator.host,
      coordinator.port,
    ]);
    for (const { host, port } of workers) {
      await client.query('SELECT citus_add_node($1, $2)', [host, port]);
    }
  });
}

/** Closes a database to connections, including Citus' own maintenance, so that it can be cloned. */
export async function freeze(nodes: readonly Node[], name: string): Promise<void> {
  for (const node of nodes) {
    await onNode(node, 'postgres', async (client) => {
      await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
      await client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1',
        [name],
      );
    });
  }
}

export async function dropOn(nodes: readonly Node[], names: readonly string[]): Promise<void> {
  await Promise.all(
    nodes.map((node) =>
      onNode(node, 'postgres', async (client) => {
        for (const name of names) await client.query(`DROP DATABASE IF EXISTS ${name} (FORCE)`);
      }),
    ),
  );
}

/** Drops the databases that this run or an aborted run created. */
export async function dropOurs(nodes: readonly Node[]): Promise<void> {
  for (const node of nodes) {
    const names = await onNode(node, 'postgres', async (client) => {
      const { rows } = await client.query<{ datname: string }>(
        "SELECT datname FROM pg_database WHERE datname ~ '^(test_[0-9a-f]{12}|gatewarden_(template|blank))$'",
      );
      return rows.map((row) => row.datname);
    });
    await dropOn([node], names);
  }
}
