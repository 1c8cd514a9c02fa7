// An MCP tool call as it is stored: every field of the exported event, redacted, and beside it what lists filter.

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

/** What the hub's own gateway decided of a call, as it stood then. Kept beside the event, and never exported. */
export interface Decided {
  /** The direct API token that it came with. */
  token_id: string | null;
  backend_version: number | null;
  /** Null: it was refused before that was asked. */
  access: AccessReason | null;
  /** The person's word that let it through. */
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
  /** As JSON text. */
  decided: string | null;
  /** What was asked where that was no call of a tool: people find such a row, and no export has it. */
  method: string | null;
  /** The same call at another time: the one that it was stored under first. */
  placedAt(at: Micros): ToolCallRow;
}

/** Whose log a row is in, and in whose name. */
export type LoggedFor = Pick<ToolCallRow, 'tenant_id' | 'user_email'>;

export interface ToolCallSurroundings {
  tenantId: string;
  backend: KnownBackend | null;
  storePayloads: boolean;
  /** The node that told of it; left out: the hub's own gateway did. */
  nodeId?: string;
  decided?: Decided;
  /** Left out: `tools/call`. */
  method?: string;
}

/** The event begins with `{"request":{`, where the export puts the row's `log_id`. */
export function toolCallRow(
  line: ToolCallLine,
  at: Micros,
  around: ToolCallSurroundings,
): ToolCallRow {
  const redacted = redact(toolCallEvent(line, at, around)) as ReturnType<typeof toolCallEvent>;
  const text = jsonLine(redacted);
  const event = sanitizeText(redacted, text);
  const { request, backend, guardrails, metadata } = event;
  const { extra_data: extra } = metadata;
  return {
    tenant_id: around.tenantId,
    at,
    event_id: line.event_id.toLowerCase(),
    backend_id: around.backend?.backend_id ?? null,
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
    node_id: around.nodeId ?? null,
    decided: around.decided === undefined ? null : JSON.stringify(around.decided),
    method: around.method ?? null,
    placedAt: (first) => toolCallRow(line, first, around),
  };
}

function toolCallEvent(
  line: ToolCallLine,
  at: Micros,
  { backend, storePayloads }: ToolCallSurroundings,
) {
  const { request } = line;
  const completed = request.completed_at ?? null;
  const completedAt = completed === null ? null : parseMicros(completed);
  const duration = completedAt === null || completedAt < at ? null : (completedAt - at) / 1_000;
  const payload = storePayloads ? (line.payload ?? {}) : {};
  const metadata = line.metadata ?? {};
  return {
    request: {
      id: request.id === undefined || request.id === null ? null : String(request.id),
      started_at: microsText(at),
      completed_at: completedAt === null ? null : microsText(completedAt),
      duration_ms: request.duration_ms ?? duration,
    },
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
    metadata: {
      user_email: metadata.user_email ?? null,
      agent: metadata.agent ?? null,
      extra_data: metadata.extra_data ?? {},
    },
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
