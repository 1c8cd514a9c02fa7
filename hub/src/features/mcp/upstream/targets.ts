// MCP servers as targets of requests, owners of sessions, and errors of servers.
import type { Decision, ToolRules } from '../access-policies/index.ts';
import { RPC, RpcError } from '../protocol/index.ts';

/** The timeouts of a call, which are settings of its server. */
export interface CallTimeouts {
  /** Longest time without a byte from the server. */
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
  /** True: the credential is the same for all users, so they receive the same. */
  isShared: boolean;
  /** The folded e-mail of the user; null: the caller is not identified. */
  email: string | null;
  /** Returns the credential headers. Throws CredentialRequiredError if the user must provide the credential. */
  credentials(): Promise<Record<string, string>>;
  /** Returns new credential headers after the server rejected these with 401. Throws RpcError without a new credential. */
  renewCredentials?(refused: Record<string, string>): Promise<Record<string, string>>;
}

/** The owner of sessions with servers: a client's session, or its token. */
export interface SessionOwner {
  hash: Buffer;
  capabilities: Record<string, unknown>;
  logLevel: string | null;
}

export interface Backend extends UpstreamTarget {
  tools: ToolRules | null;
  drift: 'flag' | 'hide';
  /** Evaluates the access policies for this caller; null: for the server as a whole. */
  evaluateAccess(tool: string | null): Decision;
  /** Returns whether the caller may use at least a part of the server. */
  hasAnyAccess(): boolean;
}

/** Capabilities of a server; null if this process has not requested them. */
export type ServerCapabilities = Record<string, unknown> | null;

/** The user must provide or renew a credential. The server did not fail. */
export class CredentialRequiredError extends RpcError {
  /** The message without the URL. */
  readonly reason: string;
  /** The page on which the user provides the credential; null without a signed-in user. */
  readonly url: string | null;

  constructor(reason: string, url: string | null, status = 200) {
    super(
      RPC.upstream,
      url === null ? reason : `${reason} Open ${url}`,
      url === null ? { status } : { data: { url }, status },
    );
    this.reason = reason;
    this.url = url;
  }
}

/** The user was removed; the credential is still stored. */
export class UserRemovedError extends CredentialRequiredError {
  constructor() {
    super('The user no longer has access.', null, 401);
  }
}

/** An access policy denies the server to the user; the credential is still stored. */
export class ServerDeniedError extends CredentialRequiredError {
  constructor(name: string) {
    super(`Your access to the MCP server "${name}" was removed.`, null);
  }
}

/** The server rejects the client's own token, so the client receives the same status. */
export class TokenRejectedError extends RpcError {
  constructor() {
    super(RPC.upstream, 'The server rejected the token.', { status: 401 });
  }
}

/** The server is unreachable. Only this error opens the circuit breaker. */
export class ServerUnreachableError extends RpcError {
  constructor(target: Pick<UpstreamTarget, 'name'>, why: string | null = null) {
    const { code, message } = unavailableError(target, why);
    super(code, message);
  }
}

/** The connection ended before the response began. */
export class ConnectionLostError extends RpcError {
  constructor(target: Pick<UpstreamTarget, 'name'>) {
    const { code, message } = unavailableError(
      target,
      'it closed the connection without a response',
    );
    super(code, message);
  }
}

/** The server was reached, but its response is invalid. Other requests may succeed. */
export class InvalidResponseError extends RpcError {
  constructor(target: Pick<UpstreamTarget, 'name'>, why: string) {
    const { code, message } = unavailableError(target, why);
    super(code, message);
  }
}

/** The server rejects `initialize` with a status that is typical of the revision 2024-11-05. */
export class InitializeRejectedError extends InvalidResponseError {}

const MIB = 1024 * 1024;

/** The response exceeds the size cap. The message contains the limit and the bytes read. */
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

/** Returns whether the failure proves that the server was reached. */
export const isServerReached = (error: unknown): boolean =>
  error instanceof InvalidResponseError ||
  error instanceof ResponseTooLargeError ||
  error instanceof TokenRejectedError;

/** Statuses of a proxy whose server is unreachable. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);

/** Returns the error for a response with this status and without a message. */
export function statusError(
  target: Pick<UpstreamTarget, 'name'>,
  status: number,
  words = `it responded with ${status}`,
): RpcError {
  return GATEWAY_STATUSES.has(status)
    ? new ServerUnreachableError(target, words)
    : new InvalidResponseError(target, words);
}

/** Returns the error for a server without a result. The message contains the server's name, never its response. */
export function unavailableError(
  target: Pick<UpstreamTarget, 'name'>,
  why: string | null,
): RpcError {
  const reason = why ?? "it can't be reached";
  return new RpcError(RPC.upstream, `The MCP server "${target.name}" is not available: ${reason}.`);
}

const TIMED_OUT = "it didn't respond in time";
export const timeoutError = (target: Pick<UpstreamTarget, 'name'>) => () =>
  new ServerUnreachableError(target, TIMED_OUT);
