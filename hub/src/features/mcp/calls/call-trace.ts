// The record of a request for log and metrics.
import type { AccessReason } from '@gatewarden/shared/wire/console/call-why.ts';
import type { GuardrailFindings } from '../guardrails/index.ts';
import type { RpcError, RpcMessage } from '../protocol/index.ts';
import type { CalledBackend } from './call-log.ts';

/** Record of a request for the log. Steps of the pipeline fill it. */
export interface CallTrace {
  method: string;
  backend: CalledBackend | null;
  /** Null: the request is not a tool call. */
  tool: string | null;
  /** Arguments of a tool call, or parameters of another request. */
  arguments: unknown;
  /** Null: no guardrail applies. */
  findings: GuardrailFindings | null;
  /** The decision about access. Null: the request failed before. */
  access: (AccessReason & { backend_version: number }) | null;
}

/** A request with its trace and ids. */
export interface RecordedRequest {
  message: RpcMessage;
  trace: CallTrace | null;
  /** Milliseconds since 1970. */
  startedAt: number;
  requestId: string;
  eventId: string;
}

/** The end of a request. */
export interface RequestEnd {
  response: RpcMessage | null;
  failure: RpcError | null;
}
