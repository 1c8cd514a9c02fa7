// An LLM request as it is stored: every field of the exported event with its type and null rule, redacted, and beside it
// what lists filter and sums add up.

import {
  REDACTION_VERSION,
  redact,
  redactLlmExtraData,
} from '@gatewarden/shared/redaction/redact.ts';
import type { LlmRequestLine } from '@gatewarden/shared/wire/nodes/logs.ts';
import { categoriesOf, findingsOf } from './findings.ts';
import { jsonLine } from './json-line.ts';
import { type Micros, millisText } from './times.ts';

/** What the hub knows of the app that a line names; null: nothing. */
export interface KnownApp {
  app_id: string;
  name: string;
}

/** US dollars for a million tokens. */
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

export interface LlmSurroundings {
  tenantId: string;
  app: KnownApp | null;
  /** Null where the tenant keeps no payloads, too. */
  storePayloads: boolean;
  cost: ModelCost | null;
  /** The node that told of it. */
  nodeId?: string;
}

/** `at` is the line's own timestamp. */
export function llmRow(line: LlmRequestLine, at: Micros, around: LlmSurroundings): LlmRow {
  const cutAt = Math.floor(at / 1_000) * 1_000;
  const event = redact(llmEvent(line, cutAt, around)) as ReturnType<typeof llmEvent>;
  const { request, tokens, guardrails, metadata } = event;
  // As they were sent: below an action whose name is a credential's nothing is left to read.
  const categories = categoriesOf(line.guardrails?.actions_and_categories ?? {}, redactName);
  return {
    tenant_id: around.tenantId,
    at: cutAt,
    request_id: request.id,
    app_id: around.app?.app_id ?? null,
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
    cost_usd: costOf(tokens, around.cost),
    redaction_version: REDACTION_VERSION,
    event: jsonLine(event),
    node_id: around.nodeId ?? null,
  };
}

const redactName = (name: string) => redact(name) as string;

/** The exported event without what is only known on export. */
function llmEvent(line: LlmRequestLine, at: Micros, { app, storePayloads }: LlmSurroundings) {
  const { request } = line;
  const metadata = line.metadata ?? {};
  const extra = redactLlmExtraData(metadata.extra_data ?? {});
  const guardrails = line.guardrails ?? {};
  const routing = line.routing ?? {};
  const telemetry = line.telemetry ?? {};
  const payload = storePayloads ? (line.payload ?? null) : null;
  const isMissing = payload === null || payload.hydration_status === 'missing_prediction';
  return {
    app: { name: app?.name ?? line.app.name ?? line.app.id ?? '' },
    request: {
      id: request.id,
      timestamp: millisText(at),
      endpoint: request.endpoint.replace(/[?#].*$/s, ''),
      model: request.model ?? null,
      provider: request.provider ?? null,
      stream: request.stream ?? false,
      status_code: request.status_code ?? null,
      error_type: request.error_type ?? null,
      error_message: request.error_message ?? null,
    },
    tokens: {
      request: line.tokens?.request ?? null,
      response: line.tokens?.response ?? null,
      cache_read: line.tokens?.cache_read ?? 0,
      cache_write: line.tokens?.cache_write ?? null,
      reasoning: line.tokens?.reasoning ?? null,
      max_requested: line.tokens?.max_requested ?? null,
    },
    latency_ms: {
      upstream: line.latency_ms?.upstream ?? null,
      gw_processing: line.latency_ms?.gw_processing ?? null,
      guardrails: line.latency_ms?.guardrails ?? null,
      first_response: line.latency_ms?.first_response ?? null,
      total: line.latency_ms?.total ?? null,
    },
    guardrails: {
      outcome: guardrails.outcome ?? null,
      is_blocked: guardrails.is_blocked ?? false,
      is_anonymized: guardrails.is_anonymized ?? false,
      actions_and_categories: guardrails.actions_and_categories ?? {},
      request_predictions: guardrails.request_predictions ?? [],
      response_predictions: guardrails.response_predictions ?? [],
    },
    payload: {
      hydration_status: isMissing ? 'missing_prediction' : 'complete',
      request_text: isMissing ? null : (payload.request_text ?? null),
      response_text: isMissing ? null : (payload.response_text ?? null),
    },
    metadata: {
      user_email: metadata.user_email ?? textOf(extra.user_email),
      conversation_id: metadata.conversation_id ?? textOf(extra.conversation_id),
      client_ip: metadata.client_ip ?? textOf(extra.client_ip),
      extra_data: extra,
      sdk: metadata.sdk ?? null,
    },
    routing: { group_id: routing.group_id ?? null, mode: routing.mode ?? null },
    telemetry: {
      processing_times: telemetry.processing_times ?? null,
      chunk_funnel: telemetry.chunk_funnel ?? null,
    },
  };
}

/** What counts as a failure of app or provider, but where guardrails blocked it: they did what they are for. */
function isFailed(request: { status_code: number | null; error_type: string | null }): boolean {
  if (request.status_code !== null)
    return request.status_code >= 500 || request.status_code === 429;
  return request.error_type !== null;
}

/** `request` counts what was read from a cache, too. Null where no price is known that would count. */
export function costOf(
  tokens: { request: number | null; response: number | null; cache_read: number },
  cost: ModelCost | null,
): number | null {
  if (cost === null) return null;
  const input = cost.input_per_1m ?? null;
  const cached = cost.cache_per_1m ?? input;
  const output = cost.output_per_1m ?? null;
  if (input === null && cached === null && output === null) return null;
  const fresh = Math.max(0, (tokens.request ?? 0) - tokens.cache_read);
  const sum =
    fresh * (input ?? 0) +
    tokens.cache_read * (cached ?? 0) +
    (tokens.response ?? 0) * (output ?? 0);
  // Of 15 digits each is meant; what follows is what a double makes of the rest.
  return Math.min(Number((sum / 1_000_000).toPrecision(15)), Number.MAX_SAFE_INTEGER);
}

export function foldEmail(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const folded = keyText(value.trim().toLowerCase());
  return folded === '' ? null : folded;
}

const KEY_MAX = 500;

/** What rows are looked up by must fit into an entry of an index: 2704 bytes, and a character may take four. */
export function keyText(text: string): string {
  if (text.length <= KEY_MAX) return text;
  const first = text.slice(0, 2 * KEY_MAX).toWellFormed();
  return [...first].slice(0, KEY_MAX).join('');
}

const TEXT_MAX = 1_000;
function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, TEXT_MAX).toWellFormed() : null;
}
