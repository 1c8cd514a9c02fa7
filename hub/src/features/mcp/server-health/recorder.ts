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
  /**
   * Stores the contact, unless an equal state was stored in the last minute. A failed write is repeated with the next
   * contact. Never throws, and the caller does not wait.
   */
  observe(server: ContactedServer, state: Contact['state'], error: string | null): void;
  /** Stores the contact at once. */
  record(server: ContactedServer, contact: Contact): Promise<void>;
}

/** Returns the recorder of this process. */
export function createHealthRecorder(db: Db, nowMs: () => number): HealthRecorder {
  /** The last contact of each server that is stored, or that a write in flight stores. */
  const lastContacts = new Map<string, { state: Contact['state']; atMs: number }>();
  const record = async ({ tenantId, backendId }: ContactedServer, contact: Contact) => {
    const previous = lastContacts.get(backendId);
    const current = { state: contact.state, atMs: nowMs() };
    lastContacts.delete(backendId);
    lastContacts.set(backendId, current);
    for (const oldest of lastContacts.keys()) {
      if (lastContacts.size <= SERVERS_MAX) break;
      lastContacts.delete(oldest);
    }
    try {
      await storeContact(db, tenantId, backendId, contact);
      if (previous?.state === contact.state && contact.toolCount === null) return;
      await notify(db, { kind: 'page', tenant: tenantId, topic: 'mcp' });
    } catch (error) {
      // The next contact is stored, unless a newer contact is in flight.
      if (lastContacts.get(backendId) === current) lastContacts.delete(backendId);
      throw error;
    }
  };
  return {
    record,
    observe(server, state, error) {
      const previous = lastContacts.get(server.backendId);
      if (previous?.state === state && previous.atMs > nowMs() - REPEAT_MS) return;
      // The health of a server is no reason to fail its call.
      record(server, { state, error, toolCount: null }).catch(() => undefined);
    },
  };
}
