// POST /node/v1/logs/…: NDJSON with a line for each LLM request or MCP tool call, in the shape of the export. Unknown
// fields are dropped; an absent section or field means "not known".
import { type Static, type TSchema, Type } from 'typebox';
import { Dictionary, Nullable, OneOf, OptionalNullable, ShortText, Uuid } from '../common.ts';

/** The size limit of a request in bytes, both as sent and decompressed. */
export const LOG_BATCH_BYTES = 8 * 1024 * 1024;
export const LOG_BATCH_LINES = 1_000;

/** A time in RFC 3339 with any offset, years 1970 to 2199. */
const LogInstant = Type.String({
  description: 'a time with its offset like 2026-01-31T12:00:00.123Z, years 1970 to 2199',
  pattern:
    '^(19[7-9]\\d|2[01]\\d{2})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])[Tt]([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,12})?([Zz]|[+-]([01]\\d|2[0-3]):[0-5]\\d)$',
});

const Label = Type.String({ maxLength: 1_000 });
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Milliseconds = Type.Number({ minimum: 0 });
const AnyObject = Type.Record(Type.String(), Type.Unknown());
const Content = Type.Union([AnyObject, Type.Array(Type.Unknown()), Type.String()]);
const Section = <T extends Record<string, TSchema>>(members: T) =>
  OptionalNullable(Type.Object(members));
const tenant_id = Type.Optional(Uuid);

export const LlmRequestLine = Type.Object(
  {
    tenant_id,
    app: Type.Object({
      id: Type.Optional(Uuid),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
      /** The app key of the request, from the node's configuration. The hub shows its last use. */
      key_id: OptionalNullable(Uuid),
    }),
    request: Type.Object({
      id: ShortText,
      timestamp: LogInstant,
      endpoint: Type.String({ maxLength: 8_192 }),
      model: OptionalNullable(Label),
      provider: OptionalNullable(Label),
      stream: Type.Optional(Type.Boolean()),
      status_code: OptionalNullable(Type.Integer({ minimum: 100, maximum: 999 })),
      error_type: OptionalNullable(Type.String()),
      error_message: OptionalNullable(Type.String()),
    }),
    tokens: Section({
      request: OptionalNullable(Count),
      response: OptionalNullable(Count),
      cache_read: OptionalNullable(Count),
      cache_write: OptionalNullable(Count),
      reasoning: OptionalNullable(Count),
      max_requested: OptionalNullable(Count),
    }),
    latency_ms: Section({
      upstream: OptionalNullable(Milliseconds),
      gw_processing: OptionalNullable(Milliseconds),
      guardrails: OptionalNullable(Milliseconds),
      first_response: OptionalNullable(Milliseconds),
      total: OptionalNullable(Milliseconds),
    }),
    guardrails: Section({
      outcome: OptionalNullable(Label),
      is_blocked: Type.Optional(Type.Boolean()),
      is_anonymized: Type.Optional(Type.Boolean()),
      // Shape: {action: {category: [subcategory, …]}}.
      actions_and_categories: OptionalNullable(Dictionary(Dictionary(Type.Array(Type.String())))),
      request_predictions: OptionalNullable(Type.Array(Type.Unknown())),
      response_predictions: OptionalNullable(Type.Array(Type.Unknown())),
    }),
    payload: Section({
      hydration_status: Type.Optional(OneOf(['complete', 'missing_prediction'] as const)),
      request_text: OptionalNullable(Content),
      response_text: OptionalNullable(Content),
    }),
    metadata: Section({
      user_email: OptionalNullable(Label),
      conversation_id: OptionalNullable(Label),
      client_ip: OptionalNullable(Label),
      extra_data: OptionalNullable(AnyObject),
      sdk: OptionalNullable(AnyObject),
    }),
    routing: Section({ group_id: OptionalNullable(Label), mode: OptionalNullable(Label) }),
    telemetry: Section({
      processing_times: OptionalNullable(AnyObject),
      chunk_funnel: OptionalNullable(AnyObject),
    }),
  },
  { title: 'LlmRequestLine' },
);
export type LlmRequestLine = Static<typeof LlmRequestLine>;

const Guardrail = OptionalNullable(
  Type.Object({
    outcome: OptionalNullable(Label),
    is_blocked: Type.Optional(Type.Boolean()),
    predictions: OptionalNullable(Type.Array(Type.Unknown())),
  }),
);

export const ToolCallLine = Type.Object(
  {
    tenant_id,
    /** The node's own id of the event. The hub deduplicates by it, because JSON-RPC ids repeat between sessions. */
    event_id: Uuid,
    backend: Type.Object({
      id: Type.Optional(Uuid),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    }),
    request: Type.Object({
      id: Type.Optional(Nullable(Type.Union([Type.String({ maxLength: 1_000 }), Type.Number()]))),
      started_at: LogInstant,
      completed_at: OptionalNullable(LogInstant),
      duration_ms: OptionalNullable(Milliseconds),
    }),
    auth: Section({ mode: OptionalNullable(Label) }),
    tool: Section({ name: OptionalNullable(Label) }),
    guardrails: Section({ input: Guardrail, output: Guardrail }),
    payload: Section({
      tool_arguments: OptionalNullable(Content),
      response_content: OptionalNullable(Content),
    }),
    response: Section({
      success: OptionalNullable(Type.Boolean()),
      error_message: OptionalNullable(Type.String()),
    }),
    metadata: Section({
      user_email: OptionalNullable(Label),
      agent: OptionalNullable(Type.String({ maxLength: 8_192 })),
      extra_data: OptionalNullable(AnyObject),
    }),
  },
  { title: 'ToolCallLine' },
);
export type ToolCallLine = Static<typeof ToolCallLine>;

/** `accepted` counts new rows; a repeated row counts as a duplicate and is stored once. */
export const LogBatchAnswer = Type.Object(
  { accepted: Type.Integer(), duplicates: Type.Integer(), request_id: Type.String() },
  { title: 'LogBatchAnswer' },
);
