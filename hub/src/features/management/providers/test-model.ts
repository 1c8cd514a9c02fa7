// The explicit test of a provider: a small request to the stored endpoint with the stored credentials, through the
// hub's address rules, without a second attempt.
import type {
  ProviderTest,
  ProviderTestInput,
  ProviderType,
} from '@gatewarden/shared/wire/management/providers.ts';
import { HubError } from '../../../platform/http/errors/errors.ts';
import { type Outbound, OutboundRefused } from '../../../platform/http/outbound/outbound.ts';
import type { ProviderDraft } from './rules.ts';

const WITHIN_MS = 20_000;
const MAX_AT_ONCE = 8;
const ANSWER_BYTES = 256 * 1024;

type Style = 'chat' | 'responses' | 'messages';

const STYLES: Partial<Record<ProviderType, Style>> = {
  vendorA: 'chat',
  general: 'chat',
  vendorA_responses: 'responses',
  vendorC: 'messages',
  vendorC_messages: 'messages',
};
export const MODEL_TEST_PROVIDER_TYPES = Object.keys(STYLES) as ProviderType[];

const PATHS: Record<Style, string> = {
  chat: 'chat/completions',
  responses: 'responses',
  messages: 'messages',
};
/** The default header of the messages style; a provider may have another. */
const MESSAGES_VERSION = '2023-06-01';
const WORDS = 'Reply with the word ok.';

export type TestResult = Omit<ProviderTest, 'configuration_version'>;

export interface ModelTester {
  /** Throws 400 if no model can be chosen, 429 if too many tests of the tenant run. */
  test(tenantId: string, provider: ProviderDraft, asked: ProviderTestInput): Promise<TestResult>;
}

export function createModelTester(options: {
  outbound: Outbound;
  /** The deployment has no models to test with. */
  unavailable: boolean;
  withinMs?: number;
}): ModelTester {
  const running = new Map<string, number>();
  const { outbound, withinMs = WITHIN_MS } = options;
  return {
    async test(tenantId, provider, { kind, model }) {
      const done = (
        outcome: TestResult['outcome'],
        code: string | null,
        more: Partial<TestResult> = {},
      ): TestResult => ({
        kind,
        model: model ?? null,
        outcome,
        code,
        completed_at: Date.now() / 1000,
        ...more,
      });
      if (kind === 'connection') return done('unsupported', 'unsupported_test_kind');
      if (options.unavailable) return done('unsupported', 'model_test_unavailable');
      const style = STYLES[provider.provider_name];
      if (style === undefined) return done('unsupported', 'unsupported_provider_type');
      const asked = model ?? provider.selected_models[0];
      if (asked === undefined) throw new HubError('invalid_request', '/model is required');
      const base = provider.settings.base_url;
      if (typeof base !== 'string') return done('failed', 'not_configured', { model: asked });
      const release = reserveTest(running, tenantId);
      try {
        const startedAt = performance.now();
        const { outcome, code, timed } = await probe(outbound, {
          provider,
          style,
          base,
          asked,
          withinMs,
        });
        const latency = Math.round(performance.now() - startedAt);
        return done(outcome, code, { model: asked, ...(timed ? { latency_ms: latency } : {}) });
      } finally {
        release();
      }
    },
  };
}

/** Counts a running test of the tenant, and returns its release. Throws `too_many_requests`. */
function reserveTest(running: Map<string, number>, tenantId: string): () => void {
  const count = running.get(tenantId) ?? 0;
  if (count >= MAX_AT_ONCE) {
    throw new HubError('too_many_requests', 'Too many provider tests at once. Try again shortly.');
  }
  running.set(tenantId, count + 1);
  return () => {
    const left = (running.get(tenantId) ?? 1) - 1;
    if (left === 0) running.delete(tenantId);
    else running.set(tenantId, left);
  };
}

interface Probe {
  provider: ProviderDraft;
  style: Style;
  base: string;
  asked: string;
  withinMs: number;
}

interface Outcome {
  outcome: 'passed' | 'failed';
  code: string | null;
  /** The duration of a refused address would reveal what is behind it. */
  timed: boolean;
}

async function probe(outbound: Outbound, probe: Probe): Promise<Outcome> {
  const failed = (code: string, timed = true): Outcome => ({ outcome: 'failed', code, timed });
  const url = `${probe.base.replace(/\/+$/, '')}/${PATHS[probe.style]}`;
  const signal = AbortSignal.timeout(probe.withinMs);
  try {
    const { status, body } = await outbound.postAndRead(url, {
      headers: headersOf(probe),
      body: JSON.stringify(bodyOf(probe)),
      signal,
      maxBytes: ANSWER_BYTES,
    });
    if (status === 401 || status === 403) return failed('unauthorized');
    if (status === 404) return failed('model_not_found');
    if (status === 429) return failed('rate_limited');
    if (status >= 400) return failed(namesModel(body) ? 'model_not_found' : 'bad_response');
    return status < 300 && isAnswer(probe.style, body)
      ? { outcome: 'passed', code: null, timed: true }
      : failed('bad_response');
  } catch (error) {
    if (signal.aborted) return failed('timeout');
    if (error instanceof OutboundRefused) return failed('connection_failed', false);
    return failed('connection_failed', !hasRefusal(error));
  }
}

/** Unwraps the refusal of the connector, which the client wraps. */
function hasRefusal(error: unknown): boolean {
  const cause = (error as { cause?: unknown }).cause;
  return cause instanceof OutboundRefused;
}

function headersOf({ provider, style }: Probe): Record<string, string> {
  const key = provider.secrets.api_key;
  const json = { 'content-type': 'application/json', accept: 'application/json' };
  if (style === 'messages') {
    const version = provider.settings.vendorC_version ?? MESSAGES_VERSION;
    return {
      ...json,
      'anthropic-version': String(version),
      ...(key === undefined ? {} : { 'x-api-key': String(key) }),
    };
  }
  return { ...json, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) };
}

function bodyOf({ style, asked }: Probe): object {
  if (style === 'responses') return { model: asked, input: WORDS, max_output_tokens: 16 };
  return { model: asked, messages: [{ role: 'user', content: WORDS }], max_tokens: 16 };
}

function parsed(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isAnswer(style: Style, body: string): boolean {
  const answer = parsed(body);
  const member = { chat: 'choices', responses: 'output', messages: 'content' }[style];
  return Array.isArray(answer[member]);
}

/** Some servers answer 400 for an unknown model. */
function namesModel(body: string): boolean {
  const { error } = parsed(body);
  const { code, type } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    type?: unknown;
  };
  return [code, type].some((value) => typeof value === 'string' && /model_not_found/.test(value));
}
