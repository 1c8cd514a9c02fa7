// Events for open pages of the console, debounced. Ingest would notify thousands of times a minute, so a topic of a tenant
// is notified at most once per interval, and always after its last change.

import { foldName } from '@gatewarden/shared/names.ts';
import type { PageTopic } from '@gatewarden/shared/wire/console/events.ts';
import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { notify } from './feed.ts';
import type { PageNotice } from './notifications.ts';

const INTERVAL_MS = 250;
/** Topics that change all the time and whose lists are expensive. */
const SLOW_TOPICS: ReadonlySet<PageTopic> = new Set(['llm-requests', 'tool-calls']);
const SLOW_INTERVAL_MS = 3000;
/** Limit of the names in a notice, which may have 8,000 bytes in total. */
const NAMES_MAX_BYTES = 6_000;

export interface PageEvents {
  /** Announces a change of a topic, of this person's data if given; returns at once. */
  announce(tenantId: string, topic: PageTopic, email?: string): void;
  /** Sends pending events. */
  stop(): Promise<void>;
}

/** Returns the debounced sender of page events. */
export function createPageEvents(db: Db, log: Logger): PageEvents {
  const fast = createDebouncer(db, log, INTERVAL_MS);
  const slow = createDebouncer(db, log, SLOW_INTERVAL_MS);
  return {
    announce(tenantId, topic, email) {
      (SLOW_TOPICS.has(topic) ? slow : fast).announce(tenantId, topic, email);
    },
    async stop() {
      await Promise.all([fast.stop(), slow.stop()]);
    },
  };
}

function createDebouncer(db: Db, log: Logger, intervalMs: number): PageEvents {
  const pending = new Map<string, { tenant: string; topic: PageTopic; names: Set<string> }>();
  let timer: NodeJS.Timeout | null = null;
  const send = (notice: Omit<PageNotice, 'kind'>) =>
    notify(db, { kind: 'page', ...notice }).catch((error: unknown) => {
      // Pages reload everything when the database is back, so no change stays hidden.
      log.debug({ err: error }, 'page event not sent');
    });
  const flush = async () => {
    timer = null;
    const events = [...pending.values()];
    pending.clear();
    for (const { names, ...event } of events) {
      const [first = [], ...more] = splitNames([...names]);
      const notices = [
        first.length === 0 ? event : { ...event, of: first },
        ...more.map((of) => ({ ...event, of, isMore: true as const })),
      ];
      for (const notice of notices) await send(notice);
    }
  };
  return {
    announce(tenant, topic, email) {
      const key = `${tenant} ${topic}`;
      const event = pending.get(key) ?? { tenant, topic, names: new Set() };
      if (email !== undefined) event.names.add(foldName(email));
      pending.set(key, event);
      timer ??= setTimeout(() => void flush(), intervalMs).unref();
    },
    async stop() {
      if (timer !== null) clearTimeout(timer);
      await flush();
    },
  };
}

/** Splits names, in their order, into groups that fit into a notice. */
function splitNames(names: readonly string[]): string[][] {
  const batches: string[][] = [];
  let room = 0;
  for (const name of names) {
    const size = Buffer.byteLength(JSON.stringify(name)) + 1;
    if (size > room) {
      batches.push([]);
      room = NAMES_MAX_BYTES;
    }
    batches.at(-1)?.push(name);
    room -= size;
  }
  return batches;
}
