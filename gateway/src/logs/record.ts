// The record of a request: facts that a node collects while it runs, and the log row that is built from them.
import { redact } from '@gatewarden/shared/redaction/redact.ts';
import { redactText } from '@gatewarden/shared/redaction/text.ts';
import type { LlmRequestLine } from '@gatewarden/shared/wire/nodes/logs.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { Attempt } from '../upstream/failover.ts';
import { NO_USAGE, type TokenUsage } from './usage.ts';

type Guardrails = NonNullable<LlmRequestLine['guardrails']>;
type Payload = NonNullable<LlmRequestLine['payload']>;

const NO_GUARDRAILS: Guardrails = { outcome: null, is_blocked: false, is_anonymized: false };
/** Larger payloads are left out: a batch of rows must stay within the limits of the hub. */
const PAYLOAD_CHARACTERS_MAX = 256 * 1024;
const ERROR_CHARACTERS_MAX = 2_000;
/** The hub refuses rows with a longer label. */
const LABEL_CHARACTERS_MAX = 1_000;

export class RequestRecord {
  readonly id: string;
  readonly endpoint: string;
  readonly clientIp: string;
  readonly #receivedAt: number;
  readonly #startedAt: number;
  tenantId: string | null = null;
  app: { id: string; name: string; keyId: string } | null = null;
  model: string | null = null;
  provider: string | null = null;
  /** The model that the provider got, which differs from `model` inside a routing group. */
  upstreamModel: string | null = null;
  stream = false;
  status: number | null = null;
  error: { type: string; message: string } | null = null;
  usage: TokenUsage = NO_USAGE;
  /** Tokens were counted by this node, because the provider reported none. */
  isUsageEstimated = false;
  maxRequestedTokens: number | null = null;
  upstreamMs: number | null = null;
  guardrailsMs: number | null = null;
  firstResponseMs: number | null = null;
  /** Returns the findings of guardrails; null while no guardrail runs. */
  describeGuardrails: (() => Guardrails) | null = null;
  requestPayload: unknown = null;
  responsePayload: unknown = null;
  userEmail: string | null = null;
  conversationId: string | null = null;
  extraData: Record<string, unknown> = {};
  sdk: Record<string, unknown> | null = null;
  routing: { group_id: string | null; mode: string | null } = { group_id: null, mode: null };
  attempts: Attempt[] = [];
  /** The spans of the request; null without tracing. */
  trace: RequestTrace | null = null;
  /** Chunks and bytes of a streamed answer. */
  streamed: { chunks: number; bytes: number } | null = null;

  constructor(request: {
    id: string;
    endpoint: string;
    clientIp: string;
    receivedAt: number;
    startedAt: number;
  }) {
    this.id = request.id;
    this.endpoint = request.endpoint;
    this.clientIp = request.clientIp;
    this.#receivedAt = request.receivedAt;
    this.#startedAt = request.startedAt;
  }

  /** The findings of guardrails up to now. */
  get guardrails(): Guardrails {
    return this.describeGuardrails?.() ?? NO_GUARDRAILS;
  }

  /** Returns the milliseconds since the request arrived. */
  elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Returns the row, without credentials. Requires an app. */
  toLine(): LlmRequestLine {
    if (this.app === null || this.tenantId === null) throw new Error('a row belongs to an app');
    const line: LlmRequestLine = {
      tenant_id: this.tenantId,
      app: { id: this.app.id, name: this.app.name, key_id: this.app.keyId },
      request: {
        id: this.id,
        timestamp: new Date(this.#receivedAt).toISOString(),
        endpoint: this.endpoint,
        model: this.model && redactText(this.model),
        provider: this.provider,
        stream: this.stream,
        status_code: this.status,
        error_type: this.error?.type ?? null,
        error_message: this.error && redactText(this.error.message).slice(0, ERROR_CHARACTERS_MAX),
      },
      tokens: this.#tokens(),
      latency_ms: this.#latencies(),
      guardrails: this.guardrails,
      payload: this.#payload(),
      metadata: {
        user_email: this.userEmail?.slice(0, LABEL_CHARACTERS_MAX) ?? null,
        conversation_id: this.conversationId?.slice(0, LABEL_CHARACTERS_MAX) ?? null,
        client_ip: this.clientIp,
        extra_data: redact(this.#extraData()) as Record<string, unknown>,
        sdk: this.sdk,
      },
      routing: this.routing,
      telemetry: this.#telemetry(),
    };
    return line;
  }

  #tokens(): NonNullable<LlmRequestLine['tokens']> {
    const { request, response, cacheRead, cacheWrite, reasoning } = this.usage;
    return {
      request,
      response,
      cache_read: cacheRead ?? 0,
      cache_write: cacheWrite,
      reasoning,
      max_requested: this.maxRequestedTokens,
    };
  }

  #latencies(): NonNullable<LlmRequestLine['latency_ms']> {
    const total = this.elapsedMs();
    return {
      upstream: round(this.upstreamMs),
      gw_processing: round(Math.max(0, total - (this.upstreamMs ?? 0))),
      guardrails: round(this.guardrailsMs),
      first_response: round(this.firstResponseMs),
      total: round(total),
    };
  }

  #payload(): Payload {
    const request = boundPayload(this.requestPayload);
    const response = boundPayload(this.responsePayload);
    if (request === undefined || response === undefined) {
      return { hydration_status: 'missing_prediction', request_text: null, response_text: null };
    }
    return { hydration_status: 'complete', request_text: request, response_text: response };
  }

  #extraData(): Record<string, unknown> {
    const { userEmail, conversationId, upstreamModel, model } = this;
    return {
      ...this.extraData,
      ...(userEmail === null ? {} : { user_email: userEmail }),
      ...(conversationId === null ? {} : { conversation_id: conversationId }),
      ...(upstreamModel === null || upstreamModel === model
        ? {}
        : { upstream_model: upstreamModel }),
    };
  }

  #telemetry(): NonNullable<LlmRequestLine['telemetry']> {
    const attempts = this.attempts.map((attempt) => ({ ...attempt, ms: round(attempt.ms) }));
    return {
      processing_times: {
        ...(attempts.length > 1 ? { attempts } : {}),
        ...(this.isUsageEstimated ? { tokens_estimated: true } : {}),
      },
      chunk_funnel: this.streamed,
    };
  }
}

/** Returns a payload without credentials; undefined if it is too large for a row. */
function boundPayload(payload: unknown): Payload['request_text'] | undefined {
  if (payload === null || payload === undefined) return null;
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  if (text.length > PAYLOAD_CHARACTERS_MAX) return undefined;
  try {
    return redact(payload) as Payload['request_text'];
  } catch {
    // Redaction refuses a value that is nested too deeply.
    return undefined;
  }
}

const round = (ms: number | null) => (ms === null ? null : Math.round(ms * 1000) / 1000);
