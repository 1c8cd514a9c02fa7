// Every write of a user, a program or an administrator's token has its event in the audit trail in the same
// transaction. Random calls run the writing operations of the OpenAPI document, and the database lists the transactions
// that wrote rows. Without a writable trail, no write succeeds. GATEWARDEN_FUZZ=5000 is the long run.
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import {
  type ApiDocument,
  type Caller,
  createCaller,
  type DocumentCall,
} from '../support/document-calls.ts';
import {
  answerOf,
  furnish,
  newCredentials,
  type Secrets,
  sendCall,
} from '../support/document-hub.ts';
import { startTestHub, type TestHub } from '../support/hub.ts';
import { endSchedules } from '../support/jobs.ts';

const RUNS = Number(process.env.GATEWARDEN_FUZZ ?? 200);
const SEED = Number(process.env.GATEWARDEN_SEED ?? Date.now() % 1_000_000);
/** After so many calls, what they may have deleted or revoked is created again. */
const RENEW_EVERY = 100;
const READ_EVERY = 5;
/** Operations that chance must have carried out, for the run to prove anything: it draws from three hundred. */
const LEAST = 1;

/** Tables that a person's request writes besides its own: rows in these alone need no event. */
const BOOKKEEPING: Record<string, string> = {
  accounts: 'the last sign-in',
  notification_deliveries: 'what became of a message',
  audit_checkpoints: 'a job',
  default_policies: 'the row that writers wait for, before anything is set',
  devices: 'when a device was seen',
  hub_processes: 'the last sign of life of a hub process',
  idempotency_keys: 'what is answered again',
  inventory_products: 'counts of products, by a job',
  log_export_keys: 'the last use, and the first key, which exists from the beginning',
  management_keys: 'the last use',
  mcp_server_health: 'when a server was contacted, and how',
  operations: 'what was begun, and whether it ended',
  override_rollouts: 'what a job counted; a person who moves a rollout writes the feed, too',
  products: 'the product that a job grouped an application into',
  scim_tokens: 'the last use',
  sessions: 'the last use',
};

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.stop());

// On Citus a row does not show which transaction of the coordinator wrote it.
it.skipIf(inject('postgres').isCitus)(
  'records an event for every write, and rejects writes while the audit trail is not writable',
  async () => {
    // The job that links events leaves theirs as its own, too.
    await endSchedules(hub);
    const document = hub.hub.openApi() as unknown as ApiDocument;
    const caller = createCaller(document, SEED, hub.tenantId, [0]);
    const lasting = await furnish(hub);
    let secrets = await newCredentials(hub, lasting);
    const renew = async (run: number) => {
      if (run % RENEW_EVERY === 0) secrets = await newCredentials(hub, lasting);
    };
    const observed = await listen(caller, () => secrets, renew);
    expect([...observed.silent], `seed ${SEED}`).toEqual([]);
    // Refused calls alone would prove nothing.
    expect(observed.audited.size).toBeGreaterThan(LEAST);

    secrets = await newCredentials(hub, lasting);
    await refuseEvents();
    const refused = await listen(caller, () => secrets);
    expect([...refused.silent], `seed ${SEED}`).toEqual([]);
    expect([...refused.audited]).toEqual([]);
    expect(refused.failed.size).toBeGreaterThan(LEAST);
  },
  RUNS * 2_000,
);

interface Heard {
  /** Operations of which a transaction left rows and an event. */
  audited: Set<string>;
  /** Operations that failed with a status of 500. */
  failed: Set<string>;
  /** Transactions that left rows and no event, with their tables. */
  silent: Set<string>;
}

async function listen(
  caller: Caller,
  secrets: () => Secrets,
  renew?: (run: number) => Promise<void>,
): Promise<Heard> {
  const observed: Heard = { audited: new Set(), failed: new Set(), silent: new Set() };
  const leftSince = await transactions();
  for (let run = 0; run < RUNS; run++) {
    await renew?.(run);
    const call = nextOfPeople(caller, run);
    const before = await newest();
    const result = await sendCall(hub, call, secrets());
    if (result.status < 300) caller.learn(answerOf(result), call.operation.split(' ')[1] ?? '');
    if (call.method === 'GET') continue;
    if (result.status === 500) observed.failed.add(call.operation);
    for (const tables of await leftSince(before)) {
      if (tables.includes('audit_events')) observed.audited.add(call.operation);
      else if (!isBookkeeping(tables)) {
        observed.silent.add(`${call.operation} ${result.status}: ${tables.join(', ')}`);
      }
    }
  }
  return observed;
}

/** A route remembers with its message how sending went. */
function isBookkeeping(tables: readonly string[]): boolean {
  const isSending = tables.includes('notification_deliveries');
  return tables.every(
    (table) => BOOKKEEPING[table] !== undefined || (isSending && table === 'notification_channels'),
  );
}

/** Returns the next call of a person. Reports of devices and gateway nodes are no decision; a few reads supply ids. */
function nextOfPeople(caller: Caller, run: number): DocumentCall {
  for (;;) {
    const call = caller.next();
    if (call.security === 'agentToken' || call.security === 'nodeToken') continue;
    if ((call.method === 'GET') === (run % READ_EVERY === 0)) return call;
  }
}

/** The next transaction's number. */
async function newest(): Promise<number> {
  const { rows } = await hub.context.database.pool.query<{ next: string }>(
    'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next',
  );
  return Number(rows[0]?.next);
}

/** Returns a function that lists, for each transaction since, the tables in which it left rows. */
async function transactions(): Promise<(since: number) => Promise<string[][]>> {
  const { pool } = hub.context.database;
  const { rows: tables } = await pool.query<{ name: string; of: string }>(`
    SELECT c.relname AS name, coalesce(i.inhparent::regclass::text, c.relname) AS of
    FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace`);
  // A frozen row keeps its number in this column; in a database as young as this there is none.
  const queries = tables.map(
    ({ name, of }) => `
      SELECT DISTINCT '${of}' AS of, xmin::text AS number FROM "${name}" WHERE xmin::text::bigint >= $1`,
  );
  const union = queries.join(' UNION ');
  return async (since) => {
    const { rows } = await pool.query<{ of: string; number: string }>(union, [since]);
    const perTransaction = Map.groupBy(rows, (row) => row.number);
    return [...perTransaction.values()].map((left) => left.map((row) => row.of).sort());
  };
}

async function refuseEvents(): Promise<void> {
  await hub.context.database.pool.query(`
    CREATE FUNCTION take_no_event() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the trail takes nothing'; END $$;
    CREATE TRIGGER take_no_event BEFORE INSERT ON audit_events
      FOR EACH ROW EXECUTE FUNCTION take_no_event()`);
}
