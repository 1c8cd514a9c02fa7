// What open pages are told. Ingest would notify thousands of times a minute, so the same (tenant, topic) is told
// at most once in a short while, and always after the last change.

import { foldName } from '@gatewarden/shared/names.ts';
import type { PageTopic } from '@gatewarden/shared/wire/console/events.ts';
import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { notify } from './feed.ts';
import type { PageNotice } from './notifications.ts';

const GATHER_MS = 250;
/** Of names in one notice, which holds 8,000 in all. */
const NAMED_MAX_BYTES = 6_000;

export interface PageEvents {
  /** Says that this topic of the tenant changed, by a device of this subscriber; returns at once. */
  announce(tenantId: string, topic: PageTopic, subscriberId?: string): void;
  /** Tells what waits. */
  stop(): Promise<void>;
}

export function createPageEvents(db: Db, log: Logger): PageEvents {
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
    announce(tenant, topic, subscriberId) {
      const key = `${tenant} ${topic}`;
      const event = waiting.get(key) ?? { tenant, topic, named: new Set() };
      if (subscriberId !== undefined) event.named.add(foldName(subscriberId));
      waiting.set(key, event);
      timer ??= setTimeout(() => void flush(), GATHER_MS).unref();
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
