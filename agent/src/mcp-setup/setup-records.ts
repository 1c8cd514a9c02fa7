// Records of servers that were set up in clients, by which they are removed exactly.
import type { OfferedMcpServer } from '@gatewarden/shared/wire/sync/mcp-offer.ts';
import type { PutIn } from '../enforcement/quarantine/edit-protocol.ts';

export interface SetUpRecord {
  /** Owner of the home, as discovery names owners. */
  owner: string;
  client: string;
  server_id: string;
  server: OfferedMcpServer;
  put: PutIn;
}
