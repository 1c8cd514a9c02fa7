// What was put into whose client, so that it comes out as it went in.
import type { OfferedMcpServer } from '@gatewarden/shared/wire/sync/mcp-offer.ts';
import type { PutIn } from '../enforcement/quarantine/edit-protocol.ts';

export interface SetUpRecord {
  /** Whose home, as discovery calls it. */
  owner: string;
  client: string;
  server_id: string;
  server: OfferedMcpServer;
  put: PutIn;
}
