// LISTEN on one connection of its own: what other hub processes committed, told and not polled.
// A heartbeat on the same connection proves that nothing was missed; while it fails, `isLive` is false and caches are not used.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';

export interface PageNotice {
  kind: 'page';
  tenant: string;
  topic: string;
  /** Whom it concerns, folded, where that is said: they see it on their own page. */
  of?: string[];
  /** Further names of what was told already: for nobody but them. */
  isMore?: true;
}

/** What is told: a feed moved on, a page's topic changed, a cached fact must be forgotten, or a queue got a job. */
export type Notice =
  | { kind: 'feed'; tenant: string; topic: string; n: number }
  | PageNotice
  | { kind: 'forget'; cache: string; keys: string[] }
  | { kind: 'job'; queue: string };

export const CHANNEL = 'gatewarden';
const HEARTBEAT_MS = 400;
const ANSWER_WITHIN_MS = 500;
/** So seldom is looked for another server where this one stores nothing. */
const LOOKS_ELSEWHERE_MS = 10_000;
/** There the coordinator commits, and with it the notice, before it tells the workers to show what they prepared. */
const CITUS = "SELECT 1 FROM pg_extension WHERE extname = 'citus'";
const AGAIN_MS = [250, 2500];

export interface Notifications {
  /** True while every notice is known to arrive within a second. */
  readonly isLive: boolean;
  /**
   * Listeners must not throw. `lost`: everything cached is suspect. Whoever reads what a notice is about and keeps it wants
   * it `again`: on Citus a notice may come before the workers show what it tells.
   */
  onNotice(listener: (notice: Notice) => void, options?: { again: boolean }): () => void;
  onLost(listener: () => void): () => void;
  stop(): Promise<void>;
}

/** Starts to listen; resolves when it does. `revive` is called before each new connection. */
export async function startNotifications(options: {
  connection: pg.ClientConfig;
  log: Logger;
  revive(): Promise<void>;
}): Promise<Notifications> {
  const notices = new Set<(notice: Notice) => void>();
  const again = new Set<(notice: Notice) => void>();
  const waiting = new Set<NodeJS.Timeout>();
  let isEarly = false;
  const losses = new Set<() => void>();
  const stopping = new AbortController();
  let live = false;
  let client = await connect();
  let lookedAt = performance.now();
  live = true;
  const running = run();

  async function connect(): Promise<pg.Client> {
    await options.revive();
    const fresh = new pg.Client({
      ...options.connection,
      application_name: 'gatewarden-hub-listen',
      connectionTimeoutMillis: 5_000,
      // One that goes silent once it is connected would be waited for as long as TCP tries.
      query_timeout: 5_000,
    });
    fresh.on('error', () => lose(fresh));
    fresh.on('end', () => lose(fresh));
    fresh.on('notification', (message) => tell(message.payload ?? ''));
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${CHANNEL}`);
      isEarly = (await fresh.query(CITUS)).rowCount === 1;
    } catch (error) {
      // A standby lets everybody in, and lets nobody listen.
      await discard(fresh);
      throw error;
    }
    return fresh;
  }

  function tell(payload: string): void {
    const notice = JSON.parse(payload) as Notice;
    for (const listener of notices) listener(notice);
    for (const afterMs of isEarly ? AGAIN_MS : []) {
      const timer = setTimeout(() => {
        waiting.delete(timer);
        for (const listener of again) listener(notice);
      }, afterMs).unref();
      waiting.add(timer);
    }
  }

  function lose(of: pg.Client): void {
    // Not live first: while the very first connection is made there is no `client` to compare with.
    if (!live || of !== client || stopping.signal.aborted) return;
    live = false;
    options.log.warn({ event: 'database_lost' }, 'the database went away; waiting for it');
    for (const listener of losses) listener();
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await sleep(HEARTBEAT_MS, undefined, { signal: stopping.signal }).catch(stopped);
      if (stopping.signal.aborted) return;
      const beat = live ? await asked<{ is_read_only: string }>(client, SETTING) : null;
      if (beat?.is_read_only === 'on') await replaceIfElsewhere();
      if (beat !== null) continue;
      lose(client);
      await discard(client);
      await reconnect();
    }
  }

  /**
   * What was the primary tells nothing of what is stored in the one that took its place, and answers all the same. Where
   * another connection leads to the same server, or to none that can be listened to, this one is as good.
   */
  async function replaceIfElsewhere(): Promise<void> {
    if (performance.now() - lookedAt < LOOKS_ELSEWHERE_MS) return;
    const before = client;
    try {
      const fresh = await connect();
      const [here, there] = await Promise.all([serverOf(before), serverOf(fresh)]);
      if (here === null || there === null || here === there) return await discard(fresh);
      client = fresh;
    } catch (error) {
      return options.log.debug({ err: error }, 'no other database is found');
    } finally {
      lookedAt = performance.now();
    }
    options.log.warn({ event: 'database_changed' }, 'the database is another server now');
    for (const listener of losses) listener();
    await discard(before);
  }

  async function reconnect(): Promise<void> {
    for (let wait = 100; !stopping.signal.aborted; wait = Math.min(wait * 2, 2_000)) {
      try {
        client = await connect();
        live = true;
        // What was told in between was missed: caches start empty.
        for (const listener of losses) listener();
        options.log.info({ event: 'database_back' }, 'the database is back');
        return;
      } catch (error) {
        options.log.debug({ err: error }, 'the database is still away');
        await sleep(wait, undefined, { signal: stopping.signal }).catch(stopped);
      }
    }
  }

  return {
    get isLive() {
      return live;
    },
    onNotice(listener, options) {
      const unsubscribe = subscribe(notices, listener);
      const unsubscribeAgain = options?.again ? subscribe(again, listener) : () => false;
      return () => {
        unsubscribe();
        unsubscribeAgain();
      };
    },
    onLost: (listener) => subscribe(losses, listener),
    async stop() {
      stopping.abort();
      for (const timer of waiting) clearTimeout(timer);
      await running;
      live = false;
      await discard(client);
    },
  };
}

/** Null where no answer comes in time. */
async function asked<Row extends pg.QueryResultRow>(client: pg.Client, text: string) {
  const late = new AbortController();
  const limit = sleep(ANSWER_WITHIN_MS, null, { signal: late.signal }).catch(() => null);
  const answer = client.query<Row>(text).then(
    ({ rows }) => rows[0] ?? null,
    () => null,
  );
  const found = await Promise.race([answer, limit]);
  late.abort();
  return found;
}

const SETTING = "SELECT current_setting('transaction_read_only') AS is_read_only";
const SERVER = `SELECT concat_ws(' ', inet_server_addr(), inet_server_port(),
  pg_postmaster_start_time()) AS server`;

/** Of a server one name, until it is started anew. */
const serverOf = async (client: pg.Client) =>
  (await asked<{ server: string }>(client, SERVER))?.server ?? null;

async function discard(client: pg.Client): Promise<void> {
  // A half-open connection would wait for minutes on a polite end.
  const late = new AbortController();
  await Promise.race([
    client.end().catch(stopped),
    sleep(1_000, undefined, { signal: late.signal }).catch(stopped),
  ]);
  late.abort();
}

function subscribe<T>(set: Set<T>, listener: T): () => void {
  set.add(listener);
  return () => set.delete(listener);
}

/** The wait was cut short because we stop, or the connection was gone already. */
function stopped(_reason: unknown): void {
  return;
}
