// An LLM request as a row: the exported event, redacted, with every field in its type and null convention, and the
// columns for filters and sums.

import {
  REDACTION_VERSION,
  redact,
  redactLlmExtraData,
} from '@gatewarden/shared/redaction/redact.ts';
import type { LlmRequestLine } from '@gatewarden/shared/wire/nodes/logs.ts';
import { categoriesOf, findingsOf } from './findings.ts';
import { jsonLine } from './json-line.ts';
import { type Micros, millisText } from './times.ts';

/** The app that a line names. */
export interface KnownApp {
  app_id: string;
  name: string;
}

/** Prices in US dollars per million tokens; null if unknown. */
export interface ModelCost {
  input_per_1m?: number | null;
  output_per_1m?: number | null;
  cache_per_1m?: number | null;
}

export interface LlmRow {
  tenant_id: string;
  at: Micros;
  request_id: string;
  app_id: string | null;
  app_name: string;
  user_email: string | null;
  extra_email: string | null;
  conversation_id: string | null;
  model: string | null;
  provider: string | null;
  status_code: number | null;
  is_failed: boolean;
  is_blocked: boolean;
  is_anonymized: boolean;
  findings: number;
  categories: string[] | null;
  tokens_request: number | null;
  tokens_response: number | null;
  tokens_cache_read: number;
  cost_usd: number | null;
  redaction_version: number;
  event: string;
  node_id: string | null;
}

export interface LlmRowContext {
  tenantId: string;
  app: KnownApp | null;
  /** Whether the tenant stores payloads. */
  storePayloads: boolean;
  cost: ModelCost | null;
  /** The node that sent the line. */
  nodeId?: string;
}

/** Returns the row of a line; `at` is the line's own timestamp. */
export function llmRow(line: LlmRequestLine, at: Micros, context: LlmRowContext): LlmRow {
  const cutAt = Math.floor(at / 1_000) * 1_000;
  const event = redact(llmEvent(line, cutAt, context)) as ReturnType<typeof llmEvent>;
  const { request, tokens, guardrails, metadata } = event;
  // Categories are read from the line: below an action whose name looks like a credential's, redaction leaves nothing.
  const categories = categoriesOf(line.guardrails?.actions_and_categories ?? {}, redactName);
  return {
    tenant_id: context.tenantId,
    at: cutAt,
    request_id: request.id,
    app_id: context.app?.app_id ?? null,
    app_name: event.app.name,
    user_email: foldEmail(metadata.user_email),
    extra_email: foldEmail(metadata.extra_data.user_email),
    conversation_id: metadata.conversation_id && keyText(metadata.conversation_id),
    model: request.model,
    provider: request.provider,
    status_code: request.status_code,
    is_failed: !guardrails.is_blocked && isFailed(request),
    is_blocked: guardrails.is_blocked,
    is_anonymized: guardrails.is_anonymized,
    findings: findingsOf(categories),
    categories: categories.length === 0 ? null : categories,
    tokens_request: tokens.request,
    tokens_response: tokens.response,
    tokens_cache_read: tokens.cache_read,
    cost_usd: costOf(tokens, context.cost),
    redaction_version: REDACTION_VERSION,
    event: jsonLine(event),
    node_id: context.nodeId ?? null,
  };
}

const redactName = (name: string) => redact(name) as string;

/** Returns the exported event without the fields that are added by the export. */
function llmEvent(line: LlmRequestLine, at: Micros, { app, storePayloads }: LlmRowContext) {
  return {
    app: { name: app?.name ?? line.app.name ?? line.app.id ?? '' },
    request: requestFields(line.request, at),
    tokens: tokenFields(line.tokens),
    latency_ms: latencyFields(line.latency_ms),
    guardrails: guardrailFields(line.guardrails),
    payload: payloadFields(storePayloads ? line.payload : null),
    metadata: metadataFields(line.metadata),
    routing: { group_id: line.routing?.group_id ?? null, mode: line.routing?.mode ?? null },
    telemetry: {
      processing_times: line.telemetry?.processing_times ?? null,
      chunk_funnel: line.telemetry?.chunk_funnel ?? null,
    },
  };
}

