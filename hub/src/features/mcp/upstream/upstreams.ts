// The interface of MCP servers behind the gateway, independent of revision and transport.
import type { RequestId, SubscriptionFilter } from '@modelcontextprotocol/client';
import type { Propagation } from '../../../platform/telemetry/trace-hooks.ts';
import type { ProtocolRevision, ResumePoint, RpcMessage } from '../protocol/index.ts';
import type { ServerCapabilities, SessionOwner, UpstreamTarget } from './targets.ts';

export interface UpstreamLimits {
  /** Timeout of requests other than calls: until the head of the response, and between its parts. */
  timeoutMs: number;
  /** Shortest idle timeout of a call while its server waits for input of the client. */
  clientInputMs: number;
  /** Bytes of a response or of an event. */
  maxBytes: number;
}

export interface UpstreamRequest {
  id: RequestId;
  method: string;
  params: Record<string, unknown> | undefined;
  /** Headers for a server of the revision 2026-07-28. */
  headers?: Record<string, string>;
  /** Trace context for the headers of the HTTP request. */
  propagation?: Propagation;
}

export interface OpenStreamOptions {
  /** Messages that a server of the revision 2026-07-28 sends on the stream. */
  filter: SubscriptionFilter;
  /** Position after which a legacy server resumes the stream. Updated with each event. */
  resumePoint: ResumePoint;
}

export interface Upstreams {
  /** Yields the server's messages, the response last. Throws RpcError without a response. */
  call(
    target: UpstreamTarget,
    owner: SessionOwner,
    request: UpstreamRequest,
    signal: AbortSignal,
  ): AsyncGenerator<RpcMessage>;
  /** Sends a notification, or the client's response to a request of the server. */
  send(
    target: UpstreamTarget,
    owner: SessionOwner,
    message: RpcMessage,
    signal: AbortSignal,
  ): Promise<void>;
  /** Ends the owner's session with the server. */
  endSession(target: UpstreamTarget, owner: SessionOwner): Promise<void>;
  /** Returns the server's revision, from a cache or by a probe. */
  revisionOf(target: UpstreamTarget, signal: AbortSignal): Promise<ProtocolRevision>;
  /** Fetches the current instructions; null without instructions. Throws RpcError. */
  fetchInstructions(
    target: UpstreamTarget,
    owner: SessionOwner,
    signal: AbortSignal,
  ): Promise<string | null>;
  /** Returns the capabilities. Begins a session with a legacy server if there is none. */
  fetchCapabilities(
    target: UpstreamTarget,
    owner: SessionOwner,
    signal: AbortSignal,
  ): Promise<ServerCapabilities>;
  /** Opens the stream of messages outside of responses, until the server ends it. False: the server has no such stream. */
  openStream(
    target: UpstreamTarget,
    owner: SessionOwner,
    options: OpenStreamOptions,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<RpcMessage> | false>;
}
