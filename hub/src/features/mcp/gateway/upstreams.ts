// What the gateway asks of the servers behind it, whatever revision and transport they speak.
import type { Id, Rpc } from './messages.ts';
import type { Era } from './revisions.ts';
import type { Filter } from './server-messages.ts';
import type { Place } from './sse.ts';
import type { Owner, ServerCapabilities, Target } from './targets.ts';

export interface UpstreamLimits {
  /** Of everything but calls, until the answer begins, and between its parts. */
  timeoutMs: number;
  /** The shortest idle timeout of a call whose server waits for what it asked the client. */
  askedMs: number;
  /** Of an answer, or of one event. */
  maxBytes: number;
}

export interface UpstreamRequest {
  id: Id;
  method: string;
  params: Record<string, unknown> | undefined;
  /** Of the newest revision: sent along. */
  headers?: Record<string, string>;
}

export interface Upstreams {
  /** The server's messages, the answer to this request last. Throws RpcError where there is none. */
  call(
    target: Target,
    owner: Owner,
    request: UpstreamRequest,
    signal: AbortSignal,
  ): AsyncGenerator<Rpc>;
  /** A notification, or the client's answer to the server's own request. */
  tell(target: Target, owner: Owner, message: Rpc, signal: AbortSignal): Promise<void>;
  /** The owner's session with the server is over. */
  end(target: Target, owner: Owner): Promise<void>;
  eraOf(target: Target, signal: AbortSignal): Promise<Era>;
  /** What the server says now of how to use it; null where it says nothing. Throws RpcError. */
  instructionsOf(target: Target, owner: Owner, signal: AbortSignal): Promise<string | null>;
  /** Begins a session where there is none yet. */
  capabilitiesOf(target: Target, owner: Owner, signal: AbortSignal): Promise<ServerCapabilities>;
  /**
   * What the server says of its own accord, until it ends the stream: of the newest revision what `filter` names. Gives
   * false where it offers no such stream. `place`: where an earlier one broke off.
   */
  follow(
    target: Target,
    owner: Owner,
    ask: { filter: Filter; place: Place },
    signal: AbortSignal,
  ): Promise<AsyncGenerator<Rpc> | false>;
}
