// When keys were used last: gathered and written now and then, because no request should wait for it.
import type { Logger } from 'pino';
import { type Db, isDatabaseAway } from '../../../platform/db/database.ts';
import type { KeyState } from '../gate/index.ts';
import { recordUses } from './store.ts';

const FLUSH_MS = 2_000;
const MAX_AT_ONCE = 1_000;

export interface KeyUses {
  used(key: Pick<KeyState, 'tenantId' | 'keyId'>, from: string): void;
  stop(): Promise<void>;
}

export function createKeyUses(db: Db, log: Logger): KeyUses {
  let waiting = new Map<string, { tenant_id: string; key_id: string; at: string; from: string }>();
  let flushing: Promise<void> = Promise.resolve();
  const flush = async () => {
    if (waiting.size === 0) return;
    const uses = [...waiting.values()];
    waiting = new Map();
    for (let i = 0; i < uses.length; i += MAX_AT_ONCE) {
      await recordUses(db, uses.slice(i, i + MAX_AT_ONCE)).catch((error: unknown) => {
        log[isDatabaseAway(error) ? 'debug' : 'error']({ err: error }, 'uses of keys were lost');
      });
    }
  };
  const timer = setInterval(() => {
    flushing = flushing.then(flush);
  }, FLUSH_MS);
  timer.unref();
  return {
    used({ tenantId, keyId }, from) {
      waiting.set(keyId, {
        tenant_id: tenantId,
        key_id: keyId,
        at: new Date().toISOString(),
        from,
      });
    },
    async stop() {
      clearInterval(timer);
      await flushing.then(flush);
    },
  };
}
