// What open pages are told. Ingest would notify thousands of times a minute, so the same (tenant, topic) is told
// at most once in a short while, and always after the last change.

import { foldName } from '@gatewarden/shared/names.ts';
import type { PageTopic } from '@gatewarden/shared/wire/console/events.ts';
import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { notify } from './feed.ts';
import type { PageNotice } from './notifications.ts';

const GATHER_MS = 250;
/** What comes all the time, in lists that are dear to read. */
const SLOW: ReadonlySet<PageTopic> = new Set(['llm-requests', 'tool-calls']);
const GATHER_SLOW_MS = 3000;
/** Of names in one notice, which holds 8,000 in all. */
const NAMED_MAX_BYTES = 6_000;

export interface PageEvents {
  /** Says that this topic of the tenant changed, by what is of this person; returns at once. */
  announce(tenantId: string, topic: PageTopic, email?: string): void;
  /** Tells what waits. */
  stop(): Promise<void>;
}

export function createPageEvents(db: Db, log: Logger): PageEvents {
  const soon = gather(db, log, GATHER_MS);
  const slow = gather(db, log, GATHER_SLOW_MS);
  return {
    announce(tenantId, topic, email) {
      (SLOW.has(topic) ? slow : soon).announce(tenantId, topic, email);
    },
    async stop() {
      await Promise.all([soon.stop(), slow.stop()]);
    },
  };
}

function gather(db: Db, log: Logger, forMs: number): PageEvents {
  const waiting = new Map<string, { tenant: string; topic: PageTopic; named: Set<string> }>();
  let timer: NodeJS.Timeout | null = null;
  const tell = (notice: Omit<PageNotice, 'kind'>) =>
    notify(db, { kind: 'page', ...notice }).catch((error: unknown) => {
      // Pages reload everything when the database is back, so nothing is lost for good.
      log.debug({ err: error }, 'a page event was not told');
    });
  const flush = async () => {
    timer = null;
    const events = [...waiting.values()];
    waiting.clear();
    for (const { named, ...event } of events) {
      const [first = [], ...more] = shares([...named]);
      const notices = [
        first.length === 0 ? event : { ...event, of: first },
        ...more.map((of) => ({ ...event, of, isMore: true as const })),
      ];
      for (const notice of notices) await tell(notice);
    }
  };
  return {
    announce(tenant, topic, email) {
      const key = `${tenant} ${topic}`;
      const event = waiting.get(key) ?? { tenant, topic, named: new Set() };
      if (email !== undefined) event.named.add(foldName(email));
      waiting.set(key, event);
      timer ??= setTimeout(() => void flush(), forMs).unref();
    },
    async stop() {
      if (timer !== null) clearTimeout(timer);
      await flush();
    },
  };
}

/** Names in the order they came, as many together as one notice takes. */
function shares(names: readonly string[]): string[][] {
  const all: string[][] = [];
  let room = 0;
  for (const name of names) {
    const size = Buffer.byteLength(JSON.stringify(name)) + 1;
    if (size > room) {
      all.push([]);
      room = NAMED_MAX_BYTES;
    }
    all.at(-1)?.push(name);
    room -= size;
  }
  return all;
}
