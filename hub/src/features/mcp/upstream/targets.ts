// Servers behind the gateway, and whose sessions with them are used.
import type { Decision, ToolRules } from '../access-policies/index.ts';
import { RPC, RpcError } from '../protocol/index.ts';

/** The timeouts of a call, which are settings of its server. */
export interface CallTimeouts {
  /** The longest time in which nothing arrives from the server. */
  idleMs: number;
  totalMs: number;
}

export interface UpstreamTarget {
  tenantId: string;
  backendId: string;
  slug: string;
  name: string;
  url: string;
  version: number;
  timeouts: CallTimeouts;
  /** Whether everybody gets the same from it: its credential is nobody's own. */
  isShared: boolean;
  /** Folded; whose access it is. Null: of nobody who has a name. */
  email: string | null;
  /** What the gateway sends to be let in, opened when it is needed. Throws KeyMissing where the person has to give it. */
  credentials(): Promise<Record<string, string>>;
  /** What to send instead of what the server refused with 401. Throws RpcError where there is nothing. */
  renewCredentials?(refused: Record<string, string>): Promise<Record<string, string>>;
}

/** Whose session with the upstream it is: a client's session, or its token. */
export interface SessionOwner {
  hash: Buffer;
  capabilities: Record<string, unknown>;
  logLevel: string | null;
}

export interface Backend extends UpstreamTarget {
  tools: ToolRules | null;
  drift: 'flag' | 'hide';
  /** What the company's rules say to this caller; null: of the server as a whole. */
  evaluateAccess(tool: string | null): Decision;
  /** Whether they leave this caller anything there. */
  hasAnyAccess(): boolean;
}

/** What a server says that it can do; null where it was not asked in this process. */
export type ServerCapabilities = Record<string, unknown> | null;

/** The person has to give something first, or again: no fault of the server. */
export class CredentialRequiredError extends RpcError {
  /** Without the address. */
  readonly reason: string;
  /** Where the person does it; null where it is nobody's who signed in. */
  readonly url: string | null;

  constructor(words: string, url: string | null, status = 200) {
    super(
      RPC.upstream,
      url === null ? words : `${words} Open ${url}`,
      url === null ? { status } : { data: { url }, status },
    );
    this.reason = words;
    this.url = url;
  }
}

/** What they gave is still there, and opens nothing: they may not be here any more. */
export class UserRemovedError extends CredentialRequiredError {
  constructor() {
    super('The user no longer has access.', null, 401);
  }
}

/** What they gave is still there; a rule of the tenant keeps all of the server from them now. */
export class ServerDeniedError extends CredentialRequiredError {
  constructor(name: string) {
    super(`Your access to the MCP server "${name}" was removed.`, null);
  }
}

/** The server refuses the client's own token: the client has to be told as if it were asked itself. */
export class TokenRejectedError extends RpcError {
  constructor() {
    super(RPC.upstream, 'The server rejected the token.', { status: 401 });
  }
}

/** The server cannot be reached: only this counts for its circuit breaker. */
export class ServerUnreachableError extends RpcError {
  constructor(target: Pick<UpstreamTarget, 'name'>, why: string | null = null) {
    const { code, message } = unavailableError(target, why);
    super(code, message);
  }
}

/** The connection ended before an answer began. */
export class ConnectionLostError extends RpcError {
  constructor(target: Pick<UpstreamTarget, 'name'>) {
    const { code, message } = unavailableError(
      target,
      'it closed the connection without a response',
    );
    super(code, message);
  }
}

/** The server was reached, and its answer to this request is no result: other requests may fare better. */
export class InvalidResponseError extends RpcError {
  constructor(target: Pick<UpstreamTarget, 'name'>, why: string) {
    const { code, message } = unavailableError(target, why);
    super(code, message);
  }
}

/** The server answers `initialize` with a status that servers of the revision 2024-11-05 give. */
export class InitializeRejectedError extends InvalidResponseError {}

const MIB = 1024 * 1024;

/** The answer is larger than the gateway reads; names the limit and how much was read, both in bytes. */
export class ResponseTooLargeError extends RpcError {
  constructor(
    { name }: Pick<UpstreamTarget, 'name'>,
    { bytes, limit }: { bytes: number; limit: number },
  ) {
    super(
      RPC.upstream,
      `The response of the MCP server "${name}" is too large: the limit is ${limit} bytes (${limit / MIB} MiB), and ${bytes} bytes were read.`,
    );
  }
}

/** A call exceeded a timeout of its server. */
export class UpstreamTimeoutError extends RpcError {
  constructor(
    { name, timeouts }: Pick<UpstreamTarget, 'name' | 'timeouts'>,
    limit: 'idle' | 'total',
  ) {
    const seconds = timeouts[limit === 'idle' ? 'idleMs' : 'totalMs'] / 1000;
    const what =
      limit === 'idle'
        ? `sent nothing for ${seconds} s, its idle timeout`
        : `did not finish within ${seconds} s, its total timeout`;
    super(
      RPC.upstream,
      `The call took too long: the MCP server "${name}" ${what}. An admin can raise the timeout in the server's settings.`,
    );
  }
}

/** Whether the failure shows that the server is there. */
export const isServerReached = (error: unknown): boolean =>
  error instanceof InvalidResponseError ||
  error instanceof ResponseTooLargeError ||
  error instanceof TokenRejectedError;

/** Proxies answer these for a server that they cannot reach. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** Returns the error for an answer with this status and without a message. */
export function statusError(
  target: Pick<UpstreamTarget, 'name'>,
  status: number,
  words = `it responded with ${status}`,
): RpcError {
  return GATEWAY_STATUSES.has(status)
    ? new ServerUnreachableError(target, words)
    : new InvalidResponseError(target, words);
}

/** Returns the error for a server that gives no result: names the server, and never what it sent. */
export function unavailableError(
  target: Pick<UpstreamTarget, 'name'>,
  why: string | null,
): RpcError {
  const reason = why ?? "it can't be reached";
  return new RpcError(RPC.upstream, `The MCP server "${target.name}" is not available: ${reason}.`);
}

const TOO_LATE = "it didn't respond in time";
export const timeoutError = (target: Pick<UpstreamTarget, 'name'>) => () =>
  new ServerUnreachableError(target, TOO_LATE);
