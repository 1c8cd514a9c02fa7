// Servers behind the gateway, and whose sessions with them are used.
import { RPC, RpcError } from './messages.ts';
import type { ToolRules } from './names.ts';

export interface Target {
  tenantId: string;
  backendId: string;
  slug: string;
  name: string;
  url: string;
  version: number;
  /** What the gateway sends to be let in, opened when it is needed; null: this person has not given it. */
  credentials(): Promise<Record<string, string> | null>;
}

/** Whose session with the upstream it is: a client's session, or its token. */
export interface Owner {
  hash: Buffer;
  capabilities: Record<string, unknown>;
  logLevel: string | null;
}

export interface Backend extends Target {
  tools: ToolRules | null;
  drift: 'flag' | 'hide';
  /** Whether everybody gets the same from it: its credential is nobody's own. */
  isShared: boolean;
}

/** What a server says that it can do; null where it was not asked in this process. */
export type ServerCapabilities = Record<string, unknown> | null;

/** The server asks each person for a key, and this one has given none: no fault of the server. */
export class KeyMissing extends RpcError {
  constructor(name: string) {
    super(
      RPC.upstream,
      `The MCP server "${name}" asks for a key of your own: add it in the console, under your connections.`,
    );
  }
}

/** What a client is told of a server that does not do its part: which one, never what it said. */
export function unreachable(target: Pick<Target, 'name'>, why: string | null): RpcError {
  const reason = why ?? 'it cannot be reached';
  return new RpcError(RPC.upstream, `The MCP server "${target.name}" is not available: ${reason}.`);
}
