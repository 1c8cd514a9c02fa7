// C/llm/requests, C/mcp/tool-calls, C/llm/usage and C/log-settings: logs for people, redacted and without the lag.
import { type Static, Type } from 'typebox';
import { Instant, Nullable, OneOf, Uuid } from '../common.ts';
import { CountedListAnswer, FileFormat, ListQuery } from './common.ts';
import { TIME_SORTS } from './time-sorts.ts';

const strict = { additionalProperties: false };

const Filter = Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 }));
const Flag = Type.Optional(OneOf(['true', 'false'] as const));
/** By when it happened: from this time on, and before that one. */
const Range = { from: Type.Optional(Instant), to: Type.Optional(Instant) };

const llmFilters = {
  ...Range,
  request_id: Filter,
  /** An e-mail address. */
  user: Filter,
  conversation_id: Filter,
  /** A name, folded. */
  app: Filter,
  model: Filter,
  provider: Filter,
  blocked: Flag,
  failed: Flag,
  sort: Type.Optional(OneOf(TIME_SORTS)),
};
/** What a filter that is misspelt would give is all of the list. */
export const LlmRequestQuery = Type.Object({ ...ListQuery, ...llmFilters }, strict);
/** C/llm/requests/download: the same filters, all of the list. */
export const LlmRequestDownloadQuery = Type.Object({ format: FileFormat, ...llmFilters }, strict);
export type LlmRequestQuery = Static<typeof LlmRequestQuery>;

/** What stopped or changed a request: the guardrails' action, and what it was for. */
const Reason = Type.Object({
  action: Type.String(),
  category: Type.String(),
  subcategories: Type.Array(Type.String()),
});
/** The event as it is exported. */
const Event = Type.Record(Type.String(), Type.Unknown());

export const LlmRequestItem = Type.Object(
  {
    request_id: Type.String(),
    timestamp: Type.String(),
    received_at: Type.String(),
    /** Not known: the hub had no app of this name or id when the row came. */
    app: Type.Object({
      id: Nullable(Type.String()),
      name: Type.String(),
      known: Type.Boolean(),
    }),
    user_email: Nullable(Type.String()),
    conversation_id: Nullable(Type.String()),
    model: Nullable(Type.String()),
    provider: Nullable(Type.String()),
    status_code: Nullable(Type.Integer()),
    is_blocked: Type.Boolean(),
    /** Not blocked, and answered with 400 or more, or by nobody. */
    is_failed: Type.Boolean(),
    is_anonymized: Type.Boolean(),
    reasons: Type.Array(Reason),
    cost_usd: Nullable(Type.Number()),
    event: Event,
  },
  { title: 'LlmRequest' },
);
export type LlmRequestItem = Static<typeof LlmRequestItem>;
export const LlmRequestList = CountedListAnswer(LlmRequestItem);

const callFilters = {
  ...Range,
  /** One call: what the list names it by. */
  log_id: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$' })),
  /** The JSON-RPC id, which repeats between sessions; or what a blocked call was told to name. */
  request_id: Filter,
  user: Filter,
  conversation_id: Filter,
  backend_id: Type.Optional(Uuid),
  /** The server's name, folded. */
  backend: Filter,
  tool: Filter,
  blocked: Flag,
  failed: Flag,
  sort: Type.Optional(OneOf(TIME_SORTS)),
};
export const ToolCallQuery = Type.Object({ ...ListQuery, ...callFilters }, strict);
/** C/mcp/tool-calls/download: the same filters, all of the list. */
export const ToolCallDownloadQuery = Type.Object({ format: FileFormat, ...callFilters }, strict);
export type ToolCallQuery = Static<typeof ToolCallQuery>;

export const ToolCallItem = Type.Object(
  {
    log_id: Type.Integer(),
    request_id: Nullable(Type.String()),
    started_at: Type.String(),
    received_at: Type.String(),
    backend: Type.Object({
      id: Nullable(Type.String()),
      name: Type.String(),
      known: Type.Boolean(),
    }),
    user_email: Nullable(Type.String()),
    tool: Nullable(Type.String()),
    /** What was asked, where that was no call of a tool and rules found something or blocked it; null: a call. */
    method: Nullable(Type.String()),
    success: Nullable(Type.Boolean()),
    is_blocked: Type.Boolean(),
    event: Event,
  },
  { title: 'ToolCall' },
);
export type ToolCallItem = Static<typeof ToolCallItem>;
export const ToolCallList = CountedListAnswer(ToolCallItem);

export const USAGE_DIMENSIONS = ['day', 'app', 'user', 'model', 'provider'] as const;
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number];

const Day = Type.Optional(
  Type.String({ description: 'a day like 2026-01-31', pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
);
export const UsageQuery = Type.Object(
  {
    /** Days of UTC, both included; the last seven where they are left out. */
    from: Day,
    to: Day,
    by: Type.Optional(
      Type.String({
        description: 'some of day, app, user, model and provider, with commas between',
        pattern: '^(day|app|user|model|provider)(,(day|app|user|model|provider))*$',
      }),
    ),
    format: Type.Optional(OneOf(['json', 'csv'] as const)),
  },
  strict,
);
export type UsageQuery = Static<typeof UsageQuery>;

const Sums = {
  requests: Type.Integer(),
  blocked: Type.Integer(),
  failed: Type.Integer(),
  tokens_request: Type.Integer(),
  tokens_response: Type.Integer(),
  tokens_cache_read: Type.Integer(),
  /** Of the requests whose price was known. */
  cost_usd: Type.Number(),
  /** Requests for which no price was known. */
  without_price: Type.Integer(),
};
const Label = Type.Optional(Nullable(Type.String()));
export const UsageRow = Type.Object(
  {
    day: Type.Optional(Type.String()),
    app: Label,
    user: Label,
    model: Label,
    provider: Label,
    ...Sums,
  },
  { title: 'UsageRow' },
);
export type UsageRow = Static<typeof UsageRow>;
export const UsageAnswer = Type.Object({
  from: Type.String(),
  to: Type.String(),
  items: Type.Array(UsageRow),
  totals: Type.Object(Sums),
  /** More groups than an answer holds; the totals count all. */
  is_cut: Type.Boolean(),
  request_id: Type.String(),
});

export const LogSettingsInput = Type.Object(
  {
    store_payloads: Type.Boolean(),
    retention_days: Type.Integer({ minimum: 1, maximum: 15 }),
  },
  { additionalProperties: false, title: 'LogSettingsInput' },
);
export const LogSettingsAnswer = Type.Object({
  settings: Type.Object({
    store_payloads: Type.Boolean(),
    retention_days: Type.Integer(),
    version: Type.String(),
  }),
  request_id: Type.String(),
});

export const MetricsQuery = Type.Object(
  {
    start_time: Type.Optional(Type.String({ maxLength: 40 })),
    end_time: Type.Optional(Type.String({ maxLength: 40 })),
  },
  strict,
);
/** The document of the export's metrics view. */
export const MetricsAnswer = Type.Object({
  metrics: Type.Record(Type.String(), Type.Unknown()),
  request_id: Type.String(),
});
