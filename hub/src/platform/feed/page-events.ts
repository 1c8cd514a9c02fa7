// What open pages are told. Ingest would notify thousands of times a minute, so the same (tenant, topic) is told
// at most once in a short while, and always after the last change.

import type { PageTopic } from '@gatewarden/shared/wire/console/events.ts';
import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { notify } from './feed.ts';

const GATHER_MS = 250;

export interface PageEvents {
  /** Says that this topic of the tenant changed; returns at once. */
  announce(tenantId: string, topic: PageTopic): void;
  /** Tells what waits. */
  stop(): Promise<void>;
}

export function createPageEvents(db: Db, log: Logger): PageEvents {
  const waiting = new Map<string, { tenant: string; topic: PageTopic }>();
  let timer: NodeJS.Timeout | null = null;
  const flush = async () => {
    timer = null;
    const events = [...waiting.values()];
    waiting.clear();
    for (const event of events) {
      await notify(db, { kind: 'page', ...event }).catch((error: unknown) => {
        // Pages reload everything when the database is back, so nothing is lost for good.
        log.debug({ err: error }, 'a page event was not told');
      });
    }
  };
  return {
    announce(tenant, topic) {
      waiting.set(`${tenant} ${topic}`, { tenant, topic });
      timer ??= setTimeout(() => void flush(), GATHER_MS).unref();
    },
    async stop() {
      if (timer !== null) clearTimeout(timer);
      await flush();
    },
  };
}
