// What open pages are told. Ingest would notify thousands of times a minute, so the same (tenant, topic) is told
// at most once in a short while, and always after the last change.

import { foldName } from '@gatewarden/shared/names.ts';
import type { PageTopic } from '@gatewarden/shared/wire/console/events.ts';
import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { notify } from './feed.ts';

const GATHER_MS = 250;
/** More at once are told only to those who see all: a notice holds 8 kB. */
const NAMED_MAX = 20;

export interface PageEvents {
  /** Says that this topic of the tenant changed, by a device of this subscriber; returns at once. */
  announce(tenantId: string, topic: PageTopic, subscriberId?: string): void;
  /** Tells what waits. */
  stop(): Promise<void>;
}

export function createPageEvents(db: Db, log: Logger): PageEvents {
  const waiting = new Map<string, { tenant: string; topic: PageTopic; named: Set<string> }>();
  let timer: NodeJS.Timeout | null = null;
  const flush = async () => {
    timer = null;
    const events = [...waiting.values()];
    waiting.clear();
    for (const { named, ...event } of events) {
      const of = named.size === 0 || named.size > NAMED_MAX ? {} : { of: [...named] };
      await notify(db, { kind: 'page', ...event, ...of }).catch((error: unknown) => {
        // Pages reload everything when the database is back, so nothing is lost for good.
        log.debug({ err: error }, 'a page event was not told');
      });
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
