// An MCP tool call as a row: the exported event, redacted, and the columns for filters.

import { REDACTION_VERSION, redact } from '@gatewarden/shared/redaction/redact.ts';
import type { AccessReason } from '@gatewarden/shared/wire/console/call-why.ts';
import type { ToolCallLine } from '@gatewarden/shared/wire/nodes/logs.ts';
import { sanitizeText } from '../../../platform/db/text-sanitizing.ts';
import { jsonLine } from './json-line.ts';
import { foldEmail } from './llm.ts';
import { type Micros, microsText, parseMicros } from './times.ts';

export interface KnownBackend {
  backend_id: string;
  name: string;
}

/** The decision of the hub's own gateway about a call, as of that time. Stored beside the event and never exported. */
export interface Decided {
  /** The direct API token of the call. */
  token_id: string | null;
  backend_version: number | null;
  /** Null if the call was refused before access was evaluated. */
  access: AccessReason | null;
  /** The human approval that admitted the call. */
  approval_id: string | null;
}

export interface ToolCallRow {
  tenant_id: string;
  at: Micros;
  event_id: string;
  backend_id: string | null;
  backend_name: string;
  user_email: string | null;
  extra_email: string | null;
  conversation_id: string | null;
  rpc_id: string | null;
  tool_name: string | null;
  is_blocked: boolean;
  is_completed: boolean;
  success: boolean | null;
  redaction_version: number;
  event: string;
  node_id: string | null;
  /** JSON text. */
  decided: string | null;
  /** The method, if it was another than `tools/call`: such rows are listed and never exported. */
  method: string | null;
  /** Returns the call with the time under which it was stored first. */
  withStartTime(at: Micros): ToolCallRow;
}

/** The tenant and the user of a row. */
export type LoggedFor = Pick<ToolCallRow, 'tenant_id' | 'user_email'>;

export interface ToolCallContext {
  tenantId: string;
  backend: KnownBackend | null;
  storePayloads: boolean;
  /** The node that sent the line; omitted for the hub's own gateway. */
  nodeId?: string;
  decided?: Decided;
  /** Omitted for `tools/call`. */
  method?: string;
}

/** Returns the row of a line. The event begins with `{"request":{`, where the export inserts the row's `log_id`. */
export function toolCallRow(line: ToolCallLine, at: Micros, context: ToolCallContext): ToolCallRow {
  const redacted = redact(toolCallEvent(line, at, context)) as ReturnType<typeof toolCallEvent>;
  const text = jsonLine(redacted);
  const event = sanitizeText(redacted, text);
  const { request, backend, guardrails, metadata } = event;
  const { extra_data: extra } = metadata;
  return {
    tenant_id: context.tenantId,
    at,
    event_id: line.event_id.toLowerCase(),
    backend_id: context.backend?.backend_id ?? null,
    backend_name: backend.name,
    user_email: foldEmail(metadata.user_email),
    extra_email: foldEmail(extra.user_email),
    conversation_id: typeof extra.conversation_id === 'string' ? extra.conversation_id : null,
    rpc_id: request.id,
    tool_name: event.tool.name,
    is_blocked: guardrails.input.is_blocked || guardrails.output.is_blocked,
    is_completed: request.completed_at !== null,
    success: event.response.success,
    redaction_version: REDACTION_VERSION,
    event: event === redacted ? text : jsonLine(event),
    node_id: context.nodeId ?? null,
    decided: context.decided === undefined ? null : JSON.stringify(context.decided),
    method: context.method ?? null,
    withStartTime: (first) => toolCallRow(line, first, context),
  };
}

function toolCallEvent(
  line: ToolCallLine,
  at: Micros,
  { backend, storePayloads }: ToolCallContext,
) {
  const payload = storePayloads ? (line.payload ?? {}) : {};
  return {
    request: requestFields(line.request, at),
    backend: {
      id: backend?.backend_id ?? line.backend.id?.toLowerCase() ?? '',
      name: backend?.name ?? line.backend.name ?? line.backend.id ?? '',
    },
    auth: { mode: line.auth?.mode ?? null },
    tool: { name: line.tool?.name ?? null },
    guardrails: {
      input: guardrail(line.guardrails?.input),
      output: guardrail(line.guardrails?.output),
    },
    payload: {
      tool_arguments: payload.tool_arguments ?? null,
      response_content: payload.response_content ?? null,
    },
    response: {
      success: line.response?.success ?? null,
      error_message: line.response?.error_message ?? null,
    },
    metadata: metadataFields(line.metadata),
  };
}

function requestFields(request: ToolCallLine['request'], at: Micros) {
  const completed = request.completed_at ?? null;
  const completedAt = completed === null ? null : parseMicros(completed);
  const duration = completedAt === null || completedAt < at ? null : (completedAt - at) / 1_000;
  return {
    id: request.id === undefined || request.id === null ? null : String(request.id),
    started_at: microsText(at),
    completed_at: completedAt === null ? null : microsText(completedAt),
    duration_ms: request.duration_ms ?? duration,
  };
}

function metadataFields(metadata: ToolCallLine['metadata']) {
  return {
    user_email: metadata?.user_email ?? null,
    agent: metadata?.agent ?? null,
    extra_data: metadata?.extra_data ?? {},
  };
}

type SentGuardrail = NonNullable<NonNullable<ToolCallLine['guardrails']>['input']>;

function guardrail(sent: SentGuardrail | null | undefined) {
  return {
    outcome: sent?.outcome ?? null,
    is_blocked: sent?.is_blocked ?? false,
    predictions: sent?.predictions ?? null,
  };
}