function requestFields(request: LlmRequestLine['request'], at: Micros) {
  return {
    id: request.id,
    timestamp: millisText(at),
    endpoint: request.endpoint.replace(/[?#].*$/s, ''),
    model: request.model ?? null,
    provider: request.provider ?? null,
    stream: request.stream ?? false,
    status_code: request.status_code ?? null,
    error_type: request.error_type ?? null,
    error_message: request.error_message ?? null,
  };
}

function tokenFields(tokens: LlmRequestLine['tokens']) {
  return {
    request: tokens?.request ?? null,
    response: tokens?.response ?? null,
    cache_read: tokens?.cache_read ?? 0,
    cache_write: tokens?.cache_write ?? null,
    reasoning: tokens?.reasoning ?? null,
    max_requested: tokens?.max_requested ?? null,
  };
}

function latencyFields(latency: LlmRequestLine['latency_ms']) {
  return {
    upstream: latency?.upstream ?? null,
    gw_processing: latency?.gw_processing ?? null,
    guardrails: latency?.guardrails ?? null,
    first_response: latency?.first_response ?? null,
    total: latency?.total ?? null,
  };
}

function guardrailFields(guardrails: LlmRequestLine['guardrails']) {
  return {
    outcome: guardrails?.outcome ?? null,
    is_blocked: guardrails?.is_blocked ?? false,
    is_anonymized: guardrails?.is_anonymized ?? false,
    actions_and_categories: guardrails?.actions_and_categories ?? {},
    request_predictions: guardrails?.request_predictions ?? [],
    response_predictions: guardrails?.response_predictions ?? [],
  };
}

/** Returns no texts for a payload that is not stored or that the node did not receive. */
function payloadFields(payload: LlmRequestLine['payload']) {
  if (!payload || payload.hydration_status === 'missing_prediction') {
    return { hydration_status: 'missing_prediction', request_text: null, response_text: null };
  }
  return {
    hydration_status: 'complete',
    request_text: payload.request_text ?? null,
    response_text: payload.response_text ?? null,
  };
}

function metadataFields(sent: LlmRequestLine['metadata']) {
  const metadata = sent ?? {};
  const extra = redactLlmExtraData(metadata.extra_data ?? {});
  return {
    user_email: metadata.user_email ?? textOf(extra.user_email),
    conversation_id: metadata.conversation_id ?? textOf(extra.conversation_id),
    client_ip: metadata.client_ip ?? textOf(extra.client_ip),
    extra_data: extra,
    sdk: metadata.sdk ?? null,
  };
}

/** Returns whether the request counts as a failure of app or provider. A block by guardrails is none. */
function isFailed(request: { status_code: number | null; error_type: string | null }): boolean {
  if (request.status_code !== null)
    return request.status_code >= 500 || request.status_code === 429;
  return request.error_type !== null;
}

/**
 * Returns the cost in US dollars; null without a relevant price. `request` includes the tokens that were read from a
 * cache.
 */
export function costOf(
  tokens: { request: number | null; response: number | null; cache_read: number },
  cost: ModelCost | null,
): number | null {
  if (cost === null) return null;
  const input = cost.input_per_1m ?? null;
  const cached = cost.cache_per_1m ?? input;
  const output = cost.output_per_1m ?? null;
  if (input === null && cached === null && output === null) return null;
  const uncached = Math.max(0, (tokens.request ?? 0) - tokens.cache_read);
  const sum =
    uncached * (input ?? 0) +
    tokens.cache_read * (cached ?? 0) +
    (tokens.response ?? 0) * (output ?? 0);
  // A price has at most 15 significant digits; the digits beyond are noise of the double.
  return Math.min(Number((sum / 1_000_000).toPrecision(15)), Number.MAX_SAFE_INTEGER);
}

/** Returns an address in lower case, cut to the length of an index entry; null for a value that is no address. */
export function foldEmail(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const folded = keyText(value.trim().toLowerCase());
  return folded === '' ? null : folded;
}

const KEY_MAX = 500;

/** Returns text cut to an index entry: 2704 bytes, with up to four bytes per character. */
export function keyText(text: string): string {
  if (text.length <= KEY_MAX) return text;
  const first = text.slice(0, 2 * KEY_MAX).toWellFormed();
  return [...first].slice(0, KEY_MAX).join('');
}

const TEXT_MAX = 1_000;
function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, TEXT_MAX).toWellFormed() : null;
}
