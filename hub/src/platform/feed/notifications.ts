// Notifications of committed changes to every hub process, by PostgreSQL's LISTEN on a separate connection.
// Main types: `Notice`, `Notifications`. States: live → lost → reconnecting → live.
// Invariant: while `isLive` is true, every notice arrives within a second. A heartbeat on the same connection proves that;
// without it, caches are bypassed. Depends on pg only.
// Start reading at `startNotifications`.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';

export interface PageNotice {
  kind: 'page';
  tenant: string;
  topic: string;
  /** Folded e-mail addresses of the people that the change concerns, if known. Their own pages show the change. */
  of?: string[];
  /** The notice only has further names of an earlier notice. */
  isMore?: true;
}

/**
 * A feed advanced, the topic of a page changed, cached keys must be invalidated, a queue has a new job, or a named channel
 * between hub processes has a signal for each key.
 */
export type Notice =
  | { kind: 'feed'; tenant: string; topic: string; n: number }
  | PageNotice
  | { kind: 'forget'; cache: string; keys: string[] }
  | { kind: 'job'; queue: string }
  | { kind: 'signal'; channel: string; keys: string[] };

export const CHANNEL = 'gatewarden';
const HEARTBEAT_MS = 400;
const HEARTBEAT_TIMEOUT_MS = 500;
/** Interval of looking for another server while this server is read-only. */
const FAILOVER_CHECK_MS = 10_000;
/** On Citus the coordinator commits, and sends the notice, before the workers show what they prepared. */
const CITUS = "SELECT 1 FROM pg_extension WHERE extname = 'citus'";
const REPEAT_AFTER_MS = [250, 2500];

export interface Notifications {
  /** True while every notice is known to arrive within a second. */
  readonly isLive: boolean;
  /**
   * Subscribes to notices. Listeners must not throw. A listener that caches what it reads must set `again`: on Citus a
   * notice may arrive before the workers show the change, and is repeated.
   */
  onNotice(listener: (notice: Notice) => void, options?: { again: boolean }): () => void;
  /** Subscribes to the loss of notifications, after which everything cached is suspect. */
  onLost(listener: () => void): () => void;
  stop(): Promise<void>;
}

export interface NotificationOptions {
  connection: pg.ClientConfig;
  log: Logger;
  /** Restarts an embedded database; called before each new connection. */
  revive(): Promise<void>;
}

/** Starts to listen, and resolves when it does. Rejects if the first connection fails. */
export async function startNotifications(options: NotificationOptions): Promise<Notifications> {
  const listener = new DatabaseListener(options);
  await listener.start();
  return listener;
}

class DatabaseListener implements Notifications {
  readonly #options: NotificationOptions;
  readonly #subscribers = new Set<(notice: Notice) => void>();
  readonly #repeatSubscribers = new Set<(notice: Notice) => void>();
  readonly #lossSubscribers = new Set<() => void>();
  readonly #repeats = new Set<NodeJS.Timeout>();
  readonly #stopping = new AbortController();
  #repeatsNotices = false;
  #isLive = false;
  #client: pg.Client | null = null;
  #failoverCheckedAt = 0;
  #heartbeat: Promise<void> = Promise.resolve();

