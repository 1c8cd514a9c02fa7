// Records whether servers respond, from the calls and lists of the gateway. Each hub process records what it sees; the last
// contact counts.
import type { Db } from '../../../platform/db/database.ts';
import { notify } from '../../../platform/feed/feed.ts';
import { type Contact, storeContact } from './store.ts';

/** Interval of writes while the state of a server stays the same. */
const REPEAT_MS = 60_000;
const SERVERS_MAX = 10_000;

export interface ContactedServer {
  tenantId: string;
  backendId: string;
}

export interface HealthRecorder {
  /** Stores the contact, unless an equal state was stored in the last minute. Never throws, and the caller does not wait. */
  observe(server: ContactedServer, state: Contact['state'], error: string | null): void;
  /** Stores the contact at once. */
  record(server: ContactedServer, contact: Contact): Promise<void>;
}

/** Returns the recorder of this process. */
export function createHealthRecorder(db: Db, nowMs: () => number): HealthRecorder {
  const stored = new Map<string, { state: Contact['state']; atMs: number }>();
  const record = async (server: ContactedServer, contact: Contact) => {
    const { tenantId, backendId } = server;
    const before = stored.get(backendId);
    stored.delete(backendId);
    stored.set(backendId, { state: contact.state, atMs: nowMs() });
    for (const oldest of stored.keys()) {
      if (stored.size <= SERVERS_MAX) break;
      stored.delete(oldest);
    }
    await storeContact(db, tenantId, backendId, contact);
    if (before?.state === contact.state && contact.toolCount === null) return;
    await notify(db, { kind: 'page', tenant: tenantId, topic: 'mcp' });
  };
  return {
    record,
    observe(server, state, error) {
      const before = stored.get(server.backendId);
      if (before?.state === state && before.atMs > nowMs() - REPEAT_MS) return;
      // The health of a server is no reason to fail its call.
      record(server, { state, error, toolCount: null }).catch(() => undefined);
    },
  };
}
