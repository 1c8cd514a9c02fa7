// C/llm/requests, C/mcp/tool-calls, C/llm/usage, C/llm/usage/daily and C/log-settings: redacted logs for the console, without the export's
// delay.
import { type Static, Type } from 'typebox';
import { Instant, Nullable, OneOf, Uuid } from '../common.ts';
import { CountedListAnswer, FileFormat, ListQuery } from './common.ts';
import { TIME_SORTS } from './time-sorts.ts';

const strict = { additionalProperties: false };

const Filter = Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 }));
const Flag = Type.Optional(OneOf(['true', 'false'] as const));
/** The period of the events: `from` is inclusive, `to` is exclusive. */
const Range = { from: Type.Optional(Instant), to: Type.Optional(Instant) };

export const LLM_STATUSES = ['passed', 'blocked', 'failed'] as const;

const llmFilters = {
  ...Range,
  request_id: Filter,
  /** The user's e-mail address. */
  user: Filter,
  conversation_id: Filter,
  /** The app's name, compared case-insensitively. */
  app: Filter,
  model: Filter,
  provider: Filter,
  blocked: Flag,
  failed: Flag,
  /** Blocked by guardrails, failed, or neither. */
  status: Type.Optional(OneOf(LLM_STATUSES)),
  /** A category that guardrails found, in lower case. */
  guardrail: Filter,
};
const timeSort = { sort: Type.Optional(OneOf(TIME_SORTS)) };
/** Unknown parameters are refused, because a misspelled filter would return all rows. */
export const LlmRequestQuery = Type.Object({ ...ListQuery, ...llmFilters, ...timeSort }, strict);
/** C/llm/requests/download: the same filters, without pages. */
export const LlmRequestDownloadQuery = Type.Object(
  { format: FileFormat, ...llmFilters, ...timeSort },
  strict,
);
/** C/llm/requests/histogram: the same filters. */
export const LlmHistogramQuery = Type.Object(llmFilters, strict);
export type LlmRequestQuery = Static<typeof LlmRequestQuery>;

/** A guardrail action that blocked or changed a request, and its subject. */
const Reason = Type.Object({
  action: Type.String(),
  category: Type.String(),
  subcategories: Type.Array(Type.String()),
});
/** The event in the shape of the export. */
const Event = Type.Record(Type.String(), Type.Unknown());

export const LlmRequestItem = Type.Object(
  {
    request_id: Type.String(),
    timestamp: Type.String(),
    received_at: Type.String(),
    /** Null: the hub had no app with this name or id when the row arrived. */
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
    /** The request was not blocked, and the response was 400 or above, or missing. */
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

export const CALL_VERDICTS = ['passed', 'blocked', 'failed', 'incomplete'] as const;

const callFilters = {
  ...Range,
  /** The id of a call in the list. */
  log_id: Type.Optional(Type.String({ pattern: '^[0-9]{1,18}$' })),
  /** The JSON-RPC id, which repeats between sessions, or the reference in the message of a blocked call. */
  request_id: Filter,
  user: Filter,
  conversation_id: Filter,
  backend_id: Type.Optional(Uuid),
  /** The server's name, compared case-insensitively. */
  backend: Filter,
  tool: Filter,
  blocked: Flag,
  failed: Flag,
  /** Blocked, failed, incomplete while no end is known, or passed. */
  verdict: Type.Optional(OneOf(CALL_VERDICTS)),
};
export const ToolCallQuery = Type.Object({ ...ListQuery, ...callFilters, ...timeSort }, strict);
/** C/mcp/tool-calls/download: the same filters, without pages. */
export const ToolCallDownloadQuery = Type.Object(
  { format: FileFormat, ...callFilters, ...timeSort },
  strict,
);
/** C/mcp/tool-calls/histogram: the same filters. */
export const ToolCallHistogramQuery = Type.Object(callFilters, strict);
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
    /**
     * The JSON-RPC method, if the message is no tool call and guardrails found something or blocked it; null: a tool
     * call.
     */
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
    /** The first and the last day in UTC, inclusive. Default: the last seven days. */
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
  /** The cost of all requests with a known price. */
  cost_usd: Type.Number(),
  /** The number of requests without a known price. */
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
  /** The answer omits some groups; the totals include them. */
  is_cut: Type.Boolean(),
  request_id: Type.String(),
});

export const USAGE_MEASURES = ['cost', 'tokens', 'requests'] as const;
/** Cost in US dollars, input and output tokens, or the number of requests. */
export type UsageMeasure = (typeof USAGE_MEASURES)[number];
export const USAGE_SERIES = ['app', 'model', 'user'] as const;
export type UsageSeriesDimension = (typeof USAGE_SERIES)[number];
/** The number of names with a series of their own; a last series sums up the remaining names. */
export const USAGE_SERIES_MAX = 6;

export const DailyUsageQuery = Type.Object(
  {
    /** The first and the last day in UTC, inclusive. Default: the last seven days. */
    from: Day,
    to: Day,
    by: Type.Optional(
      Type.Enum([...USAGE_SERIES], { description: 'the dimension of the series; default: app' }),
    ),
    measure: Type.Optional(
      Type.Enum([...USAGE_MEASURES], {
        description: 'cost in US dollars, input and output tokens, or requests; default: cost',
      }),
    ),
  },
  strict,
);
export type DailyUsageQuery = Static<typeof DailyUsageQuery>;

/** The sum of the measure, with the counts that show whether a cost is known. */
const MeasuredSum = {
  total: Type.Number(),
  requests: Type.Integer(),
  without_price: Type.Integer(),
};
const DailyUsageSeries = Type.Object({
  /** Null: the remaining names, or requests without a name. */
  name: Nullable(Type.String()),
  is_other: Type.Boolean(),
  /** The number of names that the series sums up. */
  names: Type.Integer(),
  total: Type.Number(),
  /** The measure of each day. */
  values: Type.Array(Type.Number()),
});
export type DailyUsageSeries = Static<typeof DailyUsageSeries>;
export const DailyUsageAnswer = Type.Object({
  by: OneOf(USAGE_SERIES),
  measure: OneOf(USAGE_MEASURES),
  /** The days of the period that the retention includes. */
  days: Type.Array(Type.String()),
  series: Type.Array(DailyUsageSeries),
  ...MeasuredSum,
  /**
   * The same number of days before the period. If the period ends today, the previous period ends at the same time of
   * its last day. Null: the retention does not include both periods.
   */
  previous: Nullable(Type.Object({ from: Type.String(), to: Type.String(), ...MeasuredSum })),
  request_id: Type.String(),
});
export type DailyUsageAnswer = Static<typeof DailyUsageAnswer>;

/** The maximum retention of log rows in days, and the default. */
export const LOG_RETENTION_DAYS_MAX = 15;

export const LogSettingsInput = Type.Object(
  {
    store_payloads: Type.Boolean(),
    retention_days: Type.Integer({ minimum: 1, maximum: LOG_RETENTION_DAYS_MAX }),
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