  constructor(options: NotificationOptions) {
    this.#options = options;
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  async start(): Promise<void> {
    this.#client = await this.#connect();
    this.#failoverCheckedAt = performance.now();
    this.#isLive = true;
    this.#heartbeat = this.#runHeartbeat(this.#client);
  }

  onNotice(listener: (notice: Notice) => void, options?: { again: boolean }): () => void {
    const unsubscribe = subscribe(this.#subscribers, listener);
    const unsubscribeRepeats = options?.again
      ? subscribe(this.#repeatSubscribers, listener)
      : () => false;
    return () => {
      unsubscribe();
      unsubscribeRepeats();
    };
  }

  onLost(listener: () => void): () => void {
    return subscribe(this.#lossSubscribers, listener);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#repeats) clearTimeout(timer);
    await this.#heartbeat;
    this.#isLive = false;
    if (this.#client !== null) await discard(this.#client);
  }

  async #connect(): Promise<pg.Client> {
    await this.#options.revive();
    const client = new pg.Client({
      ...this.#options.connection,
      application_name: 'gatewarden-hub-listen',
      connectionTimeoutMillis: 5_000,
      // Without a timeout, a server that becomes silent after the connection would delay the start as long as TCP retries.
      query_timeout: 5_000,
    });
    client.on('error', () => this.#markLost(client));
    client.on('end', () => this.#markLost(client));
    client.on('notification', (message) => this.#publish(message.payload ?? ''));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      this.#repeatsNotices = (await client.query(CITUS)).rowCount === 1;
    } catch (error) {
      // A standby accepts connections, but rejects LISTEN.
      await discard(client);
      throw error;
    }
    return client;
  }

  #publish(payload: string): void {
    const notice = JSON.parse(payload) as Notice;
    for (const listener of this.#subscribers) listener(notice);
    for (const delayMs of this.#repeatsNotices ? REPEAT_AFTER_MS : []) {
      const timer = setTimeout(() => {
        this.#repeats.delete(timer);
        for (const listener of this.#repeatSubscribers) listener(notice);
      }, delayMs).unref();
      this.#repeats.add(timer);
    }
  }

  #publishLoss(): void {
    for (const listener of this.#lossSubscribers) listener();
  }

  #markLost(client: pg.Client): void {
    if (!this.#isLive || client !== this.#client || this.#stopping.signal.aborted) return;
    this.#isLive = false;
    const event = 'database_lost';
    this.#options.log.warn({ event }, 'lost the database connection; reconnecting');
    this.#publishLoss();
  }

  async #runHeartbeat(first: pg.Client): Promise<void> {
    let client = first;
    while (!this.#stopping.signal.aborted) {
      await this.#pause(HEARTBEAT_MS);
      if (this.#stopping.signal.aborted) return;
      const beat = this.#isLive
        ? await queryInTime<{ is_read_only: string }>(client, READ_ONLY_SETTING)
        : null;
      if (beat?.is_read_only === 'on') client = await this.#followFailover(client);
      if (beat !== null) continue;
      this.#markLost(client);
      await discard(client);
      client = (await this.#reconnect()) ?? client;
    }
  }

  /**
   * Returns a connection to the new primary after a failover, or the given connection. A former primary still answers, but
   * sends no notices of changes at the new primary. If a new connection leads to the same server, or to none that accepts
   * LISTEN, the current connection stays.
   */
  async #followFailover(current: pg.Client): Promise<pg.Client> {
    if (performance.now() - this.#failoverCheckedAt < FAILOVER_CHECK_MS) return current;
    try {
      const candidate = await this.#connect();
      const [server, candidateServer] = await Promise.all([serverOf(current), serverOf(candidate)]);
      if (server === null || candidateServer === null || server === candidateServer) {
        await discard(candidate);
        return current;
      }
      this.#client = candidate;
    } catch (error) {
      this.#options.log.debug({ err: error }, 'found no other database server');
      return current;
    } finally {
      this.#failoverCheckedAt = performance.now();
    }
    const event = 'database_changed';
    this.#options.log.warn({ event }, 'the database moved to another server');
    this.#publishLoss();
    await discard(current);
    return this.#client;
  }

  async #reconnect(): Promise<pg.Client | null> {
    for (
      let delayMs = 100;
      !this.#stopping.signal.aborted;
      delayMs = Math.min(delayMs * 2, 2_000)
    ) {
      try {
        const client = await this.#connect();
        this.#client = client;
        this.#isLive = true;
        // Notices of the gap are missing, so caches start empty.
        this.#publishLoss();
        this.#options.log.info({ event: 'database_back' }, 'reconnected to the database');
        return client;
      } catch (error) {
        this.#options.log.debug({ err: error }, 'the database is still unavailable');
        await this.#pause(delayMs);
      }
    }
    return null;
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(ignore);
  }
}

/** Returns the first row, or null if the query fails or no answer arrives in time. */
async function queryInTime<Row extends pg.QueryResultRow>(client: pg.Client, text: string) {
  const cancel = new AbortController();
  const timeout = sleep(HEARTBEAT_TIMEOUT_MS, null, { signal: cancel.signal }).catch(() => null);
  const answer = client.query<Row>(text).then(
    ({ rows }) => rows[0] ?? null,
    () => null,
  );
  const row = await Promise.race([answer, timeout]);
  cancel.abort();
  return row;
}

const READ_ONLY_SETTING = "SELECT current_setting('transaction_read_only') AS is_read_only";
const SERVER = `SELECT concat_ws(' ', inet_server_addr(), inet_server_port(),
  pg_postmaster_start_time()) AS server`;

/** Returns an identifier of a server, which changes when the server restarts. */
const serverOf = async (client: pg.Client) =>
  (await queryInTime<{ server: string }>(client, SERVER))?.server ?? null;

async function discard(client: pg.Client): Promise<void> {
  // A half-open connection would wait for minutes on a regular end.
  const cancel = new AbortController();
  await Promise.race([
    client.end().catch(ignore),
    sleep(1_000, undefined, { signal: cancel.signal }).catch(ignore),
  ]);
  cancel.abort();
}

function subscribe<T>(set: Set<T>, listener: T): () => void {
  set.add(listener);
  return () => set.delete(listener);
}

/** Ignores an aborted pause and an error of a closed connection. */
function ignore(_reason: unknown): void {
  return;
}
