// Write-behind buffer of the last use of keys.
import type { Logger } from 'pino';
import type { Db } from '../../../platform/db/database.ts';
import { createWriteBehindBuffer } from '../../../platform/db/write-behind-buffer.ts';
import type { KeyState } from '../auth/index.ts';
import { recordUses } from './store.ts';

export interface KeyUses {
  used(key: Pick<KeyState, 'tenantId' | 'keyId'>, from: string): void;
  stop(): Promise<void>;
}

export function createKeyUses(db: Db, log: Logger): KeyUses {
  const uses = createWriteBehindBuffer<Parameters<typeof recordUses>[1][number]>({
    log,
    description: 'uses of keys',
    write: (values) => recordUses(db, values),
  });
  return {
    used({ tenantId, keyId }, from) {
      uses.put(keyId, {
        tenant_id: tenantId,
        key_id: keyId,
        at: new Date().toISOString(),
        from,
      });
    },
    stop: uses.stop,
  };
}
