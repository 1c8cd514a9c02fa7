// Servers behind the gateway, and whose sessions with them are used.
import type { Decision, ToolRules } from '../rules/index.ts';
import { RPC, RpcError } from './messages.ts';

export interface Target {
  tenantId: string;
  backendId: string;
  slug: string;
  name: string;
  url: string;
  version: number;
  /** Whether everybody gets the same from it: its credential is nobody's own. */
  isShared: boolean;
  /** Folded; whose access it is. Null: of nobody who has a name. */
  email: string | null;
  /** What the gateway sends to be let in, opened when it is needed. Throws KeyMissing where the person has to give it. */
  credentials(): Promise<Record<string, string>>;
  /** What to send instead of what the server refused with 401. Throws RpcError where there is nothing. */
  credentialsAfter?(refused: Record<string, string>): Promise<Record<string, string>>;
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
  /** What the company's rules say to this caller; null: of the server as a whole. */
  ruled(tool: string | null): Decision;
  /** Whether they leave this caller anything there. */
  reaches(): boolean;
}

/** What a server says that it can do; null where it was not asked in this process. */
export type ServerCapabilities = Record<string, unknown> | null;

/** The person has to give something first, or again: no fault of the server. */
export class KeyMissing extends RpcError {
  /** Without the address. */
  readonly words: string;
  /** Where the person does it; null where it is nobody's who signed in. */
  readonly url: string | null;

  constructor(words: string, url: string | null, status = 200) {
    super(
      RPC.upstream,
      url === null ? words : `${words} Open ${url}`,
      url === null ? { status } : { data: { url }, status },
    );
    this.words = words;
    this.url = url;
  }
}

/** What they gave is still there, and opens nothing: they may not be here any more. */
export class PersonGone extends KeyMissing {
  constructor() {
    super('The person has no access any more.', null, 401);
  }
}

/** What they gave is still there; a rule of the tenant keeps all of the server from them now. */
export class ServerDenied extends KeyMissing {
  constructor(name: string) {
    super(`No rule lets you use the MCP server "${name}" any more.`, null);
  }
}

/** The server refuses the client's own token: the client has to be told as if it were asked itself. */
export class TokenRefused extends RpcError {
  constructor() {
    super(RPC.upstream, 'The server does not accept the token.', { status: 401 });
  }
}

/** The server answered, and would not have this request: another person's, or another one, it may. */
class NotTaken extends RpcError {}

/** Nothing that says how the server is for others. */
export const isNoFault = (error: unknown): boolean =>
  error instanceof KeyMissing || error instanceof TokenRefused || error instanceof NotTaken;

/** What a client is told of a server that answered with this status and no message. */
export function refusedWith(
  target: Pick<Target, 'name'>,
  status: number,
  words = `it answered ${status}`,
): RpcError {
  const error = unreachable(target, words);
  return status >= 400 && status < 500 ? new NotTaken(error.code, error.message) : error;
}

/** What a client is told of a server that does not do its part: which one, never what it said. */
export function unreachable(target: Pick<Target, 'name'>, why: string | null): RpcError {
  const reason = why ?? 'it cannot be reached';
  return new RpcError(RPC.upstream, `The MCP server "${target.name}" is not available: ${reason}.`);
}

const TOO_LATE = 'it did not answer in time';
export const late = (target: Pick<Target, 'name'>) => () => unreachable(target, TOO_LATE);

/** What was sent may have come: the server may still be at work on it. */
export class TooLate extends RpcError {
  constructor(target: Pick<Target, 'name'>) {
    const { code, message } = unreachable(target, TOO_LATE);
    super(code, message);
  }
}
